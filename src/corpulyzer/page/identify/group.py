"""The decision of a table on the paragraphs of a page: which language, how sure, and whether it fits at all.

The score of a short paragraph says little, so half of its neighbours' scores is added to it.

For best guesses (`Near`), whoever hears several witnesses knows the group that a text belongs to, and hardly
the member: the witnesses were made for hundreds of languages. So the chance of the group as a whole stays,
and is shared out among its members by the table that was made for telling them apart.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from corpulyzer.page.identify.scorer import MAX_WORDS, Scorer
from corpulyzer.page.identify.table import Floats, Scores, Table, load
from corpulyzer.page.identify.training.learn import UNITS_PER_NAT
from corpulyzer.records import UNDETERMINED

# A text with fewer gets a part of its neighbours' scores.
ENOUGH_CHARACTERS = 100
# The number of n-grams in the texts on which `usual` and `spread` were measured.
_MEASURED_GRAMS = 330
_NEIGHBOUR_WEIGHT = 0.5
# The first words decide where they give a confidence of `SURE`; that halves the cost.
_FIRST_WORDS = 16
SURE = 0.99
# The bonus, one nat, for the language that the first identifier gave.
_FIRST_UNITS = round(1.0 * UNITS_PER_NAT)
_LOST = -(1 << 40)
# A text whose fit is this many spreads below the usual is not in the language.
MISFIT_SPREADS = 3.0
_WELL = 2 / 3
# Of best guesses: more words change nothing but the cost.
GUESS_WORDS = 60


class Decision(NamedTuple):
    """The language that a table gives, how sure it is from 0 to 1, and whether the text is like it at all."""

    code: str
    confidence: float
    fits: bool


_NONE = Decision(UNDETERMINED, 0.0, False)


@dataclass(frozen=True, slots=True, eq=False)
class Decider:
    """Decisions by one table."""

    table: Table
    scorer: Scorer = field(init=False)
    _codes: tuple[str, ...] = field(init=False)
    _numbers: dict[str, int] = field(init=False, repr=False)
    _same: list[tuple[int, ...]] = field(init=False, repr=False)
    _fit_column: int = field(init=False, repr=False)
    _seldom_sure: frozenset[str] = field(init=False, repr=False)
    _usual: list[float] = field(init=False, repr=False)
    _allowed: list[float] = field(init=False, repr=False)
    _rules: tuple[Any, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "scorer", Scorer(self.table))
        object.__setattr__(self, "_codes", self.table.codes)
        numbers = {code: number for number, code in reversed(list(enumerate(self.table.codes)))}
        object.__setattr__(self, "_numbers", numbers)
        codes = list(enumerate(self.table.codes))
        same = [tuple(number for number, other in codes if other == code) for _, code in codes]
        object.__setattr__(self, "_same", same)
        object.__setattr__(self, "_fit_column", self.table.fit_column)
        object.__setattr__(self, "_seldom_sure", frozenset(self.table.notes.get("seldom_sure", ())))
        object.__setattr__(self, "_usual", self.table.usual.tolist())
        object.__setattr__(self, "_allowed", (MISFIT_SPREADS * self.table.spread).tolist())
        object.__setattr__(self, "_rules", self._for_compiled_code())

    def __call__(self, texts: Sequence[str], first: Sequence[str] = ()) -> list[Decision]:
        """A decision for each text; `first` are answers of the first identifier, which get a bonus."""
        words = [MAX_WORDS if code in self._seldom_sure else _FIRST_WORDS for code in first]
        words = words or [_FIRST_WORDS] * len(texts)
        if decisions := self.scorer.decisions:
            firsts = [self._numbers.get(code, -1) for code in first] or [-1] * len(texts)
            found = decisions(list(texts), words, firsts, *self._rules)
            return [Decision(self._codes[n], sure, fits) if n >= 0 else _NONE for n, sure, fits in found]
        return self._by_arrays(texts, first, words)

    def _by_arrays(self, texts: Sequence[str], first: Sequence[str], words: list[int]) -> list[Decision]:
        """The decisions without compiled code."""
        short = [number for number, text in enumerate(texts) if len(text) < ENOUGH_CHARACTERS]
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
            again = self._decided(scores, first, short, unsure)
            for number, decision in zip(unsure, again, strict=True):
                decisions[number] = decision
        return decisions

    def _decided(
        self, scores: Scores, first: Sequence[str], short: Sequence[int], wanted: Sequence[int] | None = None
    ) -> list[Decision]:
        """The decisions on all rows of scores, or on those wanted."""
        rows: list[list[int]] = scores.tolist()
        pooled = _pooled(rows, short)
        numbers = range(len(rows)) if wanted is None else wanted
        return [self._decision(pooled.get(n, rows[n]), rows[n], first[n] if first else "") for n in numbers]

    def _decision(self, pooled: list[int], own: list[int], first: str) -> Decision:
        """The decision on one row, in plain Python: faster than arrays where labels are few."""
        if not own[-1]:
            return _NONE
        table = self.table
        scores = pooled[: len(self._codes)]
        if first in self._numbers:
            scores[self._numbers[first]] += _FIRST_UNITS
        top = max(scores)
        best = scores.index(top)
        for same in self._same[best]:
            scores[same] = _LOST
        second = max(scores)
        # If the best label fits well, labels that the text does not fit are no rivals.
        well = self._fits(own, best, _WELL)
        while well and second > _LOST and not self._fits(own, rival := scores.index(second)):
            scores[rival] = _LOST
            second = max(scores)
        margin = (top - (second if second > _LOST else 0)) / math.sqrt(pooled[-1])
        confidence = 1 / (1 + math.exp(-max(-30.0, min(30.0, table.steepness * margin + table.shift))))
        return Decision(self._codes[best], confidence, well or self._fits(own, best))

    def _for_compiled_code(self) -> tuple[Any, ...]:
        """The table's numbers and our constants, in the order in which the C code takes them."""
        codes = np.array([self._numbers[code] for code in self._codes], np.int32)
        bounds = np.array(self._usual, np.float64), np.array(self._allowed, np.float64)
        shares = self.table.steepness, self.table.shift, SURE, _WELL
        counts = ENOUGH_CHARACTERS, _MEASURED_GRAMS, _FIRST_UNITS, _FIRST_WORDS, MAX_WORDS
        return codes, *bounds, (*shares, *counts)

    def _fits(self, own: list[int], number: int, share: float = 1.0) -> bool:
        """Whether a text fits a label: its fit is below the usual by at most `share` of what is allowed.

        A text with few n-grams is allowed more.
        """
        slack = share * math.sqrt(max(1.0, _MEASURED_GRAMS / own[-1]))
        return own[self._fit_column + number] / own[-1] >= self._usual[number] - self._allowed[number] * slack


def _pooled(rows: list[list[int]], short: Sequence[int]) -> dict[int, list[int]]:
    """The rows of short texts with half of their neighbours' scores added."""
    pooled = {}
    for number in short:
        own = rows[number]
        for neighbour in (number - 1, number + 1):
            if 0 <= neighbour < len(rows):
                pairs = zip(own, rows[neighbour], strict=True)
                own = [score + int(other * _NEIGHBOUR_WEIGHT) for score, other in pairs]
        pooled[number] = own
    return pooled


@dataclass(frozen=True)
class Near:
    """A group of look-alikes: its table, read when it is needed, and its members' places among all labels.

    `heard` is 0 where the witnesses know nothing of what parts the members, else 1.
    """

    file: Path
    places: npt.NDArray[np.int64]
    codes: tuple[str, ...] = field(repr=False)
    heard: float = 1.0

    def __call__(self, texts: Sequence[str]) -> Floats:
        """The log of each member's chance by the table alone: a row for each text."""
        scores = self._scorer(texts, [GUESS_WORDS] * len(texts)).astype(float)
        grams = np.sqrt(np.maximum(scores[:, -1:], 1.0))
        by_column = self._table.steepness * scores[:, : len(self._table.labels)] / grams
        best = [by_column[:, columns].max(axis=1) for columns in self._columns]
        return log_shares(np.stack(best, axis=1))

    @cached_property
    def _table(self) -> Table:
        return load(self.file)

    @cached_property
    def _scorer(self) -> Scorer:
        return Scorer(self._table)

    @cached_property
    def _columns(self) -> list[list[int]]:
        """The columns of each member; a language in several scripts has several."""
        return [[n for n, own in enumerate(self._table.codes) if own == code] for code in self.codes]


def groups_of(
    named: Mapping[str, Sequence[str]], labels: Sequence[str], folder: Path, unheard: Sequence[str] = ()
) -> list[Near]:
    """The groups of look-alikes by the names of their tables, with those of their codes that have a label."""
    found = []
    for name, codes in named.items():
        places = [number for number, label in enumerate(labels) if label.partition("-")[0] in codes]
        own = tuple(labels[place].partition("-")[0] for place in places)
        heard = 0.0 if name in unheard else 1.0
        found.append(Near(folder / f"{name}.table", np.array(places, np.int64), own, heard))
    return found


def shared_out(heard: Floats, beforehand: Floats, told: Floats, weights: Sequence[float]) -> Floats:
    """The evidence for the members of one group, in nats, with the group's as a whole kept.

    Between members, `heard` and what the table has `told` count by the two `weights`, and what is likely
    `beforehand` counts once.
    """
    anew = log_shares(weights[0] * (heard - beforehand) + weights[1] * told + beforehand)
    return np.asarray(anew + log_sum(heard))


def log_sum(scores: Floats) -> Floats:
    """The log of the sum of what is given as logs, by row."""
    most = scores.max(axis=-1, keepdims=True)
    return np.asarray(most + np.log(np.exp(scores - most).sum(axis=-1, keepdims=True)))


def log_shares(scores: Floats) -> Floats:
    """Scores in nats as logs of shares, which add up to one in each row."""
    return np.asarray(scores - log_sum(scores))
