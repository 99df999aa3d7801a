"""Published data that a user has: readers of its files, and what is wrong in them."""
