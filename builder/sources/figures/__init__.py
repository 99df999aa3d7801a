"""Frequencies, counts, human scores and benchmarks."""
