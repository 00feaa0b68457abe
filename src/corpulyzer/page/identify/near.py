"""Look-alikes told apart for best guesses.

Whoever hears several witnesses knows the group that a text belongs to, and hardly the member: the witnesses
were made for hundreds of languages. So the chance of the group as a whole stays, and is shared out among its
members by the table that was made for telling them apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from corpulyzer.page.identify.scorer import Scorer
from corpulyzer.page.identify.table import Floats, Table, load

# More words change nothing but the cost.
MAX_WORDS = 60


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
        scores = self._scorer(texts, [MAX_WORDS] * len(texts)).astype(float)
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
