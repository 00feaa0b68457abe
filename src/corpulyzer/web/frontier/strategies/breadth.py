"""Breadth first: what is nearest to the seeds, whatever it is (HR-3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from corpulyzer.web.frontier import NO_QUOTA, Scores, Situation
from corpulyzer.web.frontier.tables import MICRO

if TYPE_CHECKING:
    from corpulyzer.web.frontier import Columns


@dataclass(frozen=True, slots=True)
class Breadth:
    """Scores a URL by its distance from the seeds; among equals the one seen first."""

    reads_maps: ClassVar[bool] = False
    key: ClassVar[str] = "hops"
    order: ClassVar[tuple[str, ...]] = ("round",)

    def __call__(self, cells: Columns, past: Columns, now: Situation) -> Scores:
        import numpy as np

        free = np.full(len(cells["evidence"]), NO_QUOTA, np.int64)
        return Scores(-cells["evidence"] * MICRO, free, free, free)
