"""Measures of licenses."""
