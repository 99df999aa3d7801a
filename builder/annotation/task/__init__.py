"""The judging task: items, wording, pages and batches."""
