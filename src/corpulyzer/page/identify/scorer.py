"""The scores of texts by a table: in compiled code, or else word by word, with a memory of the words seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np

from corpulyzer.native import compiled
from corpulyzer.page.identify.ngrams import lower_letters, tokens_of
from corpulyzer.page.identify.table import Scores, Table

# A paragraph is judged by its first words; more of them change nothing but the cost.
MAX_WORDS = 400
_REMEMBERED_CELLS = 1 << 21


@dataclass(slots=True)
class Scorer:
    """Scores of texts by one table."""

    table: Table
    _compiled: Any = field(init=False, repr=False)
    _words: WordMemory = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._compiled = _compiled(self.table)
        self._words = WordMemory(self.table)

    def __call__(self, texts: Sequence[str], words: Sequence[int] = (), skip: int = 0) -> Scores:
        """For each text its score in every column, and in the last the number of its n-grams.

        `words` says how many words of each text count, from the first that is not to be skipped.
        """
        limits = list(words) or [MAX_WORDS] * len(texts)
        if self._compiled is None:
            return self._words(texts, limits, skip)
        scores = self._compiled.scores(list(texts), limits, skip)
        return np.frombuffer(scores, np.int32).reshape(-1, self.table.weights.shape[1] + 1)

    @property
    def decisions(self) -> Any:
        """The C function that decides as `Decider` does in Python; None where it was not compiled."""
        return getattr(self._compiled, "decisions", None)

    def forget(self) -> None:
        """Drop every word that is remembered."""
        self._words.forget()


def _compiled(table: Table) -> Any:
    """The C object that scores texts; None where it was not compiled."""
    if compiled is None:
        return None
    stems = [(e.rstrip("*"), not e.endswith("*"), tuple(each)) for e, each in table.stems.items()]
    shape = int(table.weights.shape[1]), len(table.labels)
    return compiled.Scores(lower_letters(), table.packed, *shape, tuple(table.orders), table.bits, stems)


@dataclass(slots=True)
class WordMemory:
    """Scores of texts by one table without compiled code: what a word scores is remembered."""

    table: Table
    _rows: dict[str, int] = field(default_factory=dict)
    _memory: Scores = field(default_factory=lambda: np.zeros((0, 0), np.int32))
    _capacity: int = 0

    def __post_init__(self) -> None:
        self._capacity = max(1024, _REMEMBERED_CELLS // (self.table.weights.shape[1] + 1))
        self.forget()

    def __call__(self, texts: Sequence[str], limits: Sequence[int], skip: int = 0) -> Scores:
        """For each text its score in every column, and in the last the number of its n-grams."""
        tokens = [tokens_of(text, limit)[skip:] for text, limit in zip(texts, limits, strict=True)]
        flat = list(chain.from_iterable(tokens))
        if not flat:
            return np.zeros((len(texts), self._memory.shape[1]), np.int32)
        if len(self._rows) + len(flat) > self._capacity:
            self.forget()
        known = list(map(self._rows.get, flat))
        if None in known:
            self._learn([token for token in dict.fromkeys(flat) if token not in self._rows])
            known = list(map(self._rows.get, flat))
        numbers = np.array(known, np.int64)
        return _sums(self._memory.take(numbers, axis=0), [len(each) for each in tokens])

    def _learn(self, tokens: list[str]) -> None:
        start, stop = len(self._rows), len(self._rows) + len(tokens)
        if stop > len(self._memory):
            more = np.zeros(
                (max(stop - len(self._memory), len(self._memory)), self._memory.shape[1]), np.int32
            )
            self._memory = np.concatenate([self._memory, more])
        self._memory[start:stop] = self.table.score_tokens(tokens)
        self._rows.update(zip(tokens, range(start, stop), strict=True))

    def forget(self) -> None:
        """Drop every word that is remembered."""
        self._rows = {}
        self._memory = np.zeros((512, self.table.weights.shape[1] + 1), np.int32)


def _sums(rows: Scores, lengths: Sequence[int]) -> Scores:
    """The sums of successive stretches of rows."""
    if len(lengths) == 1:
        return np.add.reduce(rows, axis=0, keepdims=True)
    sizes = np.asarray(lengths, np.int64)
    sums = np.zeros((len(sizes), rows.shape[1]), np.int32)
    some = np.flatnonzero(sizes)
    if len(some):
        starts = (np.cumsum(sizes) - sizes)[some]
        sums[some] = np.add.reduceat(rows, starts, axis=0)
    return sums
