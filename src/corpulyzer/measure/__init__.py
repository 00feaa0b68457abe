"""Measures of a corpus."""
