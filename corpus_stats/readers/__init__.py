"""Readers of corpus formats."""
