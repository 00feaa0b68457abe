"""Gold sets, and how well the stages do on them."""
