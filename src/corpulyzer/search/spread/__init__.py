"""Where the matches of a query are: by site, time, license, topic, and place in the corpus."""
