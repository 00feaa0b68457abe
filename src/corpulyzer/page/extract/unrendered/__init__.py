"""Pages that show nothing without their scripts: what they are known by, and the text in their data."""
