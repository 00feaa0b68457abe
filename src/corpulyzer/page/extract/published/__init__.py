"""Extractors as others published them, over the same blocks."""
