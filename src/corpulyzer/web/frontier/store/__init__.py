"""How a frontier is kept: a front on which rounds work, and what stands behind it."""
