"""A corpus as it was at an earlier moment."""
