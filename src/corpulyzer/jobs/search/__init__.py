"""The index of a corpus brought up to date, and texts looked up in it."""
