"""Which language a text is in, and how many bytes of each.

An identifier is a callable over all paragraphs of one page, so that neighbours can decide doubtful ones;
identifiers may wrap identifiers. Text that they cannot identify is `und`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from corpulyzer.page.identify.told import texts_of, total, with_languages
from corpulyzer.records import UNDETERMINED, Page
from corpulyzer.records.changed import changed

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
class Identification:
    """The language of a text, its script (ISO 15924), its bytes by language, and from 0 to 1 how sure."""

    language: str
    script: str
    bytes: Mapping[str, int]
    confidence: float


@dataclass(frozen=True, slots=True)
class Identify:
    """Give each paragraph its language, the page its bytes by language, and the bytes of the target."""

    target: str
    identifier: Identifier

    def __call__(self, page: Page) -> Page:
        found = self.identifier(texts_of(page.text, page.paragraphs))
        paragraphs, languages, characters = with_languages(page.paragraphs, found, self.target)
        return changed(
            page,
            paragraphs=paragraphs,
            languages=languages,
            target_bytes=languages.get(self.target, 0),
            target_characters=round(characters),
        )


def identify(text: str) -> Identification:
    """The language of a text, told line by line; `und` where no language fills a third of it.

    >>> identify("اردو زبان پاکستان کی قومی زبان ہے اور بہت سے لوگ یہ زبان بولتے ہیں").language
    'urd'
    """
    from corpulyzer.page.identify.ensemble import Ensemble
    from corpulyzer.page.identify.installed import installed
    from corpulyzer.text import script_of

    found = Ensemble(models=installed())(text.split("\n"))
    languages = total(found)
    language, share = leading(languages)
    sure = _mean_confidence(found, language)
    return Identification(language, script_of(text), languages, share * sure)


def _mean_confidence(found: Sequence[Identified], language: str) -> float:
    """How sure the answers for a language are, each paragraph counted by its bytes of it."""
    sizes = [(each.languages.get(language, 0), each) for each in found if each.language == language]
    bytes_ = sum(size for size, _ in sizes)
    # Confidence counts the whole paragraph; of a mixed one only the language's own part is judged here.
    sure = sum(
        size * min(1.0, each.confidence * sum(each.languages.values()) / size) for size, each in sizes if size
    )
    return sure / bytes_ if bytes_ else 0.0


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
