"""Text of files that are no web pages."""
