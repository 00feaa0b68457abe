"""How matches are found: words by their numbers in shards, patterns by a closer look at texts."""
