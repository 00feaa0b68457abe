"""The verbs that make a corpus and change it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self

from corpulyzer.api.engines import on
from corpulyzer.api.language import Annotating, InLanguage
from corpulyzer.engine.progress import Progress, silent

if TYPE_CHECKING:
    from corpulyzer.annotate import Annotated
    from corpulyzer.api.commoncrawl import CommonCrawl
    from corpulyzer.api.seeds import Seeds
    from corpulyzer.engine import Engine
    from corpulyzer.jobs.crawl.fetching import Interrupt
    from corpulyzer.jobs.crawl.log import OnEvent
    from corpulyzer.jobs.crawl.loop import Ended
    from corpulyzer.jobs.importing import Registered
    from corpulyzer.jobs.remove import Removal
    from corpulyzer.jobs.run import Ran
    from corpulyzer.measure.pages.duplicates import Duplicates
    from corpulyzer.measure.pages.learned_thresholds import LearnedThresholds
    from corpulyzer.measure.pages.thresholds import ThresholdTable
    from corpulyzer.web.seeds import Added


class Making(Annotating):
    """What makes a corpus: seeds, crawl, import, the tables, copies, annotation, removal."""

    def add_seeds(self, *seeds: str | Path, homepages: bool = False) -> Added:
        """Add web addresses to begin a crawl from, or those in files; `homepages` takes each host's own."""
        from corpulyzer.jobs.seeds import add_named

        return add_named(self, seeds, homepages=homepages)

    @property
    def seeds(self) -> Seeds:
        """Where the crawl begins, and sources of more: `corpus.seeds.wikipedia()`, `.search()` …"""
        from corpulyzer.api.seeds import Seeds

        return Seeds(self)

    @property
    def commoncrawl(self) -> CommonCrawl:
        """What Common Crawl has of the language: `corpus.commoncrawl.estimate()`, `.seeds()`, `.fetch()` …"""
        from corpulyzer.api.commoncrawl import CommonCrawl

        return CommonCrawl(self)

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

        with on(self, engine) as runner:
            return Crawl(self, runner, on_event or ignore, interrupt or Interrupt()).run()

    def run(
        self,
        *seeds: str | Path,
        on_event: OnEvent | None = None,
        interrupt: Interrupt | None = None,
        progress: Progress = silent,
    ) -> Ran:
        """Add seeds, crawl, find copies, measure the corpus and report on it; again, it goes on."""
        from corpulyzer.jobs.run import run
        from corpulyzer.report import write_report

        def crawl(_added: Added) -> Ended:
            return self.crawl(on_event=on_event, interrupt=interrupt)

        return run(self, seeds, crawl, write_report, progress)

    def import_(
        self,
        *paths: str | Path,
        lists: Sequence[str | Path] = (),
        below: str = "",
        progress: Progress = silent,
        engine: Engine | None = None,
    ) -> Registered:
        """Take in files and folders, and make documents of them; what is in already stays as it is.

        `lists` are files that name archives, a path or URI a line; `below` is the prefix of relative paths.
        """
        from corpulyzer.jobs.process import import_paths

        with on(self, engine) as runner:
            files, named = [str(path) for path in paths], [str(path) for path in lists]
            return import_paths(self, files, runner, progress, lists=named, below=below)

    def process(
        self, start: str | None = None, *, progress: Progress = silent, engine: Engine | None = None
    ) -> int:
        """Bring every derived table up to date with the archives and the settings; return the parts made.

        A part is made again from the first group of stages whose settings have changed, or from `start`.
        """
        from corpulyzer.jobs.process import process

        with on(self, engine) as runner:
            return process(self, runner, start, progress)

    def dedup(self, *levels: str, progress: Progress = silent, engine: Engine | None = None) -> Duplicates:
        """Label duplicates at the levels, or all, and leave copies out as `dedup.policy` has it."""
        from corpulyzer.dedup.settings import LEVELS
        from corpulyzer.jobs.dedup.run import deduplicate

        with on(self, engine) as runner:
            return deduplicate(self, runner, levels or LEVELS, progress)

    def annotate_each(
        self, *, retrain: bool = False, progress: Progress = silent, engine: Engine | None = None
    ) -> dict[str, Annotated]:
        """Annotate each language of a corpus of several that has a hundred documents or more, by code."""
        from corpulyzer.jobs.annotate import annotate_each

        with on(self, engine) as runner:
            return annotate_each(self, runner, retrain=retrain, progress=progress)

    def in_language(self, language: str, *, engine: Engine | None = None) -> InLanguage:
        """The corpus as one of its languages has it, to be annotated, measured, searched and audited."""
        from corpulyzer.jobs.languages import in_language

        found = in_language(self, language, partial(on, self, engine))
        return InLanguage(found.storage, found.config, found.settings, found.accepted, found.whole)

    def calibrate(
        self, unit: str = "bytes", keep: float = 0.95, *, engine: Engine | None = None
    ) -> ThresholdTable:
        """What each content-size threshold would keep, and the largest that keeps so much of the text."""
        from corpulyzer.jobs.calibrate import calibrate

        with on(self, engine) as runner:
            return calibrate(self, runner, unit, keep)

    def use_threshold(
        self,
        table: ThresholdTable,
        unit: str = "bytes",
        *,
        progress: Progress = silent,
        engine: Engine | None = None,
    ) -> Self:
        """Write the threshold that `calibrate` chose to the settings, and judge the documents by it.

        Returns the corpus with its new settings.
        """
        from corpulyzer.jobs.calibrate import use_threshold

        with on(self, engine) as runner:
            return use_threshold(self, runner, table, unit, progress)

    def learn_thresholds(self, unit: str = "bytes", keep: float = 0.95) -> list[LearnedThresholds]:
        """The thresholds that the documents of each of several languages show; nothing is changed."""
        from corpulyzer.jobs.calibrate import learn

        return learn(self, unit, keep)

    def use_learned(
        self, found: Sequence[LearnedThresholds], *, progress: Progress = silent, engine: Engine | None = None
    ) -> Self:
        """Keep what `learn_thresholds` found in `calibration.json`, and judge the documents by it.

        Returns the corpus with its new settings. What the settings file says wins over it.
        """
        from corpulyzer.jobs.calibrate import use_learned

        with on(self, engine) as runner:
            return use_learned(self, runner, found, progress)

    def remove(
        self, what: str, why: str = "", *, progress: Progress = silent, engine: Engine | None = None
    ) -> Removal:
        """Take an address or a site out of the corpus for good; it is never fetched or imported again."""
        from corpulyzer.jobs.remove import remove

        with on(self, engine) as runner:
            return remove(self, runner, what, why, progress)

    def would_remove(self, what: str) -> Removal:
        """What `remove` would take out; nothing is touched."""
        from corpulyzer.jobs.remove import planned

        return planned(self, what)

    deduplicate = dedup
