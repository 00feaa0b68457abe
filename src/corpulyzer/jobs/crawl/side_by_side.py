"""One round is fetched while the one before it is read and worked into the frontier.

Fetching waits for sites, in a thread with an event loop of its own. All that needs the engine stays in the
main thread, where an interrupt ends its workers. Either may be missing: then the other has all to itself.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from corpulyzer.corpus import rounds
from corpulyzer.jobs.crawl.fetching import FetchHere, Fetching, FetchList, Interrupt, Visit
from corpulyzer.jobs.crawl.outage import Outage
from corpulyzer.jobs.crawl.phases import update
from corpulyzer.jobs.crawl.redirects import scope_of
from corpulyzer.jobs.crawl.rendering import Rendering
from corpulyzer.records import Document

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.corpus.rounds import Round
    from corpulyzer.engine import Engine
    from corpulyzer.jobs.crawl.log import CrawlLog
    from corpulyzer.jobs.crawl.resume import Memory
    from corpulyzer.jobs.crawl.shards.fetchers import Fetchers
    from corpulyzer.records import Fetch
    from corpulyzer.web.fetch.recorder import Result
    from corpulyzer.web.fetch.settings import FetchSettings

LOST_SQL = """
select url, site, verdict.detail as error from documents where verdict.reason = 'extract_failed'
order by id nulls last
"""


@dataclass(frozen=True, slots=True)
class SideBySide:
    """The work of one run of a crawl, which ends at a time of the monotonic clock."""

    corpus: CorpusFolder
    engine: Engine
    settings: FetchSettings
    memory: Memory
    interrupt: Interrupt
    log: CrawlLog
    ends: float
    pause_seconds: float
    fetchers: Fetchers

    def __call__(self, last: Round | None, now: Round | None) -> set[str]:
        """Work the last round in and fetch this one; return why some of its list is left.

        The last round stays uncommitted if pages of it have to wait for a browser.
        """
        with ThreadPoolExecutor(1, "fetching") as thread:
            fetching = thread.submit(self._fetch, now, self._fetcher(now)) if now is not None else None
            try:
                if last is not None:
                    self._learn(last)
                left = fetching.result() if fetching is not None else set()
            except BaseException:
                if fetching is not None and not fetching.done():
                    self.interrupt.at_once()
                raise
        if last is not None:  # until now the fetcher may have asked the version before
            last.next.frontier().forget_others()
        return left

    @property
    def renders(self) -> bool:
        """Whether a round that is worked in asks sites for something."""
        return self.settings.render == "needed"

    def _fetch(self, now: Round, fetch: FetchList) -> set[str]:
        """Fetch what is left of the list, within the time that there is; return why some of it still is."""
        from corpulyzer.jobs.crawl.resume import is_request
        from corpulyzer.jobs.crawl.round_archive import recorded

        if now.done("fetched"):
            return set()
        start = time.monotonic()
        left = Fetching(self.corpus, fetch, self._outage(), self.ends)(now)
        notes = {
            "requests": sum(map(is_request, recorded(now))),
            "left": left.total(),
            "seconds": round(time.monotonic() - start, 1),
        }
        now.write("fetched", notes)
        self.log.tell("fetched", {"round": now.number, **notes})
        return set(left)

    def _learn(self, last: Round) -> None:
        """Make the documents of a round, and work them into the frontier."""
        rounds.make_tables(last, self.corpus.config, self.engine)
        if self.renders and not self._render(last):
            return
        self.log.tell("parsed", {"round": last.number})
        documents = {"documents": last.table("documents", Document)}
        for lost in self.engine.query(LOST_SQL, documents).to_pylist():
            self.log.tell("internal", lost)
        updated = update(self.corpus, self.engine, last)
        fetched, made = last.read("fetched"), last.read("settings")
        notes = {
            **updated,
            "requests": fetched["requests"],
            "left": fetched["left"],
            "seconds": fetched["seconds"],
            "strategy": self.corpus.config.frontier.strategy,
            "listed_after": made.get("listed_after", last.number - 1),
        }
        last.write("commit", notes)
        self.log.tell("commit", {"round": last.number, **notes})

    def _render(self, last: Round) -> bool:
        """Load the pages that need it in a browser, and make their documents; False if some must wait."""
        if last.done("rendered"):
            return True
        seconds = self.corpus.config.crawl.round_minutes * 60
        render = Rendering(
            self._visit(last), self._outage(), self.engine, self.ends, seconds, self.log.skipped
        )
        notes = render(last)
        rounds.make_tables(last, self.corpus.config, self.engine)
        if notes is None:
            return False
        last.write("rendered", notes)
        self.log.tell("rendered", {"round": last.number, **notes})
        return True

    def _fetcher(self, now: Round) -> FetchList:
        """One fetcher here, or several that share the sites."""
        if self.corpus.config.crawl.fetchers == 1:
            return FetchHere(partial(self._visit, now))
        from corpulyzer.jobs.crawl.shards.sharing import Sharing

        return Sharing(
            corpus=self.corpus,
            fetchers=self.fetchers,
            settings=self.settings,
            memory=self.memory,
            interrupt=self.interrupt,
            on_fetch=self._told,
            on_skip=self.log.skipped,
        )

    def _visit(self, now: Round) -> Visit:
        return Visit(self.settings, self.memory, scope_of(self.corpus, now), self.interrupt, self._report)

    def _outage(self) -> Outage:
        return Outage(self.settings, self.memory, self.interrupt, self.log.tell, self.pause_seconds)

    def _report(self, result: Result) -> None:
        self._told(result.fetch)

    def _told(self, fetch: Fetch) -> None:
        if fetch.purpose == "page":
            self.log.tell("page", {"url": fetch.url, "outcome": fetch.outcome, "status": fetch.status})
