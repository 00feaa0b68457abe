"""Commands that need no corpus."""
