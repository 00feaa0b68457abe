"""The demo's crawl: a small built-in web on loopback, crawled for Urdu as any web would be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from corpulyzer.api.corpus import Corpus, create, open_corpus
from corpulyzer.corpus.settings.file import FILE
from corpulyzer.engine.progress import Progress, silent
from corpulyzer.jobs.run import Finished, finish
from corpulyzer.lab.demo.web import BuiltInWeb
from corpulyzer.report import write_report
from corpulyzer.web import seeds

if TYPE_CHECKING:
    from corpulyzer.jobs.crawl.loop import Ended

TARGET = "urd"
SITES, ARTICLES, PAGES, SEEDS, RICH = 60, 2_500, 320, 12, 0.5
CONTACT = "demo@corpulyzer.example"


@dataclass(frozen=True, slots=True)
class Demo:
    """The corpus of a demo, the web it is crawled from, how the crawl ended, and what was made of it."""

    corpus: Corpus
    web: BuiltInWeb
    ended: Ended
    finished: Finished

    @property
    def example(self) -> str:
        """A page to look at: one that was kept, if any was."""
        return next((document.url for document in self.corpus.documents.kept()), self.web.seeds(1)[0])


def make_demo(folder: Path, crawl: Callable[[Corpus], Ended], progress: Progress = silent) -> Demo:
    """Crawl the built-in web into a folder, or go on with it: the same web and the same end every time."""
    web = BuiltInWeb(TARGET, sites=SITES, pages=ARTICLES)
    if not (folder / FILE).exists():
        created = create(TARGET, folder)
        found = [seeds.Candidate(url) for url in web.seeds(SEEDS, RICH)]
        seeds.add(created.storage, found, "demo", round=1)
    with web.serve() as server:
        corpus = open_corpus(folder, _flags(server.proxy_url))
        ended = crawl(corpus)
    return Demo(corpus, web, ended, finish(corpus, write_report, progress))


def _flags(proxy: str) -> dict[str, object]:
    """The settings that a crawl of our own machine may have, and no other."""
    return {
        "crawl.contact": CONTACT,
        "crawl.pages": PAGES,
        "fetch.proxy": proxy,
        "fetch.delay_seconds": 0.0,
        "fetch.allow_private": True,
    }
