"""Figures of a release: counts for its manifest, and the statistics, tables and plots of `ncimp describe`."""
