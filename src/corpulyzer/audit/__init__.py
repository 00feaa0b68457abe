"""The audit: a sample for human eyes, their labels, and what these say of the whole corpus.

The protocol is that of Kreutzer et al. (2022), Quality at a Glance, extended by two flags.
"""
