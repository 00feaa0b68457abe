"""A crawl by several fetchers: each holds a share of the sites for a while, and seals what it fetched."""
