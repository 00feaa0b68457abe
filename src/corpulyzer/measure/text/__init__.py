"""The one reading of all texts, and what each text is like."""
