"""Facts about a page that filters and exports decide by: its license, and whether a machine translated it."""
