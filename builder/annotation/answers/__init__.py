"""Answers of annotators: reading, anonymising and quality rules."""
