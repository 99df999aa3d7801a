"""Checks of a pack and of the content of its sentences."""
