"""The crawl: rounds of inject, generate, fetch, parse and update, each small enough to learn from (CZ-1).

Every phase leaves a file when it is done, and what was fetched is in the archive, so a crawl that was killed
goes on where it was: with the list minus the archive.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from corpulyzer.corpus import rounds
from corpulyzer.corpus.rounds import Round
from corpulyzer.corpus.settings.plugins import PAGE_KINDS, plugins_of
from corpulyzer.errors import UserError
from corpulyzer.jobs.crawl.choosing import TOO_SOON, Choosing
from corpulyzer.jobs.crawl.control import Watch
from corpulyzer.jobs.crawl.fetching import Interrupt, archive_info
from corpulyzer.jobs.crawl.log import CrawlLog, OnEvent, ignore
from corpulyzer.jobs.crawl.outage import FIRST_PAUSE_SECONDS, NoNetworkError
from corpulyzer.jobs.crawl.side_by_side import SideBySide
from corpulyzer.jobs.status.funnels import count_on_cluster
from corpulyzer.storage import is_remote
from corpulyzer.storage.lock import changing, editing
from corpulyzer.web import seeds
from corpulyzer.web.fetch.http.proxy import PROXY, must_be_there, proxies
from corpulyzer.web.fetch.render import ready
from corpulyzer.web.fetch.settings import FetchSettings, user_agent
from corpulyzer.web.frontier.store.freed_memory import keep_freed_memory

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine import Engine
    from corpulyzer.jobs.crawl.shards.fetchers import Fetchers

FOR_ALL = ("breadth", "opic")
"""The strategies that need no language to look for."""


@dataclass(frozen=True, slots=True)
class Ended:
    """Why a crawl ended, whether that was what was asked for, and what the crawl has come to in all.

    `hint` is the next step where the reason alone does not say it.
    """

    reason: str
    as_asked: bool
    rounds: int
    pages: int
    good: int
    hint: str = ""


@dataclass
class Crawl:
    """A crawl of a corpus on an engine. `run` goes on where the crawl was, however it ended before."""

    corpus: CorpusFolder
    engine: Engine
    on_event: OnEvent = ignore
    interrupt: Interrupt = field(default_factory=Interrupt)
    pause_seconds: float = FIRST_PAUSE_SECONDS

    def run(self) -> Ended:
        """Crawl until a limit is reached, nothing is left to fetch, or someone wishes to stop."""
        from corpulyzer.jobs.crawl.shards.fetchers import Processes, fetchers_on

        settings = self._checked()
        keep_freed_memory()
        with changing(self.corpus.storage, "crawl"), Watch(self.corpus.storage, self.interrupt) as watch:
            crawl = self.corpus.config.crawl
            fetchers = fetchers_on(self.engine, crawl) if crawl.fetchers > 1 else Processes()
            try:
                return self._rounds(settings, watch, fetchers)
            except NoNetworkError as away:
                done = rounds.current(self.corpus.storage).number - 1
                return Ended("no network", False, done, *totals(self.corpus), hint=away.hint)
            except Exception as error:
                self._log.broke_off(error)
                raise
            finally:
                fetchers.release()

    def _rounds(self, settings: FetchSettings, watch: Watch, fetchers: Fetchers) -> Ended:
        from corpulyzer.jobs.crawl.resume import Memory
        from corpulyzer.jobs.crawl.shards.sharing import take_up_shards, wait_for_taken

        storage, log = self.corpus.storage, self._log
        rounds.whole_frontier(storage).forget_others()  # of a commit that was killed at its end
        self.corpus.table("fetches")  # says so if it is of another version
        began, recent = time.monotonic(), rounds.rounds(storage)[-rounds.MOST_OPEN :]
        for each in recent:
            take_up_shards(each, archive_info(settings), self.corpus.config.crawl.lease_seconds)
        memory = Memory.recall(self.corpus, settings, log.skipped)
        for each in recent:
            wait_for_taken(memory, each)
        memory.faults.on_fault, memory.faults.on_aside = log.fault, log.set_aside
        choose = Choosing(self.corpus, self.engine, memory, log.tell)
        ends, pause = self._ends(began), self.pause_seconds
        work = SideBySide(
            self.corpus, self.engine, settings, memory, self.interrupt, log, ends, pause, fetchers
        )
        for each in rounds.opened(storage):
            if each.done("list"):
                log.tell("resumed", {"round": each.number})
        while True:
            last, now = self._open()
            if last is None:
                watch.hold()
            is_alone = last is not None and (work.renders or watch.wants_pause)
            reason = TOO_SOON if is_alone else self._begin(now, last, choose, began)
            if reason and last is None:
                return self._ended(reason, now)
            left = work(last, None if reason else now)
            if last is not None and not last.done("commit"):  # pages of it wait for a browser
                return self._ended(self._limit(last, totals(self.corpus)[0], began), last)
            if PROXY in left:
                work(now, None)
                self._must_go_on(now, settings)

    def _open(self) -> tuple[Round | None, Round]:
        """The round that is fetched and not worked in, if there is one, and the round to fetch."""
        last = rounds.current(self.corpus.storage)
        return (last, last.next) if last.done("fetched") else (None, last)

    def _begin(self, now: Round, last: Round | None, choose: Choosing, began: float) -> str:
        """Guarantee that a round has its list; returns why it does not get one, if so."""
        if now.done("list"):
            return ""
        pages = rounds.before(self.corpus.storage, now.number)["requests"]
        if reason := self._limit(now, pages, began):
            return reason
        with editing(self.corpus.storage, "crawl"):  # a seed that comes now is of the next round
            return choose(now, pages) if last is None else choose.ahead(now, last, pages)

    def _ended(self, reason: str, now: Round) -> Ended:
        """The end of the crawl before a round, with all that follows from its rounds brought up to date."""
        from corpulyzer.corpus.kept_documents import write_kept
        from corpulyzer.jobs.dead_pages import retire_gone

        if gone := retire_gone(self.corpus, self.engine):
            self._log.tell("gone", {"documents": gone})
        write_kept(self.corpus.storage, self.engine)
        count_on_cluster(self.corpus, self.engine)
        return Ended(reason, not self.interrupt.wishes, now.number - 1, *totals(self.corpus))

    def _checked(self) -> FetchSettings:
        """The settings of the fetcher; UserError if something is missing that a crawl needs."""
        from corpulyzer.jobs.crawl.shards.sharing import must_be_shareable

        config, storage = self.corpus.config, self.corpus.storage
        user_agent(config.crawl.contact)
        strategy = config.frontier.strategy
        if not self.corpus.targets.languages and strategy not in FOR_ALL:
            raise UserError(
                f"The strategy {strategy} looks for certain languages, and the corpus is for all.",
                'Set frontier.strategy = "breadth" or "opic", or name the languages in corpus.languages.',
            )
        if is_remote(storage.root):
            _must_be_sealed(self.corpus)
        if not storage.exists(seeds.FILE):
            hint = "Add some with `corpulyzer seeds add URL…` or `corpulyzer seeds file PATH`."
            raise UserError("There are no seeds to begin with.", hint)
        must_be_there(proxies(config.fetch.proxy, os.environ))
        settings = replace(config.fetch, contact=config.crawl.contact)
        must_be_shareable(settings, config.crawl)
        ready.must_be_there(settings)
        self.corpus.load_plugins(plugins_of(config, *PAGE_KINDS))
        return settings

    def _must_go_on(self, now: Round, settings: FetchSettings) -> None:
        """Return if the proxy was away for a moment only; UserError if it is gone or lets nothing through."""
        must_be_there(proxies(settings.proxy, os.environ))
        if not now.read("fetched")["requests"]:
            hint = "Run the same command again to go on, with more file handles (`ulimit -n`) if it recurs."
            raise UserError("The proxy takes connections, but no page of the round could be asked for.", hint)

    def _limit(self, now: Round, pages: int, began: float) -> str:
        """The reason not to begin a round after so many requests; empty if there is none."""
        limits = self.corpus.config.crawl
        if self.interrupt.wishes:
            return "stopped"
        if limits.pages and pages >= limits.pages:
            return f"{limits.pages:,} pages were asked for"
        if limits.rounds and now.number > limits.rounds:
            return f"{limits.rounds:,} rounds were asked for"
        if limits.minutes and time.monotonic() - began >= limits.minutes * 60:
            return f"{limits.minutes:g} minutes were asked for"
        return ""

    def _ends(self, began: float) -> float:
        """The time of the monotonic clock at which a run that began then has to end."""
        minutes = self.corpus.config.crawl.minutes
        return began + minutes * 60 if minutes else float("inf")

    @property
    def _log(self) -> CrawlLog:
        return CrawlLog(self.corpus.storage, self.on_event)


def _must_be_sealed(corpus: CorpusFolder) -> None:
    """Guarantee that a crawl in an object store can seal all that it writes; UserError if not."""
    from corpulyzer.storage.s3_objects import ANSWER_SECONDS
    from corpulyzer.storage.swap import must_compare

    root, config = corpus.storage.root, corpus.config
    if config.crawl.fetchers == 1 or config.fetch.render == "needed":
        what = "one fetcher writes" if config.crawl.fetchers == 1 else "rendered pages are written"
        hint = "Crawl with --fetchers 2 or more and without a browser, or into a folder on this machine."
        raise UserError(f"{root} cannot be written record by record, as {what}.", hint)
    least = 2 * ANSWER_SECONDS
    if config.crawl.lease_seconds < least:
        raise UserError(
            f"crawl.lease_seconds is {config.crawl.lease_seconds:g}, and one answer of a store may take "
            f"{ANSWER_SECONDS:g} seconds.",
            f"Set crawl.lease_seconds to {least:g} or more.",
        )
    must_compare(corpus.storage, "logs")


def totals(corpus: CorpusFolder) -> tuple[int, int]:
    """Requests for pages, and good pages, of all rounds so far."""
    begun = rounds.rounds(corpus.storage)
    done = rounds.before(corpus.storage, begun[-1].number + 1 if begun else 1)
    return done["requests"], done["good"]
