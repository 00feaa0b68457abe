"""HTTP on libcurl: one request and its answer, under guard."""
