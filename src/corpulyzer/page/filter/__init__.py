"""Verdicts: filters look at a page with all its labels and say keep, or drop and why.

Each filter is a frozen dataclass, and so a table of the settings: `[filter.content_size]`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated

from corpulyzer.errors import UserError
from corpulyzer.page.filter.content_size import ContentSize
from corpulyzer.page.filter.hosts import Hosts
from corpulyzer.page.filter.language import LanguageShare, MainLanguage, Sentences
from corpulyzer.page.filter.machine_translation import MachineTranslation
from corpulyzer.page.filter.quality import Encoding, Length, Punctuation
from corpulyzer.page.filter.received import Mime, RawSize
from corpulyzer.records import KEEP, Page, Verdict

Filter = Callable[[Page], Verdict]


@dataclass(frozen=True, slots=True)
class Filters:
    """Which pages the corpus keeps."""

    received: Annotated[tuple[str, ...], "Filters of a page as received, in order."] = (
        "hosts",
        "mime",
        "raw_size",
    )
    document: Annotated[tuple[str, ...], "Filters of a page's text and labels, in order."] = (
        "machine_translation",
        "content_size",
        "encoding",
        "punctuation",
        "length",
    )
    hosts: Hosts = field(default_factory=Hosts)
    mime: Mime = field(default_factory=Mime)
    raw_size: RawSize = field(default_factory=RawSize)
    machine_translation: MachineTranslation = field(default_factory=MachineTranslation)
    content_size: ContentSize = field(default_factory=ContentSize)
    main_language: MainLanguage = field(default_factory=MainLanguage)
    language_share: LanguageShare = field(default_factory=LanguageShare)
    sentences: Sentences = field(default_factory=Sentences)
    encoding: Encoding = field(default_factory=Encoding)
    punctuation: Punctuation = field(default_factory=Punctuation)
    length: Length = field(default_factory=Length)

    def chain(self, names: tuple[str, ...]) -> tuple[Filter, ...]:
        """The filters with these names; a name that is none is the user's error."""
        possible = [name for name in self.__slots__ if name not in ("received", "document")]
        for name in names:
            if name not in possible:
                raise UserError(f"There is no filter {name!r}.", f"Filters: {', '.join(possible)}.")
        return tuple(getattr(self, name) for name in names)


def judge(page: Page, filters: tuple[Filter, ...]) -> Verdict:
    """The verdict of the first filter that drops the page, or KEEP."""
    for each in filters:
        verdict = each(page)
        if not verdict.kept:
            return verdict
    return KEEP
