"""Drop pages that hold too little of the target language.

Corpulyzer (2021), Eq. 2: keep the fewest pages that still carry 95 % of the bytes (CZ-6).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from annotated_types import Ge

from corpulyzer.records import KEEP, Page, Verdict, drop

CANDIDATES = (32, 64, 128, 256, 512)
KEEP_SHARE = 0.95


def largest_keeping(kept: Mapping[int, float], total: float, keep: float = KEEP_SHARE) -> int:
    """The largest threshold of which the bytes kept are at least `keep` of the total (CZ-6).

    >>> largest_keeping({128: 601.64, 256: 586.41, 512: 572.0}, 607.0)
    256
    """
    return max((threshold for threshold, size in kept.items() if size >= keep * total), default=0)


@dataclass(frozen=True, slots=True)
class ContentSize:
    """Keep a page that has at least `min_bytes` of target text, in UTF-8 bytes or in characters.

    A byte is not a character: Urdu takes two bytes a letter, isiXhosa one, Hindi three. Counted in
    characters, one threshold means the same in every script.
    """

    words = "enough of the language"

    min_bytes: Annotated[int, "Least target text that a page must have, in `unit`s.", Ge(0)] = 256
    unit: Annotated[Literal["bytes", "characters"], "What `min_bytes` counts."] = "bytes"

    def __call__(self, page: Page) -> Verdict:
        found = page.target_bytes if self.unit == "bytes" else page.target_characters
        return KEEP if found >= self.min_bytes else drop("content_size", found=found, wanted=self.min_bytes)
