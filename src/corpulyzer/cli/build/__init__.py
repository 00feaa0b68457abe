"""Commands that make a corpus or change it."""
