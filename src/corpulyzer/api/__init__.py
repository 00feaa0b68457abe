"""The public Corpus and its verbs."""
