"""Crowdsourcing services: export, import and launch of each."""
