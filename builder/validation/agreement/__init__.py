"""Checks of agreement."""
