"""What stands in the place of a compound: component synonyms, ranked and explained, and frequency-matched randoms."""
