"""Pages loaded in a browser that has no network of its own."""
