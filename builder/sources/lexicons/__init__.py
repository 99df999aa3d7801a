"""Morphological lexicons."""
