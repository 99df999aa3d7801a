"""The rules of agreement: changes around an NC whose gender or number changes."""
