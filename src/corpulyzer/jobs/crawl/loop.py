"""The crawl: rounds of inject, generate, fetch, parse and update, each small enough to learn from (CZ-1).

Every phase leaves a file when it is done, and what was fetched is in the archive, so a crawl that was killed
goes on where it was: with the list minus the archive.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

import corpulyzer
from corpulyzer.corpus import rounds
from corpulyzer.corpus.rounds import Round
from corpulyzer.corpus.settings.plugins import PAGE_KINDS, plugins_of, without_sources
from corpulyzer.errors import UserError
from corpulyzer.jobs.crawl.control import Watch
from corpulyzer.jobs.crawl.fetching import (
    FIRST_PAUSE_SECONDS,
    Fetching,
    Interrupt,
    NoNetworkError,
    Outage,
    Visit,
)
from corpulyzer.jobs.crawl.link_reader import reader_of
from corpulyzer.jobs.crawl.log import CrawlLog, OnEvent, ignore
from corpulyzer.jobs.crawl.phases import bring_forward, inject, note_forward, update
from corpulyzer.jobs.crawl.rendering import Rendering
from corpulyzer.records import Document, int64_hash
from corpulyzer.storage import is_remote
from corpulyzer.storage.lock import changing, editing
from corpulyzer.web import seeds
from corpulyzer.web.fetch.http.proxy import PROXY, must_be_there, proxies
from corpulyzer.web.fetch.render import ready
from corpulyzer.web.fetch.settings import FetchSettings, user_agent
from corpulyzer.web.frontier import Situation
from corpulyzer.web.frontier.generate import Generate
from corpulyzer.web.frontier.store.keys import Of

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine import Engine
    from corpulyzer.jobs.crawl.resume import Memory
    from corpulyzer.web.fetch.recorder import Result

ROUNDS_OF_A_BUDGET = 16
FIRST_ROUND_OF_A_BUDGET = 80
FIRST_ROUND_PAGES = 100
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
        settings = self._checked()
        with changing(self.corpus.storage, "crawl"), Watch(self.corpus.storage, self.interrupt) as watch:
            try:
                return self._rounds(settings, watch)
            except NoNetworkError as away:
                done = rounds.current(self.corpus.storage).number - 1
                return Ended("no network", False, done, *totals(self.corpus), hint=away.hint)
            except Exception as error:
                self._log.broke_off(error)
                raise

    def _rounds(self, settings: FetchSettings, watch: Watch) -> Ended:
        from corpulyzer.corpus.kept_documents import write_kept
        from corpulyzer.jobs.crawl.resume import Memory
        from corpulyzer.jobs.dead_pages import retire_gone

        rounds.whole_frontier(self.corpus.storage).forget_others()  # of a commit that was killed at its end
        self.corpus.table("fetches")  # says so if it is of another version
        began, memory = time.monotonic(), Memory.recall(self.corpus, settings, self._log.skipped)
        memory.faults.on_fault, memory.faults.on_aside = self._log.fault, self._log.set_aside
        while True:
            watch.hold()
            now = rounds.current(self.corpus.storage)
            pages, good = totals(self.corpus)
            if now.done("list") or not (reason := self._limit(now, pages, began)):
                with editing(self.corpus.storage, "crawl"):  # a seed that comes now is of the next round
                    reason = self._begin(now, pages, memory)
            if reason:
                if gone := retire_gone(self.corpus, self.engine):
                    self._tell("gone", {"documents": gone})
                write_kept(self.corpus.storage, self.engine)
                return Ended(reason, not self.interrupt.wishes, now.number - 1, pages, good)
            visit = Visit(settings, memory, self._scope(now), self.interrupt, self._report)
            reasons = self._fetch(now, visit, began)
            rounds.make_tables(now, self.corpus.config, self.engine)
            if settings.render == "needed" and not self._render(now, visit, began):
                write_kept(self.corpus.storage, self.engine)
                reason = self._limit(now, pages, began)
                return Ended(reason, not self.interrupt.wishes, now.number - 1, pages, good)
            self._tell("parsed", {"round": now.number})
            self._finish(now)
            if PROXY in reasons:
                self._must_go_on(now, settings)

    def _checked(self) -> FetchSettings:
        """The settings of the fetcher; UserError if something is missing that a crawl needs."""
        config, storage = self.corpus.config, self.corpus.storage
        user_agent(config.crawl.contact)
        strategy = config.frontier.strategy
        if not self.corpus.targets.languages and strategy not in FOR_ALL:
            raise UserError(
                f"The strategy {strategy} looks for certain languages, and the corpus is for all.",
                'Set frontier.strategy = "breadth" or "opic", or name the languages in corpus.languages.',
            )
        if is_remote(storage.root):
            hint = "Crawl into a folder on this machine; `corpulyzer process` can then run anywhere."
            raise UserError(f"{storage.root} cannot be written record by record.", hint)
        if not storage.exists(seeds.FILE):
            hint = "Add some with `corpulyzer seeds add URL…` or `corpulyzer seeds file PATH`."
            raise UserError("There are no seeds to begin with.", hint)
        must_be_there(proxies(config.fetch.proxy, os.environ))
        settings = replace(config.fetch, contact=config.crawl.contact)
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
        """The reason not to begin a round; empty if there is none."""
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

    def _begin(self, now: Round, pages: int, memory: Memory) -> str:
        """Inject and generate, unless that is done; returns why there is nothing to fetch, if so."""
        if now.done("list"):
            self._tell("resumed", {"round": now.number})
            return ""
        frontier = inject(self.corpus, self.engine, now)
        config = self.corpus.config
        budget = config.crawl.pages
        generate = Generate(
            config.frontier.scorer,
            self.engine,
            per_site=config.frontier.per_site,
            traps=config.frontier.traps,
            shut=tuple(int64_hash(site) for site in memory.shut(time.time())),
            even=config.crawl.balance == "even",
        )
        size = round_size(now.number, budget, config.crawl.round_pages)
        size = min(size, budget - pages) if budget else size
        situation = Situation(now.number, pages / budget if budget else 0.0)
        at = int(time.time())
        listed = generate(frontier, size, at, situation)
        before = times = now.read("inject").get("forward", [])
        # What is held back may fill the front, so a short list looks behind it once, an empty one again.
        while not listed.num_rows or (2 * listed.num_rows < size and times == before):
            deeper = bring_forward(self.corpus, self.engine, now, frontier, [*times, at])
            if deeper is None:
                break
            frontier, times = deeper, [*times, at]
            listed = generate(frontier, size, at, situation)
        if not listed.num_rows:
            return nothing_left(generate.held_back(frontier, at, situation))
        if times != before:
            note_forward(self.corpus, now, frontier, times)
        asked = asdict(without_sources(config))
        now.write("settings", {"version": corpulyzer.__version__, "config": asked})
        now.write_list(listed)
        self._tell("round", {"round": now.number, "urls": listed.num_rows})
        return ""

    def _fetch(self, now: Round, visit: Visit, began: float) -> set[str]:
        """Fetch what is left of the list, within the time that there is; return why some of it still is."""
        from corpulyzer.jobs.crawl.resume import is_request
        from corpulyzer.jobs.crawl.round_archive import recorded

        if now.done("fetched"):
            return set()
        start = time.monotonic()
        left = Fetching(self.corpus, visit, self._outage(visit), self._ends(began))(now)
        done = recorded(now)
        notes = {
            "requests": sum(map(is_request, done)),
            "left": len(left),
            "seconds": round(time.monotonic() - start, 1),
        }
        now.write("fetched", notes)
        self._tell("fetched", {"round": now.number, **notes})
        return {each.reason for each in left}

    def _render(self, now: Round, visit: Visit, began: float) -> bool:
        """Load the pages that need it in a browser, and make their documents; False if some must wait."""
        if now.done("rendered"):
            return True
        seconds = self.corpus.config.crawl.round_minutes * 60
        outage = self._outage(visit)
        notes = Rendering(visit, outage, self.engine, self._ends(began), seconds, self._log.skipped)(now)
        rounds.make_tables(now, self.corpus.config, self.engine)
        if notes is None:
            return False
        now.write("rendered", notes)
        self._tell("rendered", {"round": now.number, **notes})
        return True

    def _outage(self, visit: Visit) -> Outage:
        return Outage(visit.settings, visit.memory, self.interrupt, self._tell, self.pause_seconds)

    def _ends(self, began: float) -> float:
        """The time of the monotonic clock at which a run that began then has to end."""
        minutes = self.corpus.config.crawl.minutes
        return began + minutes * 60 if minutes else float("inf")

    def _scope(self, now: Round) -> Callable[[str], str]:
        """A function from a redirect's target to why it is not followed: refused, known; empty if it is."""
        from corpulyzer.url import url_id
        from corpulyzer.web.fetch.lanes import KNOWN

        reader = reader_of(self.corpus.config)
        known = now.frontier().keys()
        return lambda url: reader.refusal(url, 0) or (KNOWN if known.has_one(Of.FETCHED, url_id(url)) else "")

    def _report(self, result: Result) -> None:
        fetch = result.fetch
        if fetch.purpose == "page":
            self._tell("page", {"url": fetch.url, "outcome": fetch.outcome, "status": fetch.status})

    def _tell(self, name: str, numbers: dict[str, Any]) -> None:
        self._log.tell(name, numbers)

    @property
    def _log(self) -> CrawlLog:
        return CrawlLog(self.corpus.storage, self.on_event)

    def _finish(self, now: Round) -> None:
        """Update the frontier with what the round has made, and commit the round."""
        documents = {"documents": now.table("documents", Document)}
        for lost in self.engine.query(LOST_SQL, documents).to_pylist():
            self._tell("internal", lost)
        updated = update(self.corpus, self.engine, now)
        fetched = now.read("fetched")
        notes = {
            **updated,
            "requests": fetched["requests"],
            "left": fetched["left"],
            "seconds": fetched["seconds"],
            "strategy": self.corpus.config.frontier.strategy,
        }
        now.write("commit", notes)
        now.frontier().forget_others()
        self._tell("commit", {"round": now.number, **notes})


def round_size(number: int, budget: int, most: int) -> int:
    """URLs of a round: small at first, so that learning begins early, and at least ten rounds of any budget.

    >>> [round_size(number, 4000, 2000) for number in range(1, 6)]
    [50, 100, 200, 250, 250]
    """
    if not budget:
        return min(most, FIRST_ROUND_PAGES << min(number - 1, 20))
    first = max(1, min(FIRST_ROUND_PAGES, budget // FIRST_ROUND_OF_A_BUDGET))
    return min(most, -(-budget // ROUNDS_OF_A_BUDGET), first << min(number - 1, 20))


def nothing_left(held_back: Mapping[str, int]) -> str:
    """Why a crawl ends whose list is empty, with what it knows of and does not fetch.

    >>> nothing_left({"of patterns that brought no new text": 1381})
    'nothing worth fetching is left; URLs held back: 1,381 of patterns that brought no new text'
    """
    if not held_back:
        return "nothing is left to fetch"
    counts = ", ".join(f"{count:,} {why}" for why, count in held_back.items())
    return f"nothing worth fetching is left; URLs held back: {counts}"


def totals(corpus: CorpusFolder) -> tuple[int, int]:
    """Requests for pages, and good pages, of all rounds so far."""
    notes = [each.read("commit") or each.read("fetched") for each in rounds.rounds(corpus.storage)]
    return sum(note.get("requests", 0) for note in notes), sum(note.get("good", 0) for note in notes)


LOST_SQL = """
select url, site, verdict.detail as error from documents where verdict.reason = 'extract_failed'
order by id nulls last
"""
