"""Where a corpus stands."""
