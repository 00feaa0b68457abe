"""What tries the system out: gold sets, experiments, the built-in web."""
