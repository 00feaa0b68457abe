"""Filters by how much of a page is in the target language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from annotated_types import Ge, Le

from corpulyzer.records import KEEP, Page, Verdict, drop
from corpulyzer.records.targets import Targets

Rank = Literal["any", "first", "only"]


def listed(target: str, languages: Sequence[str], rank: Rank = "any") -> bool:
    """Whether a page is taken whose index row lists these languages, the main one first (CZ-3).

    Common Crawl lists up to three. The paper takes a page that lists the target anywhere, whatever its rank.

    >>> listed("urd", ["eng", "urd"]), listed("urd", ["eng", "urd"], "first"), listed("urd", ["urd"], "only")
    (True, False, True)
    """
    if rank == "any":
        return target in languages
    return list(languages[:1] if rank == "first" else languages) == [target]


@dataclass(frozen=True, slots=True)
class MainLanguage:
    """Keep a page whose main language is the target, with a confidence above `min_confidence` (C4-21).

    The confidence of a page is that of its paragraphs in the main language, weighted by their bytes; the
    bytes of all others count as 0. A page with less is in an unknown language (`unk`).
    """

    words = "mainly in the language"

    min_confidence: Annotated[float, "Confidence that a page's main language must exceed.", Ge(0), Le(1)] = (
        0.0
    )

    def __call__(self, page: Page) -> Verdict:
        main = leading_language(page.languages)
        if page.target_bytes < page.languages.get(main, 1):
            before = page.labels.get("language_before", main)
            return drop("main_language", before, target_bytes=page.target_bytes)
        confidence = _confidence(page, main)
        if confidence <= self.min_confidence:
            return drop("main_language", "unk", found=confidence, wanted=self.min_confidence)
        return KEEP


@dataclass(frozen=True, slots=True)
class LanguageShare:
    """Keep a page of which at least `min_share` of the bytes are in the target language (CZ-27).

    All bytes are those of its languages, `und` among them; line breaks between paragraphs are ours.
    """

    words = "a large enough share of it"

    min_share: Annotated[float, "Smallest share of target bytes in a page's text.", Ge(0), Le(1)] = 0.5

    def __call__(self, page: Page) -> Verdict:
        size = sum(page.languages.values())
        share = page.target_bytes / size if size else 0.0
        return KEEP if share >= self.min_share else drop("language_share", found=share, wanted=self.min_share)


@dataclass(frozen=True, slots=True)
class Sentences:
    """Keep a page with more than `min_count` target sentences, or more than `min_share` of all (XH-4).

    The paper says "more than", its code "at least": `inclusive` follows the code.
    """

    words = "enough sentences of it"

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


def leading_language(languages: Mapping[str, int]) -> str:
    """The language with the most bytes; ties go to the code that sorts first; `und` where there is none.

    >>> leading_language({"urd": 10, "eng": 10, "und": 50}), leading_language({})
    ('eng', 'und')
    """
    return Targets().shown(languages)


def other_language(page: Page) -> Verdict:
    """Drop a page of which no byte is in a language of the corpus, and say which language it is in."""
    return drop("other_language", page.language, found=page.languages.get(page.language, 0))


def _confidence(page: Page, language: str) -> float:
    """From 0 to 1, how sure it is that the page is in the language."""
    sizes = [len(page.text[p.start : p.end].encode()) for p in page.paragraphs]
    sure = sum(
        size * p.confidence for size, p in zip(sizes, page.paragraphs, strict=True) if p.language == language
    )
    return sure / sum(sizes) if any(sizes) else 0.0
