"""Contexts of phrases, found in corpora."""
