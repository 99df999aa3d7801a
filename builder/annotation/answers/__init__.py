"""Answers of annotators: reading them without names, and measuring who gave them."""
