"""Statistics that several measures share."""
