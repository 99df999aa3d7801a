"""Simulated annotators for rehearsing a campaign."""
