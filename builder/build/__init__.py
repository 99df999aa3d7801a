"""The build: language resources, stages and their order."""
