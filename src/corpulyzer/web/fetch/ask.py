"""Send a request if and when the site may be asked: robots.txt, pauses, limits, and the record of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from corpulyzer.records import Fetch
from corpulyzer.url import canonical, site_of
from corpulyzer.web.fetch.addresses import Addresses
from corpulyzer.web.fetch.faults import INTERNAL, Faults, Listener
from corpulyzer.web.fetch.http.client import Client, Route
from corpulyzer.web.fetch.http.exchange import Exchange
from corpulyzer.web.fetch.http.network import UNREACHED, Doubt
from corpulyzer.web.fetch.http.proxy import PROXY
from corpulyzer.web.fetch.http.route import RefusedRouteError, place_of
from corpulyzer.web.fetch.politeness import UNASKED, Bar, SiteState, attempt_of, unbarred
from corpulyzer.web.fetch.recorder import Log, Request, Result
from corpulyzer.web.fetch.robots.permission import (
    MAX_REDIRECTS,
    Permission,
    RobotsAnswer,
    RobotsCache,
    origin_of,
    robots_url,
)
from corpulyzer.web.fetch.robots.rules import MAX_BYTES as ROBOTS_BYTES
from corpulyzer.web.fetch.settings import FetchSettings

BACKOFF = "backoff"
"""Why a URL is left for later whose site wants to be left alone for longer than there is patience."""

TURN = "turn"
"""Why a URL is left for later to whose address others have all connections for now."""


@dataclass(frozen=True, slots=True)
class Tools:
    """What the lanes of all sites share."""

    settings: FetchSettings
    client: Client
    router: Callable[[str], Awaitable[Route]]
    robots: RobotsCache
    sites: dict[str, SiteState]
    scope: Callable[[str], str]
    log: Log
    on_result: Listener
    clock: Callable[[], float]
    faults: Faults
    addresses: Addresses
    doubt: Doubt | None = None
    bar: Bar = unbarred


class PostponedError(Exception):
    """A request that is not made now; `reason` says why, `until` from when on it may be."""

    def __init__(self, reason: str, until: float = 0.0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.until = until


class Asker:
    """Asks sites on behalf of all lanes, each site by one of them at a time, until a deadline."""

    def __init__(self, tools: Tools, *, deadline: float, patience_seconds: float) -> None:
        self._tools = tools
        self._deadline = deadline
        self._patience_seconds = patience_seconds
        self._asleep: set[asyncio.Future[None]] = set()
        self._resolving: set[asyncio.Task[None]] = set()
        self._stopping = ""
        self._busy: dict[str, asyncio.Lock] = {}
        self._addresses: dict[str, asyncio.Semaphore] = {}
        self._connections = asyncio.Semaphore(tools.settings.connections)

    def stop(self, reason: str) -> None:
        """Begin nothing more: requests that wait or look up a name are postponed for `reason`."""
        self._stopping = reason
        for sleeper in self._asleep:
            _wake(sleeper)
        for task in self._resolving:
            task.cancel()

    async def page(self, request: Request, *, purpose: str = "page", headers: tuple[str, ...] = ()) -> Result:
        """The recorded result of asking for one page, or part of one, or of the reason not to."""
        sent = request.sent
        try:
            route = await self._route(request.url)
        except RefusedRouteError as refused:
            _must_be_of_site(refused.outcome == PROXY)
            await self._must_be_there(request.url, refused.outcome)
            return self._refusal(sent, refused.outcome, refused.detail, purpose)
        permission = await self._permission(origin_of(request.url))
        if not permission.is_known:
            return self._refusal(sent, "robots_unreachable", permission.detail, purpose)
        # Rules are written for URLs as the site spells them, but another order must not get round a rule.
        if forbidden := next((url for url in (sent, request.url) if not permission.rules.allows(url)), ""):
            return self._refusal(sent, "robots_disallowed", f"robots.txt forbids {forbidden}", purpose)
        if permission.shut_out and self._tools.settings.data_miners:
            shut_out = f"robots.txt shuts out {', '.join(permission.shut_out)}"
            return self._refusal(sent, "opted_out", shut_out, purpose)
        return await self._ask(request, route, delay=permission.rules.delay, purpose=purpose, headers=headers)

    def _refusal(self, url: str, outcome: str, detail: str, purpose: str) -> Result:
        return self._tools.log.refusal(url, outcome, detail, self.now(), purpose)

    async def _route(self, url: str) -> Route:
        """The route to a URL; `stop` does not wait for a slow name server."""
        task = asyncio.current_task()
        assert task is not None
        self._resolving.add(task)
        try:
            return await self._tools.router(url)
        except asyncio.CancelledError:
            if not self._stopping:
                raise
            task.uncancel()
            raise PostponedError(self._stopping) from None
        finally:
            self._resolving.discard(task)

    async def _permission(self, origin: str) -> Permission:
        """What an origin's robots.txt says, asked for if it is not known; redirects may leave the site."""
        known = self._tools.robots.get(origin, self._tools.clock())
        if known is not None:
            return known
        chain = [robots_url(origin)]
        answer = await self._robots(chain[0], origin)
        while answer.location and answer.location not in chain and len(chain) <= MAX_REDIRECTS:
            chain.append(answer.location)
            answer = await self._robots(answer.location, origin)
        return self._tools.robots.learn(chain, answer)

    async def _robots(self, url: str, origin: str) -> RobotsAnswer:
        """The answer for the robots.txt of an origin, which may have moved to another site."""
        request = Request.of(url)
        is_own = request.site == site_of(origin)
        result = await (self.robots(request) if is_own else self.robots_of_others(request))
        self._tools.on_result(result)
        return answer_of(result)

    async def robots_of_others(self, request: Request) -> Result:
        """The recorded result of asking for a robots.txt to which that of another site leads.

        If its site must be left alone for now, that is the result. To wait for it would keep the other site,
        which may be asked, on every list.
        """
        try:
            return await self.robots(request)
        except PostponedError as postponed:
            if postponed.reason != BACKOFF:
                raise
        detail = f"{request.site} must be left alone for now"
        return self._refusal(request.sent, "robots_unreachable", detail, "robots")

    async def robots(self, request: Request) -> Result:
        """The recorded result of asking for a robots.txt."""
        url = request.sent
        try:
            route = await self._route(url)
            return await self._ask(request, route, purpose="robots", max_bytes=ROBOTS_BYTES)
        except RefusedRouteError as refused:
            _must_be_of_site(refused.outcome == PROXY)
            await self._must_be_there(url, refused.outcome)
            return self._refusal(url, refused.outcome, refused.detail, "robots")

    def learn(self, robots: Result) -> None:
        """Have a robots.txt that was asked for because of others hold for its own site if it was answered."""
        answer = answer_of(robots)
        if answer.status and not answer.location:
            self._tools.robots.learn([answer.url], answer)

    async def _ask(
        self,
        request: Request,
        route: Route,
        *,
        delay: float | None = None,
        purpose: str = "page",
        headers: tuple[str, ...] = (),
        max_bytes: int = 0,
    ) -> Result:
        """Ask a site as soon as it may be asked, and record what comes of it."""
        tools, site = self._tools, request.site
        conditions = request.previous.conditions if request.previous else ()
        address = self._address(route)
        async with self._lock(site):
            await self._pause(tools.sites.get(site, UNASKED).ready_at(tools.settings, delay))
            async with address, self._connections:
                reason = await tools.bar(site)
                self._check_time()
                if reason:
                    raise PostponedError(reason)
                exchange = await tools.client.get(
                    request.sent, route, headers=conditions + headers, max_bytes=max_bytes
                )
            _must_be_of_site(bool(route.proxy) and exchange.outcome == "connect")
            if route.proxy or exchange.outcome not in UNREACHED:
                return self._recorded(request, exchange, purpose, route)
        # Without the lock: other requests to the site must be able to go on, and one may be answered.
        await self._must_be_there(request.url, exchange.outcome)
        async with self._lock(site):
            return self._recorded(request, exchange, purpose, route)

    def _recorded(self, request: Request, exchange: Exchange, purpose: str, route: Route) -> Result:
        """Record an exchange, and update the state of its site and of the network by it."""
        result = self._tools.log.exchange(request, exchange, purpose)
        self._note(request.site, result)
        if self._tools.doubt is not None and exchange.outcome not in UNREACHED:
            self._tools.doubt.answered(None if route.proxy else (route.host, route.port))
        return result

    def fault(self, request: Request, error: Exception, purpose: str = "page") -> Result:
        """Record an error of ours at a URL; it counts as a request to its site, as it may have been."""
        result = self._refusal(request.sent, INTERNAL, f"{type(error).__name__}: {error}", purpose)
        self._note(request.site, result)
        self._tools.faults.note(request.url, request.site, error)
        return result

    def _note(self, site: str, result: Result) -> None:
        state = self._tools.sites.get(site, UNASKED)
        self._tools.sites[site] = state.after(attempt_of(result.fetch), self._tools.settings)

    async def _must_be_there(self, url: str, outcome: str) -> None:
        """Return if it is a host's own fault that it was not reached; PostponedError if the network's."""
        if self._tools.doubt is None or outcome not in UNREACHED:
            return
        if reason := await self._tools.doubt.judge(place_of(url)[0]):
            raise PostponedError(reason)

    def _lock(self, site: str) -> asyncio.Lock:
        """Held while a site is being asked, be it for its own pages or for another's robots.txt."""
        found = self._busy.get(site)
        if found is None:
            found = self._busy[site] = asyncio.Lock()
        return found

    def _address(self, route: Route) -> asyncio.Semaphore:
        """The limit of connections to an address; behind a proxy that is unknown, so all share one limit.

        PostponedError if there may be none for now.
        """
        address, settings = "" if route.proxy else min(route.addresses), self._tools.settings
        room = settings.connections
        if address:
            room = self._tools.addresses.room(route.host, address, settings.address_connections)
        if not room:
            raise PostponedError(TURN)
        found = self._addresses.get(address)
        if found is None:
            found = self._addresses[address] = asyncio.Semaphore(room)
        return found

    async def _pause(self, until: float) -> None:
        """Wait until a time; PostponedError at once if that is too far away."""
        wait = until - self._tools.clock()
        if wait > self._patience_seconds:
            raise PostponedError(BACKOFF, until)
        if until > self._deadline:
            raise PostponedError("deadline", until)
        if wait > 0 and not self._stopping:
            await self._sleep(wait)
        self._check_time()

    async def _sleep(self, seconds: float) -> None:
        """Sleep, unless woken by `stop`."""
        loop = asyncio.get_running_loop()
        wake: asyncio.Future[None] = loop.create_future()
        timer = loop.call_later(seconds, _wake, wake)
        self._asleep.add(wake)
        try:
            await wake
        finally:
            timer.cancel()
            self._asleep.discard(wake)

    def _check_time(self) -> None:
        if self._stopping:
            raise PostponedError(self._stopping)
        if self._tools.clock() > self._deadline:
            raise PostponedError("deadline")

    def now(self) -> datetime:
        """The time by the crawl's clock, which tests replace."""
        return datetime.fromtimestamp(self._tools.clock(), UTC)


def _must_be_of_site(by_proxy: bool) -> None:
    """A proxy that cannot be reached says nothing about a site: its pages wait for another round."""
    if by_proxy:
        raise PostponedError(PROXY)


def answer_of(result: Result) -> RobotsAnswer:
    """The answer of a robots.txt that a result records."""
    return recorded_answer(result.fetch, result.decoded(ROBOTS_BYTES))


def recorded_answer(fetch: Fetch, body: bytes) -> RobotsAnswer:
    """The answer of a robots.txt that a fetch stands for; a body that broke off is no answer."""
    outcome = "ok" if fetch.kind == "response" else fetch.outcome
    if fetch.truncated and fetch.payload_bytes < ROBOTS_BYTES:
        outcome = "reset"
    return RobotsAnswer(
        url=fetch.url,
        date=fetch.date.timestamp(),
        status=fetch.status,
        outcome=outcome,
        body=body,
        location=fetch.location if canonical(fetch.location) else "",
    )


def _wake(sleeper: asyncio.Future[None]) -> None:
    if not sleeper.done():
        sleeper.set_result(None)
