"""How a crawl went, and what Common Crawl has."""
