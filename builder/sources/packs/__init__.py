"""Language packs."""
