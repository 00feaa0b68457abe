"""Corpora beside each other."""
