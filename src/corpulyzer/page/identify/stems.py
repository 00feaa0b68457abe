"""Words that tell look-alikes apart, from lists made by hand: domain and topic do not change them.

An entry is a whole word, or the beginning of one with a star after it. It is looked for in the first run of
letters of a token.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from corpulyzer.page.identify.training.learn import UNITS_PER_NAT


@dataclass(frozen=True, slots=True, eq=False)
class Stems:
    """Weights of words by label; the longest entry that fits a word counts, a whole word first."""

    entries: Mapping[str, Sequence[int]]
    _words: dict[str, npt.NDArray[np.int32]] = field(init=False)
    _stems: dict[str, npt.NDArray[np.int32]] = field(init=False)
    _lengths: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        arrays = {entry: np.array(weights, np.int32) for entry, weights in self.entries.items()}
        stems = {entry[:-1]: each for entry, each in arrays.items() if entry.endswith("*")}
        object.__setattr__(self, "_words", {e: each for e, each in arrays.items() if not e.endswith("*")})
        object.__setattr__(self, "_stems", stems)
        object.__setattr__(self, "_lengths", tuple(sorted(set(map(len, stems)), reverse=True)))

    def add_to(self, scores: npt.NDArray[np.int32], words: Mapping[int, str], labels: int) -> None:
        """Add the weights of words, by number of token, to the first `labels` columns of their scores."""
        found = {number: weights for number, word in words.items() if (weights := self._of(word)) is not None}
        if found:
            scores[list(found), :labels] += np.stack(list(found.values()))

    def _of(self, word: str) -> npt.NDArray[np.int32] | None:
        if word in self._words:
            return self._words[word]
        # A length beyond the word's gives the word itself, which may be a stem as a whole.
        return next((self._stems[word[:n]] for n in self._lengths if word[:n] in self._stems), None)


def read_stems(file: Path, labels: Sequence[str], nats: float) -> dict[str, list[int]]:
    """The entries of a hand-made list, with a weight for each label that has the word.

    A line says whose the words are, and how many nats they are worth where it is not `nats`: `hrv 1.2: s te`.
    """
    stems: dict[str, list[int]] = {}
    for line in file.read_text("utf-8").splitlines():
        owners, _, words = line.partition(":")
        if line.startswith("#") or not words:
            continue
        *named, last = owners.split()
        graded = last[0] in "0123456789."
        weight = round((float(last) if graded else nats) * UNITS_PER_NAT)
        named += [] if graded else [last]
        own = [weight * (label in named or label.partition("-")[0] in named) for label in labels]
        for word in words.split():
            before = stems.get(word, [0] * len(labels))
            stems[word] = [max(pair) for pair in zip(before, own, strict=True)]
    return stems
