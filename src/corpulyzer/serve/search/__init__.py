"""The pages for linguists: concordance and lists, and their results as files."""
