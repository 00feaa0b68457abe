"""The decision of a table on the paragraphs of a page: which language, how sure, and whether it fits at all.

A short paragraph says little, so its neighbours that are in doubt with it have a say in it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from corpulyzer.identify.learn import UNITS_PER_NAT
from corpulyzer.identify.table import MAX_WORDS, Scorer, Scores, Table
from corpulyzer.record import UNDETERMINED

# With fewer, neighbours are asked.
ENOUGH_CHARACTERS = 100
# N-grams of the texts that the usual fit was measured on.
_MEASURED_GRAMS = 330
_NEIGHBOUR_WEIGHT = 0.5
# A few words are enough where they leave no doubt; that halves the cost.
_FIRST_WORDS = 16
SURE = 0.99
# The first identifier's answer counts as much as one telling word does by halves.
_FIRST_NATS = 1.0
# So many spreads below the usual, a text is not of the language.
MISFIT_SPREADS = 3.0


@dataclass(frozen=True, slots=True)
class Decision:
    """The language that a table gives, how sure it is from 0 to 1, and whether the text is like it at all."""

    code: str
    confidence: float
    fits: bool


@dataclass(frozen=True, slots=True, eq=False)
class Decider:
    """Decisions by one table."""

    table: Table
    scorer: Scorer = field(init=False)
    _codes: tuple[str, ...] = field(init=False)
    _numbers: dict[str, int] = field(init=False, repr=False)
    _seldom_sure: frozenset[str] = field(init=False, repr=False)
    _usual: list[float] = field(init=False, repr=False)
    _allowed: list[float] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "scorer", Scorer(self.table))
        object.__setattr__(self, "_codes", self.table.codes)
        numbers = {code: number for number, code in reversed(list(enumerate(self.table.codes)))}
        object.__setattr__(self, "_numbers", numbers)
        object.__setattr__(self, "_seldom_sure", frozenset(self.table.notes.get("seldom_sure", ())))
        object.__setattr__(self, "_usual", self.table.usual.tolist())
        object.__setattr__(self, "_allowed", (MISFIT_SPREADS * self.table.spread).tolist())

    def __call__(self, texts: Sequence[str], first: Sequence[str] = ()) -> list[Decision]:
        """A decision for each text; `first` are the answers that others gave, and count a little."""
        short = [number for number, text in enumerate(texts) if len(text) < ENOUGH_CHARACTERS]
        words = [MAX_WORDS if code in self._seldom_sure else _FIRST_WORDS for code in first]
        words = words or [_FIRST_WORDS] * len(texts)
        scores = self.scorer(texts, words)
        decisions = self._decided(scores, first, short)
        unsure = [
            number
            for number, each in enumerate(decisions)
            if words[number] < MAX_WORDS and (each.confidence < SURE or not each.fits)
        ]
        if unsure:
            rest = [texts[number] for number in unsure]
            scores[unsure] += self.scorer(rest, [MAX_WORDS] * len(rest), skip=_FIRST_WORDS)
            again = self._decided(scores, first, short)
            for number in unsure:
                decisions[number] = again[number]
        return decisions

    def _decided(self, scores: Scores, first: Sequence[str], short: Sequence[int]) -> list[Decision]:
        deciding = _pooled(scores, short)
        if first:
            self._lean(deciding, first)
        pairs = zip(deciding.tolist(), scores.tolist(), strict=True)
        return [self._decision(pooled, own) for pooled, own in pairs]

    def _lean(self, scores: Scores, first: Sequence[str]) -> None:
        for row, code in enumerate(first):
            if code in self._numbers:
                scores[row, self._numbers[code]] += round(_FIRST_NATS * UNITS_PER_NAT)

    def _decision(self, pooled: list[int], own: list[int]) -> Decision:
        """One row at a time in plain numbers: for a few labels that is quicker than arrays are."""
        table, codes = self.table, self._codes
        if not own[-1]:
            return Decision(UNDETERMINED, 0.0, False)
        scores = pooled[: len(codes)]
        top = max(scores)
        best = scores.index(top)
        code = codes[best]
        second = max((score for score, other in zip(scores, codes, strict=True) if other != code), default=0)
        margin = (top - second) / math.sqrt(pooled[-1])
        confidence = 1 / (1 + math.exp(-max(-30.0, min(30.0, table.steepness * margin + table.shift))))
        fit = own[table.fit_column + best] / own[-1]
        slack = math.sqrt(max(1.0, _MEASURED_GRAMS / own[-1]))
        return Decision(code, confidence, fit >= self._usual[best] - self._allowed[best] * slack)


def _pooled(scores: Scores, short: Sequence[int]) -> Scores:
    """Scores in which short texts have half of their neighbours' added."""
    pooled = scores.copy()
    for row in short:
        for neighbour in (row - 1, row + 1):
            if 0 <= neighbour < len(scores):
                pooled[row] += (scores[neighbour] * _NEIGHBOUR_WEIGHT).astype(np.int32)
    return pooled
