"""Samples that are the same each time: evenly spread over what there is."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random


def sampled(numbers: Sequence[int], most: int) -> list[int]:
    """At most `most` of the numbers, evenly spread, in an order whose every prefix is a sample too."""
    chosen = spread(numbers, most)
    Random(0).shuffle(chosen)
    return chosen


def spread(numbers: Sequence[int], most: int) -> list[int]:
    """At most `most` of the numbers, evenly spread.

    >>> spread([1, 2, 3, 4, 5, 6], 3)
    [1, 3, 5]
    """
    if len(numbers) <= most:
        return list(numbers)
    return [numbers[place * len(numbers) // most] for place in range(most)]
