"""Drop pages that hold too little of the target language.

Corpulyzer (2021), Eq. 2: keep the fewest pages that still carry 95 % of the bytes (CZ-6).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge

from corpulyzer.record import KEEP, Page, Verdict, drop

CANDIDATES = (32, 64, 128, 256, 512)


def choose_threshold(sizes: Sequence[int], candidates: Sequence[int] = CANDIDATES, keep: float = 0.95) -> int:
    """The largest candidate that loses at most `1 - keep` of all bytes; 0 where each loses more.

    >>> choose_threshold([10, 40, 300, 3000])
    256
    """
    enough = keep * sum(sizes)
    return max((t for t in candidates if sum(s for s in sizes if s >= t) >= enough), default=0)


@dataclass(frozen=True, slots=True)
class ContentSize:
    """Keep a page that has at least `min_bytes` of target text."""

    min_bytes: Annotated[int, "Fewest UTF-8 bytes of target text that a page must have.", Ge(0)] = 256

    def __call__(self, page: Page) -> Verdict:
        if page.target_bytes >= self.min_bytes:
            return KEEP
        return drop("content_size", found=page.target_bytes, wanted=self.min_bytes)
