"""Checks of the files of a release."""
