"""Measures of quality and noise."""
