"""Our own extractor: a small network over the blocks of a page."""
