"""The counting kernel: bytes in, tables of integers out. Compiled by numba; import it only where counting is asked for."""
