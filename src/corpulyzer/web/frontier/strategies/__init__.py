"""What to fetch next: the strategies, one module each."""
