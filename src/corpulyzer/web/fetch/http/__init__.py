"""HTTP on libcurl: one request and its answer, with the address guard at every connect."""
