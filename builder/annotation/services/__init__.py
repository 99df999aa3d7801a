"""The services that judge batches."""
