"""Replacements of compounds: component synonyms, ranked and explained, and frequency-matched random compounds."""
