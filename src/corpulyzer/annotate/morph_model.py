"""Words cut into morphs by what is learned from words alone: Morfessor's baseline (Creutz & Lagus 2002).

The same is learned by compiled code, forty times as fast, and by the library, where nothing was compiled.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from corpulyzer.native import compiled

MAX_LETTERS = 200
"""Longer words are no words, and their cost would grow with the square of their letters."""
LEAST_GAIN = 0.005
"""Learning ends when going through all words has saved less than this, in nats by word."""

Cut = Callable[[str], Sequence[str]]
"""From a word to its morphs."""


def learned(words: Sequence[str], counts: Sequence[int], seed: int) -> Cut:
    """What cuts words, learned from different words with how much each counts."""
    pairs = [(word, count) for word, count in zip(words, counts, strict=True) if 0 < len(word) <= MAX_LETTERS]
    if not pairs:
        return lambda word: (word,)
    learn = learned_by_library if compiled is None else _learned_compiled
    return learn([word for word, _ in pairs], [count for _, count in pairs], seed)


def _learned_compiled(words: list[str], counts: list[int], seed: int) -> Cut:
    assert compiled is not None
    model = compiled.Morphs(words, counts)
    order, shuffle = list(range(len(words))), random.Random(seed).shuffle
    shuffle(order)
    before = model.improve(order)
    while True:
        shuffle(order)
        now = model.improve(order)
        if now >= before - LEAST_GAIN * sum(counts):
            cut: Cut = model.segment
            return cut
        before = now


def learned_by_library(words: list[str], counts: list[int], seed: int) -> Cut:
    """The same by Morfessor itself."""
    import morfessor

    morfessor.utils.show_progress_bar = False
    model = morfessor.BaselineModel()
    model.load_data([(count, tuple(word)) for word, count in zip(words, counts, strict=True)])
    state = random.getstate()
    random.seed(seed)  # Morfessor shuffles with the global generator
    try:
        model.train_batch(finish_threshold=LEAST_GAIN)
    finally:
        random.setstate(state)
    return lambda word: ["".join(morph) for morph in model.viterbi_segment(tuple(word))[0]]
