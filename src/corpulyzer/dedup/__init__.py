"""Duplicates at every level: payloads, texts, near-duplicates, paragraphs, sentences.

A map makes keys and signatures of each part of the documents, once; queries find the copies among all parts.
Nothing is deleted: copies are labelled, and a policy decides which of them stay in the corpus.
"""

FOLDER = "duplicates"
"""Where its tables are in the corpus folder."""
