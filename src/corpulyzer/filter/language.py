"""Filters of how much of a page is in the target language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Le

from corpulyzer.record import KEEP, Page, Verdict, drop


@dataclass(frozen=True, slots=True)
class LanguageShare:
    """Keep a page of which at least `min_share` of the bytes are in the target language (CZ-27)."""

    min_share: Annotated[float, "Smallest share of target bytes in a page's text.", Ge(0), Le(1)] = 0.5

    def __call__(self, page: Page) -> Verdict:
        size = len(page.text.encode())
        share = page.target_bytes / size if size else 0.0
        return KEEP if share >= self.min_share else drop("language_share", found=share, wanted=self.min_share)


@dataclass(frozen=True, slots=True)
class Sentences:
    """Keep a page with more than `min_count` target sentences, or more than `min_share` of all (XH-4).

    The paper says "more than", its code "at least": `inclusive` follows the code.
    """

    min_count: Annotated[int, "Number of target sentences to exceed.", Ge(0)] = 5
    min_share: Annotated[float, "Share of target sentences to exceed.", Ge(0), Le(1)] = 0.4
    inclusive: Annotated[bool, "Reaching a number is enough, as in the authors' code."] = False

    def __call__(self, page: Page) -> Verdict:
        total, target = page.scores.get("sentences", 0.0), page.scores.get("target_sentences", 0.0)
        share = target / total if total else 0.0
        over = target > self.min_count or share > self.min_share
        reached = target >= self.min_count or share >= self.min_share
        if over or (self.inclusive and reached):
            return KEEP
        return drop(
            "sentences", found=target, share=share, wanted=self.min_count, wanted_share=self.min_share
        )
