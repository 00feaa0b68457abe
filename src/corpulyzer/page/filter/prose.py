"""Filters by how a text is made: how often it repeats itself, and how much of it stands in sentences.

After FineWeb2 (Penedo et al. 2025), which sets such thresholds for each language where its own documents
stand. Neither is in use by default; `corpulyzer calibrate` learns them for the languages of a corpus.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import regex
from annotated_types import Ge, Le

from corpulyzer.records import KEEP, Page, Verdict, drop
from corpulyzer.text import tokens

RUN = 5
"""Words in a row that count as said before when they were."""
_ENDS_AS_SENTENCE = regex.compile(r"[\p{Sentence_Terminal}།༎…][\p{Pe}\p{Pf}\p{Pi}\"'\s]*$")


def repeated_runs(words: Sequence[str]) -> tuple[int, int]:
    """How many runs of five words the text has said before, and how many runs it has.

    >>> repeated_runs("a b c d e a b c d e".split())
    (1, 6)
    """
    runs = list(zip(*(words[start:] for start in range(RUN)), strict=False))
    return len(runs) - len(set(runs)), len(runs)


def repetition(text: str) -> float:
    """The share of its runs of five words that a text has said before."""
    repeated, runs = repeated_runs(tokens(text))
    return repeated / runs if runs else 0.0


def prose(text: str) -> float:
    """The share of a text that stands in paragraphs which end as sentences do, in any script.

    >>> prose("Menu\\nHe said so.")
    0.7333333333333333
    """
    lines = text.split("\n")
    size = sum(map(len, lines))
    return sum(len(line) for line in lines if _ENDS_AS_SENTENCE.search(line)) / size if size else 0.0


@dataclass(frozen=True, slots=True)
class Repetition:
    """Keep a text that has said at most `max_share` of its runs of five words before."""

    words = "not repetitive"

    max_share: Annotated[
        float, "Largest share of runs of five words that were said before.", Ge(0), Le(1)
    ] = 0.3

    def __call__(self, page: Page) -> Verdict:
        share = repetition(page.text)
        return KEEP if share <= self.max_share else drop("repetition", found=share, wanted=self.max_share)


@dataclass(frozen=True, slots=True)
class Prose:
    """Keep a text of which at least `min_share` stands in paragraphs that end as sentences do.

    Menus, lists and rows of names do not; a script that has no mark for the end of a sentence has no prose
    in this sense, and wants 0.
    """

    words = "mostly prose"

    min_share: Annotated[float, "Smallest share in paragraphs that end as sentences do.", Ge(0), Le(1)] = 0.1

    def __call__(self, page: Page) -> Verdict:
        share = prose(page.text)
        return KEEP if share >= self.min_share else drop("prose", found=share, wanted=self.min_share)
