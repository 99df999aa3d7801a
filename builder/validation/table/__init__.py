"""Checks of the tables of a release."""
