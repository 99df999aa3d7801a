"""From language packs to a release."""
