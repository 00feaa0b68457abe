"""Words that tell look-alikes apart, from lists made by hand: domain and topic do not change them.

An entry is a whole word, or the beginning of one with a star after it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

# What stands around words, in any script.
_AROUND = "\"'.,;:!?()[]«»„“”‘’‚…-–—/*،؛؟۔"
_KEY = 3


@dataclass(frozen=True, slots=True, eq=False)
class Stems:
    """Weights of words by label; the longest entry that fits a word counts, a whole word first."""

    entries: Mapping[str, Sequence[int]]
    _words: dict[str, npt.NDArray[np.int32]] = field(init=False)
    _stems: dict[str, npt.NDArray[np.int32]] = field(init=False)
    _lengths: dict[str, tuple[int, ...]] = field(init=False)

    def __post_init__(self) -> None:
        arrays = {entry: np.array(weights, np.int32) for entry, weights in self.entries.items()}
        stems = {entry[:-1]: each for entry, each in arrays.items() if entry.endswith("*")}
        lengths: dict[str, set[int]] = {}
        for stem in stems:
            lengths.setdefault(stem[:_KEY], set()).add(len(stem))
        object.__setattr__(self, "_words", {e: each for e, each in arrays.items() if not e.endswith("*")})
        object.__setattr__(self, "_stems", stems)
        object.__setattr__(
            self, "_lengths", {key: tuple(sorted(each, reverse=True)) for key, each in lengths.items()}
        )

    def add_to(self, scores: npt.NDArray[np.int32], tokens: Sequence[str], labels: int) -> None:
        """Add the weights of the tokens' words to their scores, in the first `labels` columns."""
        words, stems, lengths = self._words, self._stems, self._lengths
        numbers, found = [], []
        for number, token in enumerate(tokens):
            word = token.lower().strip(_AROUND)
            if word in words:
                numbers.append(number)
                found.append(words[word])
                continue
            for length in lengths.get(word[:_KEY], ()):
                if word[:length] in stems:
                    numbers.append(number)
                    found.append(stems[word[:length]])
                    break
        if found:
            scores[numbers, :labels] += np.stack(found)


def read_stems(file: Path, labels: Sequence[str], weight: int) -> dict[str, list[int]]:
    """The entries of a hand-made list, with a weight for each label that has the word."""
    stems: dict[str, list[int]] = {}
    for line in file.read_text("utf-8").splitlines():
        owners, _, words = line.partition(":")
        if line.startswith("#") or not words:
            continue
        named = set(owners.split())
        own = [weight * bool(named & {label, label.partition("-")[0]}) for label in labels]
        for word in words.split():
            before = stems.get(word, [0] * len(labels))
            stems[word] = [max(pair) for pair in zip(before, own, strict=True)]
    return stems
