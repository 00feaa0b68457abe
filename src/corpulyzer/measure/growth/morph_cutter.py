"""Words cut into morphs without a dictionary, by Morfessor's rule, learned from the corpus itself (XH-21)."""

from __future__ import annotations

from collections import Counter
from functools import cache
from math import log2

from corpulyzer.annotate.morph_model import Cut, learned

MOST_TYPES = 10_000


def morph_cutter(words: Counter[str], seed: int, most: int = MOST_TYPES) -> Cut:
    """A function from a word to its morphs, learned from the most frequent words.

    Frequencies are taken by their logarithm, without which the model would keep all frequent words whole.
    """
    frequent = sorted(words.items(), key=lambda pair: (-pair[1], pair[0]))[:most]
    weights = [max(1, round(log2(count + 1))) for _, count in frequent]
    return cache(learned([word for word, _ in frequent], weights, seed))
