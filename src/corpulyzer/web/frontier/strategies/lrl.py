"""Mean target bytes of a site's pages: Corpulyzer (2021), Eq. 3 and Algorithm 1 (CZ-7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from corpulyzer.web.frontier import NO_QUOTA, Scores, Situation
from corpulyzer.web.frontier.tables import MICRO

if TYPE_CHECKING:
    import numpy as np

    from corpulyzer.web.frontier import Columns, Ints

MOST_BYTES = 1 << 40


@dataclass(frozen=True, slots=True)
class Lrl:
    """Scores every URL by the mean target bytes of the pages fetched from its site, empty ones included.

    Only pages count: a failed fetch neither adds bytes nor lowers the mean. A site of which nothing but
    failures is known scores 0. For sites that were never tried the paper gives no value. `unseen` chooses
    one: the mean of all pages, nothing, more than any site has, which visits new sites first, or half of the
    target bytes of the best page that links there (0 for seeds to which no page links).
    """

    unseen: Annotated[
        Literal["mean", "zero", "first", "referrer"],
        "Score of sites that were never tried: mean, zero, first, or half of the best page's linking there.",
    ] = "mean"
    reads_maps: ClassVar[bool] = False
    key: ClassVar[str] = "0"
    order: ClassVar[tuple[str, ...]] = ("hops", "round")

    def __call__(self, cells: Columns, past: Columns, now: Situation) -> Scores:
        import numpy as np

        sites, where = np.unique(np.concatenate((past["site_id"], cells["site_id"])), return_inverse=True)
        before, here = np.split(where, [len(past["site_id"])])
        pages, failed, target = (
            _by_site(np.add, before, past[name], len(sites)) for name in ("pages", "errors", "target_bytes")
        )
        score = target * MICRO // np.maximum(pages, 1)
        unseen = (pages == 0) & (failed == 0)
        if self.unseen == "first":
            score[unseen] = MOST_BYTES * MICRO
        elif self.unseen == "mean":
            score[unseen] = int(target.sum()) * MICRO // max(int(pages.sum()), 1)
        elif self.unseen == "referrer":
            best = _by_site(np.maximum, here, cells["referrer_bytes"], len(sites))
            score[unseen] = best[unseen] * MICRO // 2
        free = np.full(len(here), NO_QUOTA, np.int64)
        return Scores(score[here], free, free, free)


def _by_site(combine: np.ufunc, sites: Ints, values: Ints, count: int) -> Ints:
    """For each of `count` sites its values combined; 0 for sites that have none."""
    import numpy as np

    result = np.zeros(count, np.int64)
    combine.at(result, sites, values)
    return result
