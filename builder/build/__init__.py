"""The stages of a build and their order."""
