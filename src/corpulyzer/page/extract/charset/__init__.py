"""The encodings of the web: their labels, their decoders, and which one bytes are in."""
