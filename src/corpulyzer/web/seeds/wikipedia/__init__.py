"""Seeds out of the language's Wikipedia."""
