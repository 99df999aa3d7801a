"""External sources that the user adds: registry, downloads, formats."""
