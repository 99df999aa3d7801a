"""Phrases and their inflection."""
