"""Where a corpus stands: its funnel, the frontier of its crawl, and what is out of date."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from corpulyzer.corpus import rounds
from corpulyzer.jobs.as_of.restore import about
from corpulyzer.jobs.stale import Stale, stale
from corpulyzer.jobs.status.funnels import funnel_of, languages_of
from corpulyzer.web import seeds

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine import Engine
    from corpulyzer.measure.pages.by_language import LanguageCount
    from corpulyzer.measure.pages.funnel import Funnel


@dataclass(frozen=True, slots=True)
class Status:
    """Where a corpus stands; `crawl` is empty if nothing was crawled, `languages` if it is for one.

    `as_of` tells of which moment it is, unless that is now, and what was removed since.
    """

    name: str
    language: str
    funnel: Funnel
    stale: list[Stale] = field(default_factory=list)
    crawl: dict[str, Any] = field(default_factory=dict)
    languages: list[LanguageCount] = field(default_factory=list)
    as_of: dict[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The same as plain values."""
        behind = [each.to_json() for each in self.stale]
        more: dict[str, Any] = {"crawl": self.crawl} if self.crawl else {}
        if self.as_of:
            more["as_of"] = self.as_of
        if self.languages:
            more["languages"] = [each.to_json() for each in self.languages]
        return {
            "name": self.name,
            "language": self.language,
            **self.funnel.to_json(),
            "stale": behind,
        } | more


def status(corpus: CorpusFolder, engine: Engine) -> Status:
    """Where a corpus stands now."""
    return Status(
        corpus.name,
        corpus.config.corpus.language or corpus.targets.together.code,
        funnel_of(corpus, engine),
        stale(corpus),
        crawl_status(corpus, engine),
        languages_of(corpus, engine),
        about(corpus.storage),
    )


def crawl_status(corpus: CorpusFolder, engine: Engine) -> dict[str, Any]:
    """The frontier and the rounds of a crawl as plain values; empty if there was none.

    `yields` are new good pages per request, `target_yields` those of Eq. 6 of Corpulyzer (2021): pages with
    any text of the language of all pages read.
    """
    begun = rounds.rounds(corpus.storage)
    if not begun:
        return {}
    from corpulyzer.jobs.crawl.loop import totals
    from corpulyzer.measure.crawl.counts import count_frontier

    rounds.whole_frontier(corpus.storage)
    at = int(time.time())
    found = rounds.ask_frontier(corpus.storage, lambda found: count_frontier(engine, found, at))
    pages, good = totals(corpus)
    committed = [noted for each in begun if (noted := each.read("commit"))]
    yields = [note["good"] / max(1, note["requests"]) for note in committed]
    read = [(note.get("target_pages", 0), note.get("read_pages", 0)) for note in committed]
    return {
        "rounds": len(committed),
        "seeds": len(seeds.read(corpus.storage)),
        "requests": pages,
        "good": good,
        "yields": yields,
        "read_pages": sum(pages for _, pages in read),
        "target_pages": sum(target for target, _ in read),
        "target_yields": [target / max(1, pages) for target, pages in read],
        **asdict(found),
    }
