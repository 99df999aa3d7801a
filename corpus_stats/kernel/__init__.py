"""The counting kernel: bytes in, tables of integers out. Compiled by numba; imported only to count."""
