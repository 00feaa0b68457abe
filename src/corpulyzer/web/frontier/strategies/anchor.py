"""The rules of the isiXhosa crawler: follow what target pages link to, and anchors that speak for a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from corpulyzer.web.frontier import NO_QUOTA, UNWANTED, Scores, Situation
from corpulyzer.web.frontier.tables import MICRO

if TYPE_CHECKING:
    from corpulyzer.web.frontier import Columns


@dataclass(frozen=True, slots=True)
class Anchor:
    """Scores a URL by its anchors: one for the target language, one for its name; seeds come first (XH-7).

    A link counts if its page has a sentence of the target language (any text, where sentences are not
    counted), or its anchor, however short, is in the language or names it (XH-6). URLs without such a link
    are never fetched. Within a priority the crawl is breadth-first.
    """

    reads_maps: ClassVar[bool] = False
    key: ClassVar[str] = (
        "case when seed = 1 then 1000 "
        "when from_target = 0 and anchors_target = 0 and anchors_named = 0 then -1 "
        "else case when anchors_target > 0 then 1 else 0 end "
        "+ case when anchors_named > 0 then 1 else 0 end end"
    )
    order: ClassVar[tuple[str, ...]] = ("hops", "round")

    def __call__(self, cells: Columns, past: Columns, now: Situation) -> Scores:
        import numpy as np

        priority = cells["evidence"]
        free = np.full(len(priority), NO_QUOTA, np.int64)
        return Scores(np.where(priority < 0, UNWANTED, priority * MICRO), free, free, free)
