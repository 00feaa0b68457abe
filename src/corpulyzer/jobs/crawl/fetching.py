"""The fetching of one round: an event loop of its own, the wish to stop, and tries through outages."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import corpulyzer
from corpulyzer.jobs.crawl.outage import Outage, longer
from corpulyzer.jobs.crawl.pace import LEAST_SECONDS, TIMES_AS_PLANNED, TIMES_THE_HALF, begins, pauses
from corpulyzer.web.fetch.politeness import Bar, unbarred
from corpulyzer.web.fetch.settings import FetchSettings, user_agent

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.corpus.rounds import Round
    from corpulyzer.jobs.crawl.resume import Memory
    from corpulyzer.jobs.crawl.round_archive import RoundArchive
    from corpulyzer.records import Fetch
    from corpulyzer.web.fetch.fetcher import WebFetcher
    from corpulyzer.web.fetch.lanes import Left
    from corpulyzer.web.fetch.recorder import NotedArchive, Request, Result
    from corpulyzer.web.fetch.render.renderings import Read, Unrendered

PATIENCE_SECONDS = 60.0
"""A site that wants to be left alone for longer is left for another round, unless it is by our own pauses."""


@dataclass
class Interrupt:
    """A wish to stop: one for the end of the round, a second for at once. `wake` is called each time."""

    wishes: int = 0
    wake: Callable[[], None] = field(default=lambda: None)

    def __call__(self) -> None:
        self.wishes += 1
        self.wake()

    def at_once(self) -> None:
        """Wish it for the second time, whether or not there was a first."""
        self.wishes = max(2, self.wishes)
        self.wake()


@dataclass
class Half:
    """Passes results on, and calls `when_done` when half of all pages are there.

    From then on the round lasts `rest` more seconds, so that a few sites that answer slowly do not hold it
    up. It has `planned` seconds at least, as many again and some more, for who is slow may be this machine.
    """

    pages: int
    planned: float
    on_result: Callable[[Result], None]
    when_done: Callable[[], object]
    begun: float = field(default_factory=time.monotonic)
    done: int = 0

    @property
    def rest(self) -> float:
        elapsed = time.monotonic() - self.begun
        least = LEAST_SECONDS + TIMES_AS_PLANNED * self.planned
        return max(least, TIMES_THE_HALF * elapsed) - elapsed

    def __call__(self, result: Result) -> None:
        self.on_result(result)
        self.done += result.fetch.purpose == "page"
        if self.done == (self.pages + 1) // 2:
            self.when_done()


@dataclass(frozen=True, slots=True)
class Visit:
    """One round's fetching, in an event loop of its own."""

    settings: FetchSettings
    memory: Memory
    scope: Callable[[str], str]
    interrupt: Interrupt
    on_result: Callable[[Result], None]
    bar: Bar = unbarred

    async def __call__(
        self, requests: list[Request], archive: NotedArchive, round: int, seconds: float
    ) -> list[Left]:
        """Fetch; return what was not fetched."""
        loop = asyncio.get_running_loop()
        async with self._fetcher() as fetcher:
            noted = partial(self._noted, archive)
            pages = [request.url for request in requests if request.purpose == "page"]
            planned = max(begins(pages, pauses(self.settings, self.memory.robots)), default=0.0)
            half = Half(len(pages), planned, noted, lambda: loop.call_later(half.rest, fetcher.stop))
            return await fetcher.fetch(
                requests,
                half,
                archive=archive,
                round=round,
                seconds=seconds,
                patience_seconds=self._patience_seconds,
            )

    async def render(
        self,
        pages: list[Fetch],
        read: Read,
        archive: RoundArchive,
        round: int,
        seconds: float,
    ) -> list[Unrendered]:
        """Load fetched pages in a browser; return what was not loaded."""
        async with self._fetcher() as fetcher:
            return await fetcher.render(
                pages,
                read,
                partial(self._noted, archive),
                archive=archive,
                round=round,
                seconds=seconds,
                patience_seconds=self._patience_seconds,
            )

    @asynccontextmanager
    async def _fetcher(self) -> AsyncIterator[WebFetcher]:
        """A fetcher that knows what the crawl has learned, and stops when someone wishes it."""
        from corpulyzer.web.fetch.fetcher import WebFetcher

        fetcher = WebFetcher(
            self.settings,
            resolver=self.memory.resolver,
            robots=self.memory.robots,
            sites=self.memory.sites,
            scope=self.scope,
            faults=self.memory.faults,
            network=self.memory.network,
            addresses=self.memory.addresses,
            bar=self.bar,
        )
        loop = asyncio.get_running_loop()

        def stop() -> None:
            (fetcher.abort if self.interrupt.wishes > 1 else fetcher.stop)()

        def wake() -> None:
            loop.call_soon_threadsafe(stop)

        self.interrupt.wake = wake
        try:
            async with fetcher:
                yield fetcher
        finally:
            self.interrupt.wake = lambda: None

    def _noted(self, archive: NotedArchive, result: Result) -> None:
        archive.note(result.fetch)
        self.on_result(result)

    @property
    def _patience_seconds(self) -> float:
        """Longer than every pause between two requests: with less, each round might end without a page."""
        pause = max(self.settings.delay_seconds, self.settings.max_delay_seconds)
        return max(PATIENCE_SECONDS, pause + 1.0)


def archive_info(settings: FetchSettings) -> dict[str, str]:
    """What the archives of a crawl say of who wrote them."""
    return {
        "software": f"Corpulyzer/{corpulyzer.__version__}",
        "http-header-user-agent": user_agent(settings.contact),
    }


FetchList = Callable[["Round", "list[Request]", float], "Counter[str]"]
"""Fetches for a round in so many seconds; returns why some of it was not fetched, and how often."""


@dataclass(frozen=True, slots=True)
class FetchHere:
    """Fetches in this process, into archives that grow record by record; `visit` is asked for each time."""

    visit: Callable[[], Visit]

    def __call__(self, now: Round, requests: list[Request], seconds: float) -> Counter[str]:
        """Fetch; return why some of it was not fetched, and how often."""
        from corpulyzer.jobs.crawl.round_archive import RoundArchive

        visit = self.visit()
        with RoundArchive(now, archive_info(visit.settings)) as archive:
            left = asyncio.run(visit(requests, archive, now.number, seconds))
        return Counter(each.reason for each in left)


@dataclass(frozen=True, slots=True)
class Fetching:
    """The fetching of a round, through outages of the network; it ends at a time of the monotonic clock.

    The network may be there for this process, and not for a fetcher on another machine. So there are pauses
    between tries, and with these they take no longer than a round may. The time of an outage does not count.
    """

    corpus: CorpusFolder
    fetch: FetchList
    outage: Outage
    ends: float

    def __call__(self, now: Round) -> Counter[str]:
        """Fetch the list; return why some of it was not fetched, and how often."""
        from corpulyzer.web.fetch.http.network import NETWORK

        rest, wait, pause = self.corpus.config.crawl.round_minutes * 60, 0.0, self.outage.first_seconds
        while True:
            begun = time.monotonic()
            left = self._once(now, rest)
            rest -= time.monotonic() - begun + wait
            if not left[NETWORK] or rest <= 0 or not self.outage.is_over(self._seconds(), wait):
                return left
            wait, pause = pause, longer(pause)

    def _once(self, now: Round, seconds: float) -> Counter[str]:
        """Fetch what the archives of the round do not have yet, in so many seconds."""
        from corpulyzer.jobs.crawl.resume import remaining
        from corpulyzer.jobs.crawl.round_archive import recorded

        requests = remaining(now, recorded(now), self.corpus)
        left = self.fetch(now, requests, min(seconds, self._seconds())) if requests else Counter()
        if self.outage.interrupt.wishes > 1:
            raise KeyboardInterrupt
        return left

    def _seconds(self) -> float:
        return max(1.0, self.ends - time.monotonic())
