"""`corpus.commoncrawl`: what Common Crawl has of the language, as numbers, seeds or pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from corpulyzer.api.engines import on
from corpulyzer.engine.progress import Progress, silent
from corpulyzer.jobs import commoncrawl as job
from corpulyzer.jobs.commoncrawl import Looked
from corpulyzer.jobs.seeds import Limits

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine import Engine
    from corpulyzer.jobs.commoncrawl import Counted
    from corpulyzer.web.commoncrawl.fetch import Fetched
    from corpulyzer.web.commoncrawl.mirror import Release
    from corpulyzer.web.seeds import Added


@dataclass(frozen=True, slots=True)
class CommonCrawl:
    """Common Crawl as seen by a corpus; `looked` are the fields of `corpulyzer.jobs.commoncrawl.Looked`."""

    corpus: CorpusFolder

    def releases(self) -> list[Release]:
        """The releases there are, newest first."""
        return job.releases(self.corpus)

    def estimate(
        self,
        *,
        totals: bool = False,
        progress: Progress = silent,
        engine: Engine | None = None,
        **looked: Any,
    ) -> Counted:
        """How many pages, sites and bytes there are; with `totals`, the language's share of the releases."""
        with on(self.corpus, engine) as runner:
            return job.count(self.corpus, runner, Looked(**looked), totals=totals, progress=progress)

    def seeds(
        self,
        *,
        per_site: int = 0,
        most: int = 0,
        progress: Progress = silent,
        engine: Engine | None = None,
        homepages: bool = False,
        block: Sequence[str] = (),
        without: str = "",
        **looked: Any,
    ) -> Added:
        """Add the pages as seeds, the sites that have most of them first; 0 is no limit."""
        limits = Limits(homepages=homepages, block=block, without=without)
        with on(self.corpus, engine) as runner:
            return job.add_as_seeds(
                self.corpus,
                runner,
                Looked(**looked),
                per_site=per_site,
                most=most,
                limits=limits,
                progress=progress,
            )

    def fetch(
        self,
        *,
        per_site: int = 0,
        most: int = 0,
        progress: Progress = silent,
        engine: Engine | None = None,
        **looked: Any,
    ) -> Fetched:
        """Read the pages out of Common Crawl's archives into the corpus; again, it goes on where it was."""
        with on(self.corpus, engine) as runner:
            return job.fetch(
                self.corpus, runner, Looked(**looked), per_site=per_site, most=most, progress=progress
            )
