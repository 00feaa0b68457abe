"""The concordance: an index over the kept documents, and what can be asked of it.

Words are those of the one tokeniser; where a script writes no spaces, its characters take their place, so
that a word is found as the sequence of its characters.
"""
