"""Words cut into morphs without a dictionary, by Morfessor, trained on the corpus itself (XH-21)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from math import log2

MOST_TYPES = 10_000


def morph_cutter(words: Counter[str], seed: int, most: int = MOST_TYPES) -> Callable[[str], tuple[str, ...]]:
    """A function from a word to its morphs, learned from the most frequent words.

    Frequencies are taken by their logarithm, without which the model would keep all frequent words whole.
    """
    import logging
    import random

    import morfessor

    logging.getLogger("morfessor").setLevel(logging.ERROR)
    morfessor.utils.show_progress_bar = False
    frequent = sorted(words.items(), key=lambda pair: (-pair[1], pair[0]))[:most]
    model = morfessor.BaselineModel()
    model.load_data([(max(1, round(log2(count + 1))), word) for word, count in frequent])
    state = random.getstate()
    random.seed(seed)  # Morfessor shuffles with the global generator
    try:
        if frequent:
            model.train_batch()
    finally:
        random.setstate(state)

    @cache
    def cut(word: str) -> tuple[str, ...]:
        return tuple(model.viterbi_segment(word)[0]) if frequent else (word,)

    return cut
