"""The fetching of one round: an event loop of its own, the wish to stop, and the wait for the network."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import corpulyzer
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

FIRST_PAUSE_SECONDS = 5.0
LONGEST_PAUSE_SECONDS = 60.0
GIVE_UP_SECONDS = 6 * 3600.0
"""After this long without a network the crawl ends; the same command resumes it later."""

ALONE_SECONDS = 600.0
"""The same where only one host has ever answered, because that host may be what is away."""


class NoNetworkError(Exception):
    """The network is away: no host could be reached, and no page is to be blamed for it."""

    hint = (
        "No host could be reached by name or connection: the network is away, or all these sites are gone. "
        "No page is marked as failed. Check the network, or else the seeds, and run the same command again."
    )


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


@dataclass(frozen=True, slots=True)
class Outage:
    """Waits for a network that has gone away, and asks after it from time to time."""

    settings: FetchSettings
    memory: Memory
    interrupt: Interrupt
    tell: Callable[[str, dict[str, Any]], None]
    first_seconds: float = FIRST_PAUSE_SECONDS

    def is_over(self, seconds: float) -> bool:
        """Return True when the network is back; False if someone wishes to stop or `seconds` have passed.

        NoNetworkError if nobody has answered since the crawl was started, or if it takes too long.
        """
        if not self.memory.network.has_answered:
            raise NoNetworkError
        if self.interrupt.wishes:
            return False
        begun, pause = time.monotonic(), self.first_seconds
        hosts = sorted({host for host, _ in self.memory.network.hosts})
        patience = GIVE_UP_SECONDS if len(hosts) > 1 else ALONE_SECONDS
        self.tell("network", {"state": "away", "hosts": hosts})
        while not self._is_back():
            end = min(time.monotonic() + pause, begun + seconds)
            if not self._sleep(end) or time.monotonic() >= begun + seconds:
                return False
            if time.monotonic() - begun > patience:
                raise NoNetworkError
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
        self.memory.resolver.forget_missing()
        self.tell("network", {"state": "back", "seconds": round(time.monotonic() - begun, 1)})
        return True

    def _is_back(self) -> bool:
        from corpulyzer.web.fetch.http.address_guard import Guard
        from corpulyzer.web.fetch.http.network import Probe

        guard = Guard(self.settings.allow_private, self.settings.allow)
        return asyncio.run(Probe(guard, self.memory.resolver)(self.memory.network))

    def _sleep(self, until: float) -> bool:
        """Sleep until a time; False as soon as someone wishes to stop."""
        woken = threading.Event()
        self.interrupt.wake = woken.set
        try:
            while not self.interrupt.wishes and (rest := until - time.monotonic()) > 0:
                woken.wait(rest)
                woken.clear()
            return not self.interrupt.wishes
        finally:
            self.interrupt.wake = lambda: None


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
    """The fetching of a round, through outages of the network; it ends at a time of the monotonic clock."""

    corpus: CorpusFolder
    fetch: FetchList
    outage: Outage
    ends: float

    def __call__(self, now: Round) -> Counter[str]:
        """Fetch the list; return why some of it was not fetched, and how often."""
        from corpulyzer.web.fetch.http.network import NETWORK

        left = self._once(now)
        while left[NETWORK] and self.outage.is_over(self._seconds()):
            left = self._once(now)
        return left

    def _once(self, now: Round) -> Counter[str]:
        """Fetch what the archives of the round do not have yet."""
        from corpulyzer.jobs.crawl.resume import remaining
        from corpulyzer.jobs.crawl.round_archive import recorded

        requests = remaining(now, recorded(now), self.corpus)
        seconds = min(self.corpus.config.crawl.round_minutes * 60, self._seconds())
        left = self.fetch(now, requests, seconds) if requests else Counter()
        if self.outage.interrupt.wishes > 1:
            raise KeyboardInterrupt
        return left

    def _seconds(self) -> float:
        return max(1.0, self.ends - time.monotonic())
