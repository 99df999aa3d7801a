"""The record of a launched batch."""
