"""Measures of sites."""
