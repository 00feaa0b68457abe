"""Spearman's rank correlation, ties with the mean of their ranks."""

from __future__ import annotations

import math
from collections.abc import Sequence


def mean_ranks(values: Sequence[float]) -> list[float]:
    """The rank of each value from 1, equal ones with the mean of their ranks.

    >>> mean_ranks([10, 30, 10, 20])
    [1.5, 4.0, 1.5, 3.0]
    """
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0.0] * len(values)
    start = 0
    while start < len(order):
        stop = start
        while stop < len(order) and values[order[stop]] == values[order[start]]:
            stop += 1
        for place in order[start:stop]:
            ranks[place] = (start + stop + 1) / 2
        start = stop
    return ranks


def spearman(x: Sequence[float], y: Sequence[float]) -> float | None:
    """The rank correlation of two lists; None where there are fewer than two values or only ties.

    >>> spearman([1, 2, 3], [10, 20, 40]), spearman([1, 2, 3], [3, 2, 1]), spearman([1], [1])
    (1.0, -1.0, None)
    """
    if len(x) != len(y):
        raise ValueError(f"{len(x)} values cannot be compared with {len(y)}")
    if len(x) < 2:
        return None
    a, b = mean_ranks(x), mean_ranks(y)
    middle = (len(x) + 1) / 2
    both = math.fsum((i - middle) * (j - middle) for i, j in zip(a, b, strict=True))
    spread = math.fsum((i - middle) ** 2 for i in a) * math.fsum((j - middle) ** 2 for j in b)
    return both / math.sqrt(spread) if spread else None
