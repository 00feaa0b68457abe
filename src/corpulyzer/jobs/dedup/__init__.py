"""Duplicates of a corpus found, and judged by the policy."""
