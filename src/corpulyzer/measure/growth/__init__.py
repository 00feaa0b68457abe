"""How a corpus grows: Zipf, Heaps, tokens per type."""
