"""Inflection of words without a table of forms."""
