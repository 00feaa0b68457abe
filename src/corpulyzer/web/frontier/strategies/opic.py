"""On-line page importance: a page hands its cash to the pages that it links to (OPIC, Nutch's default)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from corpulyzer.web.frontier import NO_QUOTA, Scores, Situation
from corpulyzer.web.frontier.tables import MICRO

if TYPE_CHECKING:
    from corpulyzer.web.frontier import Columns

SEED_CASH = 10**12
"""The cash of a seed: large enough that its shares are still whole numbers after many hops."""

_STEPS = range(1, 56)


@dataclass(frozen=True, slots=True)
class Opic:
    """Scores a URL by its cash: cells are powers of two, and within one the richest come first."""

    reads_maps: ClassVar[bool] = False
    key: ClassVar[str] = (
        "case "
        + " ".join(f"when cash < {1 << step} then {step}" for step in _STEPS)
        + f" else {_STEPS.stop} end"
    )
    order: ClassVar[tuple[str, ...]] = ("-cash",)

    def __call__(self, cells: Columns, past: Columns, now: Situation) -> Scores:
        import numpy as np

        free = np.full(len(cells["evidence"]), NO_QUOTA, np.int64)
        return Scores(cells["evidence"] * MICRO, free, free, free)
