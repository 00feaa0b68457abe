"""A corpus as people use it: its folder, and every job as a verb."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpulyzer.corpus.folder import CorpusFolder
from corpulyzer.engine.progress import Progress, silent

if TYPE_CHECKING:
    from corpulyzer.annotate import Annotated
    from corpulyzer.api.audit import Audit
    from corpulyzer.engine import Engine
    from corpulyzer.export import Exported
    from corpulyzer.jobs.compare import Comparison
    from corpulyzer.jobs.crawl.fetching import Interrupt
    from corpulyzer.jobs.crawl.log import OnEvent
    from corpulyzer.jobs.crawl.loop import Ended
    from corpulyzer.jobs.importing import Registered
    from corpulyzer.jobs.remove import Removal
    from corpulyzer.jobs.search.concordance import Matches
    from corpulyzer.jobs.search.look_up import Match
    from corpulyzer.jobs.status import Status
    from corpulyzer.jobs.upgrade import Upgraded
    from corpulyzer.measure.licenses.vote import Licenses
    from corpulyzer.measure.pages.duplicates import Duplicates
    from corpulyzer.measure.pages.funnel import Funnel
    from corpulyzer.measure.pages.thresholds import ThresholdTable
    from corpulyzer.measure.result import Results
    from corpulyzer.search.kwic import Kwic, Order
    from corpulyzer.search.measures import Keyword
    from corpulyzer.web.seeds import Added


@dataclass(frozen=True)
class Corpus(CorpusFolder):
    """A corpus folder, opened: `documents` to read it, and a verb for each command that works on it.

    A verb takes `progress`, a function that is called with what is done, how much of it is done and how much
    there is, and `engine`, where several verbs are to share one.
    """

    def add_seeds(self, *seeds: str | Path, homepages: bool = False) -> Added:
        """Add web addresses to begin a crawl from, or those in files; `homepages` takes each host's own."""
        from corpulyzer.jobs.seeds import add_named

        return add_named(self, seeds, homepages=homepages)

    def add_seeds_from(self, name: str, *, homepages: bool = False) -> Added:
        """Add the seeds that a plug-in of that name proposes."""
        from corpulyzer.jobs.seeds import add_from

        return add_from(self, name, homepages=homepages)

    def crawl(
        self,
        *,
        on_event: OnEvent | None = None,
        interrupt: Interrupt | None = None,
        engine: Engine | None = None,
    ) -> Ended:
        """Crawl from the seeds on, until a limit of the settings is reached; again, it goes on where it was.

        `on_event` is called with the name of what happens (`page`, `commit` …) and its numbers; `interrupt`
        is called by whoever wishes that the crawl ends with its round.
        """
        from corpulyzer.jobs.crawl.fetching import Interrupt
        from corpulyzer.jobs.crawl.log import ignore
        from corpulyzer.jobs.crawl.loop import Crawl

        with self._on(engine) as runner:
            return Crawl(self, runner, on_event or ignore, interrupt or Interrupt()).run()

    def import_(
        self, *paths: str | Path, progress: Progress = silent, engine: Engine | None = None
    ) -> Registered:
        """Take in files and folders, and make documents of them; what is in already stays as it is."""
        from corpulyzer.jobs.process import import_paths

        with self._on(engine) as runner:
            return import_paths(self, [str(path) for path in paths], runner, progress)

    def process(
        self, start: str | None = None, *, progress: Progress = silent, engine: Engine | None = None
    ) -> int:
        """Bring every derived table up to date with the archives and the settings; return the parts made.

        A part is made again from the first group of stages whose settings have changed, or from `start`.
        """
        from corpulyzer.jobs.process import process

        with self._on(engine) as runner:
            return process(self, runner, start, progress)

    def dedup(self, *levels: str, progress: Progress = silent, engine: Engine | None = None) -> Duplicates:
        """Label duplicates at the levels, or all, and leave copies out as `dedup.policy` has it."""
        from corpulyzer.dedup.settings import LEVELS
        from corpulyzer.jobs.dedup.run import deduplicate

        with self._on(engine) as runner:
            return deduplicate(self, runner, levels or LEVELS, progress)

    def annotate(
        self, *, retrain: bool = False, progress: Progress = silent, engine: Engine | None = None
    ) -> Annotated:
        """Annotate the kept documents that are new or changed; with `retrain`, learn the morphs again."""
        from corpulyzer.jobs.annotate import annotate

        with self._on(engine) as runner:
            return annotate(self, runner, retrain=retrain, progress=progress)

    def analyze(
        self,
        *names: str,
        again: bool = False,
        progress: Progress = silent,
        engine: Engine | None = None,
    ) -> Results:
        """The results that names of panels or of measures stand for; all without names.

        What is stored and still holds is not measured again, unless `again`.
        """
        from corpulyzer.jobs.analyze.run import analyze, chosen

        with self._on(engine) as runner:
            return chosen(analyze(self, runner, names, progress, again), names)

    def report(
        self, *, again: bool = False, progress: Progress = silent, engine: Engine | None = None
    ) -> str:
        """Write the report, the data card and the manifest; return the path of the page."""
        from corpulyzer.report import write_report

        with self._on(engine) as runner:
            return write_report(self, runner, progress, again)

    def search(
        self,
        query: str,
        width: int = 40,
        order: Order = "document",
        *,
        limit: int = 100,
        offset: int = 0,
        site: str = "",
        license: str = "",
        since: str = "",
        until: str = "",
        min_quality: float | None = None,
        progress: Progress = silent,
    ) -> Kwic:
        """The lines of the concordance that meet a query; the filters limit the documents."""
        from corpulyzer.jobs.search.concordance import search
        from corpulyzer.search.matches import Only

        only = Only(site, license, since, until, min_quality)
        window = {"width": width, "limit": limit, "offset": offset}
        return search(self, query, only, order=order, progress=progress, **window)

    def matches(self, query: str, *, progress: Progress = silent, **only: Any) -> Matches:
        """The matches of a query: their lines, collocations, clusters and sites; limited as in `search`."""
        from corpulyzer.jobs.search.concordance import matches
        from corpulyzer.search.matches import Only

        return matches(self, query, Only(**only), progress=progress)

    def keywords(self, reference: str | Path, *, progress: Progress = silent) -> list[Keyword]:
        """The words that the corpus has more often than the frequency list in a file, strongest first."""
        from corpulyzer.jobs.search.concordance import keywords

        return keywords(self, Path(reference), progress)

    def similar(self, text: str, limit: int = 20, *, engine: Engine | None = None) -> list[Match]:
        """The documents that are like a text or share passages with it, best first; needs `dedup`."""
        from corpulyzer.jobs.search.look_up import look_up

        with self._on(engine) as runner:
            return look_up(self, runner, text, limit)

    def export(
        self,
        format: str,
        to: str | Path = "",
        *,
        license: Iterable[str] = (),
        site: Iterable[str] = (),
        min_quality: float | None = None,
        split: str = "train",
        seed: int = 0,
        unit: str = "document",
        content: str = "page",
        compress: str = "",
        progress: Progress = silent,
        engine: Engine | None = None,
    ) -> Exported:
        """Write the kept documents for other tools, as a new version below `exports/`, or into `to`."""
        from corpulyzer.export import Options
        from corpulyzer.export.select import Selection, splits_of
        from corpulyzer.jobs.export import export

        asked: dict[str, Any] = {
            "selection": Selection(tuple(license), tuple(site), min_quality),
            "splits": splits_of(split, seed),
            "options": Options(compress=compress, unit=unit, content=content, seed=seed),
        }
        with self._on(engine) as runner:
            return export(self, runner, format, to=str(to), progress=progress, **asked)

    def compare(self, *others: CorpusFolder, engine: Engine | None = None) -> Comparison:
        """What this corpus and others share: pages, sites, words and topics; and their numbers."""
        from corpulyzer.jobs.compare import compare

        return compare(self, *others, engine=engine)

    def why(self, url: str, *, engine: Engine | None = None) -> list[dict[str, Any]]:
        """Everything that happened to a page: each fetch, what was learned, the verdict and its numbers."""
        from corpulyzer.jobs.why import history

        with self._on(engine) as runner:
            return history(self, url, runner)

    def remove(
        self, what: str, why: str = "", *, progress: Progress = silent, engine: Engine | None = None
    ) -> Removal:
        """Take an address or a site out of the corpus for good; it is never fetched or imported again."""
        from corpulyzer.jobs.remove import remove

        with self._on(engine) as runner:
            return remove(self, runner, what, why, progress)

    def would_remove(self, what: str) -> Removal:
        """What `remove` would take out; nothing is touched."""
        from corpulyzer.jobs.remove import planned

        return planned(self, what)

    def calibrate(
        self, unit: str = "bytes", keep: float = 0.95, *, engine: Engine | None = None
    ) -> ThresholdTable:
        """What each content-size threshold would keep, and the largest that keeps so much of the text."""
        from corpulyzer.jobs.calibrate import calibrate

        with self._on(engine) as runner:
            return calibrate(self, runner, unit, keep)

    @property
    def audit(self) -> Audit:
        """Samples for human eyes, and what is said of sites: `corpus.audit.sample()`, `.score()` …"""
        from corpulyzer.api.audit import Audit

        return Audit(self)

    def funnel(self, *, engine: Engine | None = None) -> Funnel:
        """How many pages each step kept, and why it dropped the others (HR-11)."""
        from corpulyzer.jobs.status import funnel_of

        with self._on(engine) as runner:
            return funnel_of(self, runner)

    def status(self, *, engine: Engine | None = None) -> Status:
        """Where the corpus stands: its funnel, its crawl, and what has to be brought up to date."""
        from corpulyzer.jobs.status import status

        with self._on(engine) as runner:
            return status(self, runner)

    def licenses(self, *, engine: Engine | None = None) -> Licenses:
        """Which licenses the pages of each site have, and which of them stand after the site's vote."""
        from corpulyzer.measure.licenses.vote import licenses

        with self._on(engine) as runner:
            return licenses(runner, self.table("documents"))

    deduplicate, kwic = dedup, search

    @contextmanager
    def _on(self, engine: Engine | None) -> Iterator[Engine]:
        """The engine that was given, or one of our own for as long as it is needed."""
        if engine is not None:
            yield engine
        else:
            with self.engine() as own:
                yield own

    def __repr__(self) -> str:
        return f"<Corpus {self.name}: {self.language.name} ({self.language.code}), {self.storage.root}>"

    def _repr_html_(self) -> str:
        facts = {
            "language": f"{self.language.name} ({self.language.code})",
            "folder": self.storage.root,
            "documents": f"{len(self.documents):,}, kept and dropped",
        }
        rows = "".join(
            f"<tr><th>{name}</th><td>{html.escape(fact)}</td></tr>" for name, fact in facts.items()
        )
        return f"<table><caption>{html.escape(self.name)}</caption><tbody>{rows}</tbody></table>"


def create(language: str, folder: str | Path | None = None, preset: str = "default") -> Corpus:
    """A new corpus folder for a language, `./<code>web` unless told; one that exists is never overwritten."""
    return Corpus.create(language, folder, preset)


def open_corpus(folder: str | Path, settings: Mapping[str, Any] | None = None) -> Corpus:
    """The corpus in `folder`, a path or an s3:// URI; `settings` win over those of its file."""
    return Corpus.open(folder, settings)


def upgrade(folder: str | Path, progress: Progress = silent) -> Upgraded:
    """Bring a corpus of an earlier version up to today's format; nothing is fetched or made again."""
    from corpulyzer.jobs.upgrade import upgrade

    return upgrade(Corpus.open_any_format(folder), progress)
