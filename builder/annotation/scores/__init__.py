"""Scores from answers: aggregation, reliability and power."""
