"""What the words of a link say of the language behind it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import regex

from corpulyzer.language import Ranges
from corpulyzer.web.frontier.clues import OTHER, SCRIPT, TARGET, UNKNOWN

FEWEST_LETTERS = 12
"""With fewer letters a language can hardly be identified, the script can."""

_LETTERS = regex.compile(r"\p{L}")


@dataclass(frozen=True, slots=True)
class AnchorReader:
    """Tells of an anchor whether it is in a target language, in the script of one at least, or in another.

    `identify` gives the code of a text's language, or anything else where it is not sure; anchors with less
    than `fewest_letters` are not shown to it.
    """

    codes: frozenset[str]
    ranges: Ranges
    identify: Callable[[str], str] | None = None
    fewest_letters: int = FEWEST_LETTERS

    def __call__(self, anchor: str) -> int:
        letters = len(_LETTERS.findall(anchor))
        if not letters:
            return UNKNOWN
        if self.ranges and len(_within(self.ranges).findall(anchor)) * 2 < letters:
            return OTHER
        if self.identify is None or letters < self.fewest_letters:
            return SCRIPT
        found = self.identify(anchor)
        if found in self.codes:
            return TARGET
        return SCRIPT if found in ("", "und") else OTHER


@cache
def _within(ranges: Ranges) -> regex.Pattern[str]:
    """Finds the letters of a script, or of several."""
    spans = "".join(rf"\U{first:08X}-\U{last:08X}" for first, last in ranges)
    return regex.compile(rf"(?V1)[\p{{L}}&&[{spans}]]")
