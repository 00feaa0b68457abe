"""The desk: the corpora of a folder, and the beginning of a new one."""
