"""The positional index: streams of values as numbers, in files that are memory-mapped and never change."""
