"""A corpus as people use it: its folder, and every job as a verb."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpulyzer.corpus.folder import CorpusFolder
from corpulyzer.engine.progress import Progress, silent

if TYPE_CHECKING:
    from corpulyzer.api.measures import Analyses
    from corpulyzer.engine import Engine
    from corpulyzer.jobs.importing import Registered
    from corpulyzer.measure.licenses.vote import Licenses
    from corpulyzer.measure.pages.duplicates import Duplicates
    from corpulyzer.measure.pages.funnel import Funnel
    from corpulyzer.search.kwic import Kwic


@dataclass(frozen=True)
class Corpus(CorpusFolder):
    """A corpus folder, opened. `documents` and `funnel()` are what most people come for."""

    def import_paths(self, paths: list[str], engine: Engine, progress: Progress = silent) -> Registered:
        """Take in files and folders, and make documents of them; what is in already stays as it is."""
        from corpulyzer.jobs.process import import_paths

        return import_paths(self, paths, engine, progress)

    def process(self, engine: Engine, start: str | None = None, progress: Progress = silent) -> int:
        """Bring every derived table up to date with the archives and the settings; return the parts made.

        A part is made again from the first group of stages whose settings have changed, or from `start`.
        """
        from corpulyzer.jobs.process import process

        return process(self, engine, start, progress)

    def funnel(self, engine: Engine | None = None) -> Funnel:
        """How many pages each step kept, and why it dropped the others (HR-11)."""
        from corpulyzer.measure.pages.funnel import funnel

        if engine is not None:
            return funnel(engine, self.table("fetches"), self.table("documents"), self.config.filter)
        with self.engine() as own:
            return funnel(own, self.table("fetches"), self.table("documents"), self.config.filter)

    @property
    def analyze(self) -> Analyses:
        """Every measure as a method: `corpus.analyze.top_sites()`; called itself, all of them."""
        from corpulyzer.api.measures import Analyses

        return Analyses(self)

    def report(self, engine: Engine | None = None) -> str:
        """Write the report, the data card and the manifest; return the path of the page."""
        from corpulyzer.report import write_report

        if engine is not None:
            return write_report(self, engine)
        with self.engine() as own:
            return write_report(self, own)

    def licenses(self, engine: Engine | None = None) -> Licenses:
        """Which licenses the pages of each site have, and which of them stand after the site's vote."""
        from corpulyzer.measure.licenses.vote import licenses

        if engine is not None:
            return licenses(engine, self.table("documents"))
        with self.engine() as own:
            return licenses(own, self.table("documents"))

    def deduplicate(self, engine: Engine | None = None) -> Duplicates:
        """Label duplicates at every level, and leave copies out of the corpus as `dedup.policy` has it."""
        from corpulyzer.jobs.dedup.run import deduplicate

        if engine is not None:
            return deduplicate(self, engine)
        with self.engine() as own:
            return deduplicate(self, own)

    def kwic(self, query: str, width: int = 40, **options: Any) -> Kwic:
        """The lines of the concordance that meet a query; see `corpulyzer.search.kwic.kwic`."""
        from corpulyzer.jobs.search.refresh import refresh, score
        from corpulyzer.search.kwic import kwic

        only = options.get("only")
        index = score(self) if only is not None and only.min_quality is not None else refresh(self)
        return kwic(index, query, width=width, **options)


def create(language: str, folder: str | Path | None = None, preset: str = "default") -> Corpus:
    """A new corpus folder for a language, `./<code>web` unless told; one that exists is never overwritten."""
    return Corpus.create(language, folder, preset)


def open_corpus(folder: str | Path, flags: Mapping[str, Any] | None = None) -> Corpus:
    """The corpus in `folder`, a path or an s3:// URI; `flags` are settings that win over the file's."""
    return Corpus.open(folder, flags)


def open_any_format(folder: str | Path, flags: Mapping[str, Any] | None = None) -> Corpus:
    """The same whichever version made it: for those who bring it up to today's format."""
    return Corpus.open_any_format(folder, flags)
