"""Measures of pages."""
