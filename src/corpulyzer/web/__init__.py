"""How pages are found and fetched."""
