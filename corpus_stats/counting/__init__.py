"""Counting words, pairs and candidates."""
