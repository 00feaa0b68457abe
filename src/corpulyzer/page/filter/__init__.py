"""Verdicts: filters look at a page with all its labels and say keep, or drop and why.

Each filter is a frozen dataclass, and so a table of the settings: `[filter.content_size]`. Its `words` name
what it keeps, for the funnel. To add one, write it in a module of its own and give it a line in `Filters`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Annotated

from corpulyzer.page.filter.content_size import ContentSize
from corpulyzer.page.filter.hosts import Hosts
from corpulyzer.page.filter.language import LanguageShare, MainLanguage, Sentences
from corpulyzer.page.filter.machine_translation import MachineTranslation
from corpulyzer.page.filter.prose import Prose, Repetition
from corpulyzer.page.filter.quality import Encoding, Length, Punctuation
from corpulyzer.page.filter.received import Mime, RawSize
from corpulyzer.plugins import FILTER, Plugin, own_plugins
from corpulyzer.plugins.registry import Registry
from corpulyzer.plugins.running import Called
from corpulyzer.records import KEEP, Page, Verdict

Filter = Callable[[Page], Verdict]
"""Keeps a page, or drops it and says why."""


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
    repetition: Repetition = field(default_factory=Repetition)
    prose: Prose = field(default_factory=Prose)

    plugins: tuple[Plugin, ...] = own_plugins()

    def chain(self, names: tuple[str, ...]) -> tuple[Filter, ...]:
        """The filters with these names, ready to judge; a name that is none is the user's error."""
        return tuple(_Named(FILTERS.called(it)) if isinstance(it, Plugin) else it for it in self.asked(names))

    def asked(self, names: tuple[str, ...]) -> tuple[Filter | Plugin, ...]:
        """The filters with these names and settings; those of plug-ins as they are described, and not run."""
        return tuple(
            getattr(self, name) if name in FILTERS.ours else FILTERS.plugin(name, self.plugins)
            for name in names
        )

    @property
    def words(self) -> dict[str, str]:
        """What the filters in use call the pages that they keep, by name."""
        found = zip(self.document, self.asked(self.document), strict=True)
        return {name: getattr(it, "words", "") or name.replace("_", " ") for name, it in found}


# Reasons that are no filter's.
RESERVED = (
    *("received", "document", "plugins", "opted_out", "no_text", "needs_browser", "other_language"),
    *("damaged", "extract_failed"),
    *("gone", "duplicate_raw", "duplicate", "near_duplicate", "site_paragraphs"),
)


def _is_verdict(found: object, _page: Page) -> bool:
    return isinstance(found, Verdict)


_TYPES = {each.name: type(getattr(Filters(), each.name)) for each in fields(Filters)}
FILTERS = Registry(
    FILTER,
    {name: f"{kind.__module__}:{kind.__name__}" for name, kind in _TYPES.items() if is_dataclass(kind)},
    "a Verdict (`KEEP`, or what `drop` gives)",
    _is_verdict,
    RESERVED,
)


@dataclass(frozen=True, slots=True)
class _Named:
    """A filter of a plug-in. Its verdicts carry its name, by which funnel and report know it."""

    filter: Called

    def __call__(self, page: Page) -> Verdict:
        verdict: Verdict = self.filter(page)
        name = self.filter.plugin.name
        if verdict.kept or verdict.reason == name:
            return verdict
        detail = ": ".join(part for part in (verdict.reason, verdict.detail) if part)
        return replace(verdict, reason=name, detail=detail)


def judge(page: Page, filters: tuple[Filter, ...]) -> Verdict:
    """The verdict of the first filter that drops the page, or KEEP."""
    for each in filters:
        verdict = each(page)
        if not verdict.kept:
            return verdict
    return KEEP
