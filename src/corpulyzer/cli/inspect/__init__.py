"""Commands that look at a corpus."""
