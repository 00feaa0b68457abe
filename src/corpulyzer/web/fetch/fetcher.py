"""Fetch a list of URLs from the web, site by site: what a round of a crawl calls.

Each site is a lane of its own, with one request at a time and its own pauses, so a slow site delays nobody
else. What cannot be fetched in time comes back to the caller.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Coroutine, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar

from corpulyzer.records import Fetch
from corpulyzer.web.fetch.addresses import Addresses
from corpulyzer.web.fetch.ask import Tools
from corpulyzer.web.fetch.faults import Faults, Listener
from corpulyzer.web.fetch.http.address_guard import Guard
from corpulyzer.web.fetch.http.client import Client
from corpulyzer.web.fetch.http.network import NETWORK, Doubt, Network, Probe
from corpulyzer.web.fetch.http.proxy import proxies
from corpulyzer.web.fetch.http.resolve import CachedResolver, Resolver, SystemResolver
from corpulyzer.web.fetch.http.route import Router
from corpulyzer.web.fetch.lanes import Lanes, Left, anywhere
from corpulyzer.web.fetch.politeness import Bar, SiteState, unbarred
from corpulyzer.web.fetch.recorder import Archive, Log, Request, Result
from corpulyzer.web.fetch.robots.permission import RobotsCache
from corpulyzer.web.fetch.settings import AGENT, FetchSettings

if TYPE_CHECKING:
    from corpulyzer.web.fetch.render.renderings import Read, Unrendered

OnResult = Callable[[Result], None]
T = TypeVar("T")


class Work(Protocol):
    """What is under way, and can be stopped."""

    def stop(self, reason: str = ...) -> None: ...
    def abort(self) -> None: ...


class Fetcher(Protocol):
    """Whatever can fetch a list of URLs."""

    async def fetch(
        self,
        requests: Iterable[Request],
        on_result: OnResult,
        *,
        archive: Archive,
        round: int,
        seconds: float,
        patience_seconds: float = ...,
    ) -> list[Left]:
        """Fetch what can be fetched in so many seconds; the rest is returned.

        `on_result` is called once for every record written, redirects and robots.txt included. A site that
        would have to be waited for longer than `patience_seconds` gives its URLs back at once.
        """
        ...

    def stop(self) -> None:
        """Begin nothing more; `fetch` returns when what is under way has ended."""
        ...

    def abort(self) -> None:
        """Drop what is under way too; `fetch` returns at once."""
        ...


class WebFetcher:
    """Fetches over the network. Use it in `async with`; one after the other may live in the same process.

    `robots` and `sites` are what earlier fetches have taught (see `RobotsCache.replay` and
    `politeness.replay`); both grow as it works, and so does a `CachedResolver` that is handed in. `scope`
    says of a redirect's target why it is not followed. `faults` counts our own errors. With a `network`,
    URLs that could not be reached because the network is away are returned as left. `addresses` says which
    of them may have fewer connections, and learns. `bar` is asked right before each request, and says why it
    must not be made.
    """

    def __init__(
        self,
        settings: FetchSettings,
        *,
        resolver: Resolver | None = None,
        robots: RobotsCache | None = None,
        sites: dict[str, SiteState] | None = None,
        scope: Callable[[str], str] = anywhere,
        faults: Faults | None = None,
        network: Network | None = None,
        addresses: Addresses | None = None,
        environment: Mapping[str, str] | None = None,
        clock: Callable[[], float] = time.time,
        bar: Bar = unbarred,
    ) -> None:
        self.settings = settings
        self.robots = RobotsCache(AGENT) if robots is None else robots
        self.sites = {} if sites is None else sites
        if not isinstance(resolver, CachedResolver):
            resolver = CachedResolver(resolver or SystemResolver())
        guard = Guard(settings.allow_private, settings.allow)
        self.faults = Faults() if faults is None else faults
        self._network = network
        self._addresses = Addresses() if addresses is None else addresses
        self._probe = Probe(guard, resolver)
        self._router = Router(
            guard,
            resolver,
            proxies(settings.proxy, os.environ if environment is None else environment),
        )
        self._scope = scope
        self._clock = clock
        self._bar = bar
        self._client: Client | None = None
        self._work: Work | None = None

    async def fetch(
        self,
        requests: Iterable[Request],
        on_result: OnResult,
        *,
        archive: Archive,
        round: int,
        seconds: float,
        patience_seconds: float = float("inf"),
    ) -> list[Left]:
        """See `Fetcher.fetch`. A request that began in time may take `settings.total_seconds` more."""
        tools = self._tools(on_result, Log(archive, round))
        lanes = Lanes(tools, deadline=self._clock() + seconds, patience_seconds=patience_seconds)
        return await self._under_way(tools, lanes, lanes.run(requests))

    async def render(
        self,
        pages: Iterable[Fetch],
        read: Read,
        on_result: OnResult,
        *,
        archive: Archive,
        round: int,
        seconds: float,
        patience_seconds: float = float("inf"),
    ) -> list[Unrendered]:
        """Load fetched pages in a browser, in so many seconds; the rest is returned.

        `read` gives a page as it was received. `on_result` is called for each record: what the scripts of a
        page asked for, and the page as the browser made it.
        """
        from corpulyzer.web.fetch.render.renderings import Renderings

        tools = self._tools(on_result, Log(archive, round))
        work = Renderings(tools, deadline=self._clock() + seconds, patience_seconds=patience_seconds)
        return await self._under_way(tools, work, work.run(pages, read))

    def _tools(self, on_result: OnResult, log: Log) -> Tools:
        if self._client is None:
            raise RuntimeError("a WebFetcher is used in `async with`")
        return Tools(
            settings=self.settings,
            client=self._client,
            router=self._router,
            robots=self.robots,
            sites=self.sites,
            scope=self._scope,
            log=log,
            on_result=Listener(on_result),
            clock=self._clock,
            faults=self.faults,
            addresses=self._addresses,
            doubt=Doubt(self._network, self._probe, self._lose_network)
            if self._network is not None
            else None,
            bar=self._bar,
        )

    async def _under_way(self, tools: Tools, work: Work, end: Coroutine[Any, Any, T]) -> T:
        """Wait for the end of what `stop` and `abort` are meant for."""
        self._work = work
        try:
            return await end
        finally:
            self._work = None
            if tools.doubt is not None:
                tools.doubt.close()

    def _lose_network(self) -> None:
        if self._work is not None:
            self._work.stop(NETWORK)

    def stop(self) -> None:
        """Begin nothing more; `fetch` returns when what is under way has ended."""
        if self._work is not None:
            self._work.stop()

    def abort(self) -> None:
        """Drop what is under way too; `fetch` returns at once."""
        if self._work is not None:
            self._work.abort()

    async def __aenter__(self) -> Self:
        self._client = Client(self.settings)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None
