"""Words by the company they keep: sketches, contrasts, and words of similar company."""
