"""Samples that are the same each time: evenly spread over what there is."""

from __future__ import annotations

from collections.abc import Sequence


def sampled(numbers: Sequence[int], most: int) -> list[int]:
    """At most `most` of the numbers, evenly spread, in an order whose every prefix is a sample too."""
    import numpy as np

    chosen = spread(numbers, most)
    return [chosen[place] for place in np.random.default_rng(0).permutation(len(chosen)).tolist()]


def spread(numbers: Sequence[int], most: int) -> list[int]:
    """At most `most` of the numbers, evenly spread.

    >>> spread([1, 2, 3, 4, 5, 6], 3)
    [1, 3, 5]
    """
    if len(numbers) <= most:
        return list(numbers)
    return [numbers[place * len(numbers) // most] for place in range(most)]
