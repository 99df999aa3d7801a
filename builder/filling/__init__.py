"""Sentences of the grid, made of replacements and marked sentences, with every change outside the span recorded."""
