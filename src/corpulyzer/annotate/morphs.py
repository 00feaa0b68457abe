"""Morphs: words cut by Morfessor, which learns from the corpus' own words and needs nothing else.

A model is a text file of words with their morphs, so it can be read, mended by hand and used again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import regex

from corpulyzer.annotate.morph_model import learned
from corpulyzer.errors import UserError
from corpulyzer.language import Language
from corpulyzer.records.annotation import Sentence, Token
from corpulyzer.text import tokens

MAX_TYPES = 20_000
LEAST_TYPES = 50
MOST_COUNTED = 2_000_000
_LETTERS = regex.compile(r"[\p{L}\p{M}'’\u200c\u200d-]+")


@dataclass(frozen=True, slots=True)
class Morphs:
    """Adds morphs to the words of sentences, out of the model at `model`."""

    model: str

    def load(self) -> None:
        """Load the model."""
        _loaded(self.model)

    def __call__(self, sentence: Sentence) -> Sentence:
        return replace(sentence, tokens=tuple(map(self._cut, sentence.tokens)))

    def _cut(self, token: Token) -> Token:
        if not _LETTERS.fullmatch(token.form):
            return token
        return replace(token, morphs=_segmented(self.model, token.form))


def count_words(texts: Iterable[str], language: Language, most: int = MOST_COUNTED) -> Counter[str]:
    """The counts of words in texts; those seen once are dropped whenever there are more than `most` words."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(word.lower() for word in tokens(text, language) if _LETTERS.fullmatch(word))
        if len(counts) > most:
            counts = Counter({word: count for word, count in counts.items() if count > 1})
    return counts


def train(counts: Counter[str], *, max_types: int = MAX_TYPES, seed: int = 0) -> str:
    """The text of a model: the most frequent words, each with the morphs that Morfessor's rule finds in it.

    Every word counts once: with its frequency, frequent words would be left whole.
    """
    ranked = sorted(counts, key=lambda word: (-counts[word], word))[:max_types]
    if len(ranked) < LEAST_TYPES:
        raise UserError(
            f"{len(ranked)} words are too few to learn morphs from.",
            "Use --morphs never, or a larger corpus.",
        )
    cut = learned(ranked, [1] * len(ranked), seed)
    return "".join(f"1 {' + '.join(cut(word))}\n" for word in ranked)


@lru_cache(maxsize=1)
def _loaded(path: str) -> tuple[Any, dict[str, str]]:
    """The model, for words that were not in its training, and the morphs of those that were."""
    import morfessor

    if not Path(path).is_file():
        raise UserError(f"There is no model of morphs at {path}.", "Run `corpulyzer annotate` to train one.")
    known, learned = {}, []
    for line in Path(path).read_text("utf-8").splitlines():
        morphs = line.partition(" ")[2].split(" + ")
        known["".join(morphs)] = " ".join(morphs)
        learned.append((1, tuple("".join(morphs)), tuple(tuple(morph) for morph in morphs)))
    model = morfessor.BaselineModel()
    model.load_segmentations(learned)
    return model, known


@lru_cache(maxsize=1 << 17)
def _segmented(path: str, form: str) -> str:
    """The morphs of a form, separated by spaces, in its own case; the model knows lower case only."""
    model, known = _loaded(path)
    small = form.lower()
    if len(small) != len(form):
        return form
    cut = known.get(small)
    sizes = map(len, cut.split(" ") if cut else model.viterbi_segment(tuple(small))[0])
    parts, at = [], 0
    for size in sizes:
        parts.append(form[at : at + size])
        at += size
    return " ".join(parts)
