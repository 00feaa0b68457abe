"""Which language a text is in, and how many bytes of each.

An identifier is a callable over all paragraphs of one page, so that neighbours can decide doubtful ones;
identifiers may wrap identifiers. Text that they cannot identify is `und`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from corpulyzer.page.identify.told import texts_of, with_languages
from corpulyzer.records import UNDETERMINED, Page
from corpulyzer.records.changed import changed
from corpulyzer.records.targets import Targets

# A language that fills less than this share of a paragraph was right in fewer than two of three cases.
MIN_SHARE = 1 / 3


class Identified(NamedTuple):
    """The language of a paragraph, from 0 to 1 how sure, and its UTF-8 bytes by language.

    The bytes add up to the paragraph's own; those of no language are `und`.
    """

    language: str = UNDETERMINED
    confidence: float = 0.0
    languages: Mapping[str, int] = {}


class Identifier(Protocol):
    """Tells the languages of a page, paragraph by paragraph; never raises, whatever the text."""

    @property
    def languages(self) -> frozenset[str]:
        """The codes that it can give."""
        ...

    def __call__(self, paragraphs: Sequence[str]) -> list[Identified]:
        """One answer for each paragraph, in order."""
        ...


@dataclass(frozen=True, slots=True)
class Asked:
    """What an identifier of ours is asked for; each takes what concerns it."""

    target: str = ""
    models: tuple[str, ...] = ()
    min_confidence: float = 0.0
    hint: bool = False


@dataclass(frozen=True, slots=True)
class Identify:
    """Give each paragraph its language, the page its bytes by language, and the bytes of its own language."""

    targets: Targets
    identifier: Identifier

    def __call__(self, page: Page) -> Page:
        found = self.identifier(texts_of(page.text, page.paragraphs))
        target = self.targets.judging(
            {}
        )  # the one there is; of several, that of a page follows from its bytes
        paragraphs, languages, characters = with_languages(page.paragraphs, found, target)
        if not target and (target := self.targets.judging(languages)):
            paragraphs, languages, characters = with_languages(page.paragraphs, found, target)
        return changed(
            page,
            paragraphs=paragraphs,
            languages=languages,
            language=self.targets.shown(languages),
            target_bytes=languages.get(target, 0),
            target_characters=round(characters),
        )


@dataclass(frozen=True, slots=True)
class AtLeast:
    """The answers of an identifier; those that are not surer than their language asks for are `und`."""

    identifier: Identifier
    min_confidence: float
    by_language: tuple[tuple[str, float], ...] = ()

    @property
    def languages(self) -> frozenset[str]:
        """The codes that it can give."""
        return self.identifier.languages

    def __call__(self, paragraphs: Sequence[str]) -> list[Identified]:
        """One answer for each paragraph, in order."""
        least = dict(self.by_language)
        return [
            at_least(each, least.get(each.language, self.min_confidence))
            for each in self.identifier(paragraphs)
        ]


def at_least(each: Identified, confidence: float) -> Identified:
    """The answer, if it is surer than that; else the bytes of its language are those of none."""
    if each.language == UNDETERMINED or each.confidence > confidence:
        return each
    kept = {code: size for code, size in each.languages.items() if code != each.language}
    moved = each.languages.get(each.language, 0)
    return Identified(UNDETERMINED, 0.0, {**kept, UNDETERMINED: kept.get(UNDETERMINED, 0) + moved})


def leading(languages: Mapping[str, int]) -> tuple[str, float]:
    """The language with the most bytes and its share; `und` and 0 where it has too small a share.

    >>> leading({"urd": 40, "und": 50, "eng": 10}), leading({"urd": 10, "und": 90})
    (('urd', 0.4), ('und', 0.0))
    """
    best, most, size = UNDETERMINED, 0, 0
    for language, count in languages.items():
        size += count
        if language != UNDETERMINED and (count > most or (count == most and language < best)):
            best, most = language, count
    return (best, most / size) if most and most >= MIN_SHARE * size else (UNDETERMINED, 0.0)
