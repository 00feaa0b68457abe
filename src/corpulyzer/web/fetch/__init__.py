"""How a page is fetched: politely, under guard, and with everything that happened kept in an archive."""
