"""How a page is fetched: politely, from public addresses, with every attempt recorded in an archive."""
