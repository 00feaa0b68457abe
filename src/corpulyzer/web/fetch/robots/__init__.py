"""What a robots.txt allows, and whether a URL may be asked for."""
