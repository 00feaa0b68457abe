"""Filters by the look of a text: too short, broken encoding, too much punctuation (HR-9).

hrWaC gives no values for its three filters; these are ours, shown against a corpus' own quantiles in the
report.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import regex
from annotated_types import Ge, Le

from corpulyzer.native.scan import broken
from corpulyzer.records import KEEP, Page, Verdict, drop
from corpulyzer.text.census import census

# UTF-8 read as windows-1252 or Latin-1: a lead byte of two-byte (Latin, Greek, Cyrillic, Arabic, Hebrew …) or
# three-byte sequences, then what a continuation byte looks like there.
_CONTINUATION = r"[\x80-\xBF€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]"
_MOJIBAKE = regex.compile(rf"�|[ÂÃÄÅÆÎÏÐÑ×ØÙÚÛÜ]{_CONTINUATION}|[àáâã]{_CONTINUATION}{{2}}|[\x80-\x9F]")
_MOST_BROKEN = 3


def broken_characters(text: str) -> int:
    """Characters that a wrong decoding left: U+FFFD, C1 controls, and UTF-8 read as Latin.

    >>> broken_characters("cafÃ© \ufffd caf\u00e9")
    3
    """
    if not census(text).suspects:
        return 0
    return broken(text) if broken else broken_by_pattern(text)


def broken_by_pattern(text: str) -> int:
    """The same without compiled code, in ten times the time."""
    return sum(len(found) for found in _MOJIBAKE.findall(text))


@dataclass(frozen=True, slots=True)
class Length:
    """Keep a text of at least `min_words` words; where a script writes no spaces, runs between them count."""

    words = "long enough"

    min_words: Annotated[int, "Fewest words that a text must have.", Ge(0)] = 60

    def __call__(self, page: Page) -> Verdict:
        words = census(page.text).words
        return KEEP if words >= self.min_words else drop("length", found=words, wanted=self.min_words)


@dataclass(frozen=True, slots=True)
class Encoding:
    """Keep a text in which less than `max_share` of the visible characters come from a wrong decoding."""

    words = "not garbled"

    max_share: Annotated[float, "Largest share of broken characters.", Ge(0), Le(1)] = 0.01

    def __call__(self, page: Page) -> Verdict:
        counted = census(page.text)
        # A suspect stands for at most three broken characters: this bound settles most texts without a count.
        if _MOST_BROKEN * counted.suspects < self.max_share * counted.visible:
            return KEEP
        share = broken_characters(page.text) / counted.visible if counted.visible else 0.0
        return KEEP if share < self.max_share else drop("encoding", found=share, wanted=self.max_share)


@dataclass(frozen=True, slots=True)
class Punctuation:
    """Keep a text in which at most `max_share` of the visible characters are punctuation or symbols."""

    words = "not all punctuation"

    max_share: Annotated[float, "Largest share of punctuation and symbols.", Ge(0), Le(1)] = 0.25

    def __call__(self, page: Page) -> Verdict:
        counted = census(page.text)
        share = counted.punctuation / counted.visible if counted.visible else 0.0
        return KEEP if share <= self.max_share else drop("punctuation", found=share, wanted=self.max_share)
