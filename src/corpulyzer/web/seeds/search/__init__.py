"""Seeds out of search engines."""
