"""Two words beside each other: the company that both keep, and that only one does."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import nsmallest
from typing import TYPE_CHECKING, Literal

from corpulyzer.search.measures import WINDOW, log_dices

if TYPE_CHECKING:
    from corpulyzer.search.index import Index
    from corpulyzer.search.matches import Found

MOST = 100
APART = 2.0
"""From this difference of logDice on, a word belongs to one of the two: it is about four times as strong."""
Belongs = Literal["first", "both", "second"]


@dataclass(frozen=True, slots=True)
class Contrast:
    """A collocate of two words: how often it stands near each, and logDice with each; 0 where it never does.

    `difference` is positive where it belongs to the first.
    """

    word: str
    first_together: int
    second_together: int
    first_log_dice: float
    second_log_dice: float
    difference: float

    @property
    def belongs(self) -> Belongs:
        if abs(self.difference) < APART:
            return "both"
        return "first" if self.difference > 0 else "second"


def contrast(
    index: Index, first: Found, second: Found, window: int = WINDOW, most: int = MOST
) -> list[Contrast]:
    """The strongest collocates of either word, from those of the first to those of the second."""
    ones, others = (log_dices(index, each, window) for each in (first, second))
    none = (0, 0.0)
    strengths = (
        (-max(ones.get(word, none)[1], others.get(word, none)[1]), word) for word in {*ones, *others}
    )
    rows = [_of(word, ones.get(word), others.get(word)) for _, word in nsmallest(most, strengths)]
    return sorted(rows, key=lambda row: (-row.difference, row.word))


def _of(word: str, one: tuple[int, float] | None, other: tuple[int, float] | None) -> Contrast:
    near_one, first = one or (0, 0.0)
    near_other, second = other or (0, 0.0)
    first, second = max(0.0, first), max(0.0, second)
    return Contrast(word, near_one, near_other, first, second, first - second)
