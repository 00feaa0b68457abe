"""Work on a corpus that is asked for in the browser, each piece a process of its own."""
