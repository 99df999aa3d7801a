"""From filled items to a release folder: tables, splits, card, manifest, and the swap that publishes them locally."""
