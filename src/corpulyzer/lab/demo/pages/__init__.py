"""Pages of our own text whose truth is known."""
