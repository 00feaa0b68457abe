"""What to fetch next: every URL ever seen, what speaks for it, and strategies that rank them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Columns = Mapping[str, Ints]


@dataclass(frozen=True, slots=True)
class Situation:
    """What a scorer may know beside the cells: the round, and the share of the budget that is spent."""

    round: int = 1
    spent: float = 0.0


@dataclass(frozen=True, slots=True)
class Scores:
    """For each cell its score in millionths, and how many URLs a round may take of it, its site and a stem.

    A score below zero is allowed; UNWANTED stands for cells that are not to be fetched at all.
    """

    score: Ints
    quota: Ints
    site_quota: Ints
    stem_quota: Ints


UNWANTED = -(1 << 62)
NO_QUOTA = 1 << 40


class Scorer(Protocol):
    """A strategy. URLs of one pattern that have the same `key` form a cell, and cells are what it scores.

    `key` is SQL over the columns of the frontier that gives an integer. `order` has the columns by which
    URLs with equal scores are chosen, the lowest first, or the highest after a minus; the id comes last by
    itself.
    """

    @property
    def reads_maps(self) -> bool:
        """Whether it wants sitemaps and feeds among its cells."""
        ...

    @property
    def key(self) -> str: ...

    @property
    def order(self) -> tuple[str, ...]: ...

    def __call__(self, cells: Columns, past: Columns, now: Situation) -> Scores:
        """The scores of cells, given the sums of what was fetched before.

        `cells` has prefix_id, section_id, site_id, evidence, supply, lists (1 for lists of pages), held (1
        for what is held back under every strategy), and referrer_bytes, the target bytes of the best page
        that links to one of its URLs; `past` the columns of `tables.Cell`.
        """
        ...
