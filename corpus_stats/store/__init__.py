"""The statistics store."""
