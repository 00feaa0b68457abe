"""From seeds to the report in one go."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from corpulyzer.engine.progress import Progress, silent
from corpulyzer.jobs.dedup.run import deduplicate
from corpulyzer.jobs.process import process
from corpulyzer.jobs.seeds import add_named
from corpulyzer.jobs.status.funnels import funnel_of
from corpulyzer.storage.lock import changing

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine import Engine
    from corpulyzer.jobs.crawl.loop import Ended
    from corpulyzer.measure.pages.funnel import Funnel
    from corpulyzer.web.seeds import Added

WriteReport = Callable[["CorpusFolder", "Engine", Progress], str]
"""Writes the report on a corpus, and returns the path of its page."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A corpus after its crawl: the funnel, and the path of the report."""

    funnel: Funnel
    report: str


@dataclass(frozen=True, slots=True)
class Ran:
    """How a crawl ended, and what was made of it: None where `ended.hint` asks to mend something first."""

    ended: Ended
    finished: Finished | None


def run(
    corpus: CorpusFolder,
    seeds: Sequence[str | Path],
    crawl: Callable[[Added], Ended],
    write_report: WriteReport,
    progress: Progress = silent,
) -> Ran:
    """Add seeds, crawl, find copies, measure the corpus and report on it; again, it goes on where it was.

    `crawl` is told what became of the seeds.
    """
    with changing(corpus.storage, "run"):
        ended = crawl(add_named(corpus, seeds))
        return Ran(ended, None if ended.hint else finish(corpus, write_report, progress))


def finish(corpus: CorpusFolder, write_report: WriteReport, progress: Progress = silent) -> Finished:
    """Find the copies in what was crawled, measure the corpus and report on it."""
    with corpus.engine() as engine:
        process(corpus, engine, progress=progress)
        deduplicate(corpus, engine, progress=progress)
        report = write_report(corpus, engine, progress)
        return Finished(funnel_of(corpus, engine), report)
