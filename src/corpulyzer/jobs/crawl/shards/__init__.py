"""The fetching of a round by several fetchers at once, on this machine or on a cluster."""
