"""Counts of words and word pairs in corpora, and the association measures on them. Nothing about compounds."""
