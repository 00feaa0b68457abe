"""Mean target bytes of a site's pages: Corpulyzer (2021), Eq. 3 and Algorithm 1 (CZ-7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import numpy as np

from corpulyzer.web.frontier import NO_QUOTA, Scores, Situation
from corpulyzer.web.frontier.tables import MICRO

if TYPE_CHECKING:
    from corpulyzer.web.frontier import Columns

MOST_BYTES = 1 << 40


@dataclass(frozen=True, slots=True)
class Lrl:
    """Scores every URL by the mean target bytes of the pages fetched from its site, empty ones included.

    A page that failed counts as empty. For sites without a page the paper gives no value. `unseen` chooses
    one: the mean of all pages, nothing, or more than any site has, which visits new sites first.
    """

    unseen: Annotated[
        Literal["mean", "zero", "first"], "Score of sites without a fetched page: mean, zero or first."
    ] = "mean"
    reads_maps: ClassVar[bool] = False
    key: ClassVar[str] = "0"
    order: ClassVar[str] = "hops asc nulls last, round asc nulls last"

    def __call__(self, cells: Columns, past: Columns, now: Situation) -> Scores:
        sites, where = np.unique(np.concatenate((past["site_id"], cells["site_id"])), return_inverse=True)
        pages, target = np.zeros(len(sites), np.int64), np.zeros(len(sites), np.int64)
        np.add.at(pages, where[: len(past["site_id"])], past["pages"] + past["errors"])
        np.add.at(target, where[: len(past["site_id"])], past["target_bytes"])
        mean = target * MICRO // np.maximum(pages, 1)
        score = np.where(pages > 0, mean, self._of_unseen(int(pages.sum()), int(target.sum())))
        free = np.full(len(cells["site_id"]), NO_QUOTA, np.int64)
        return Scores(score[where[len(past["site_id"]) :]], free, free, free)

    def _of_unseen(self, pages: int, target: int) -> int:
        if self.unseen == "first":
            return MOST_BYTES * MICRO
        return target * MICRO // max(pages, 1) if self.unseen == "mean" else 0
