"""Near-duplicate documents: methods, their signatures, and the pairs they find."""
