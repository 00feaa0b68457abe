"""A corpus measured: what the measures are given, and what is kept of them."""
