"""The crawl: rounds of inject, generate, fetch, parse and update."""
