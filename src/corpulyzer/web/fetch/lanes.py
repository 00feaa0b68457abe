"""The sites of a fetch list, each a lane of its own: its requests one by one, and the redirects within it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from corpulyzer.url import canonical, site_of
from corpulyzer.web.fetch.ask import PostponedError, Tools
from corpulyzer.web.fetch.faults import INTERNAL
from corpulyzer.web.fetch.recorder import Request, Result
from corpulyzer.web.fetch.workers import Workers

KNOWN = "known"
"""What a scope says of a URL that the frontier has already: it is not followed, and that is no refusal."""


def anywhere(_url: str) -> str:
    """The scope that holds everything."""
    return ""


@dataclass(frozen=True, slots=True)
class Left:
    """A request that was not made.

    `reason` is `deadline`, `backoff`, `turn`, `proxy`, `network`, `internal`, `stopped` or `aborted`, or what
    bars its site. From `until` on its site may be asked again, 0 if at once.
    """

    request: Request
    reason: str
    until: float = 0.0


@dataclass(slots=True)
class Lane:
    """The requests for one site."""

    waiting: deque[Request] = field(default_factory=deque)
    current: Request | None = None


class Lanes(Workers):
    """One fetch list on its way; runs once."""

    def __init__(self, tools: Tools, *, deadline: float, patience_seconds: float) -> None:
        super().__init__(tools, deadline=deadline, patience_seconds=patience_seconds)
        self._seen: set[int] = set()
        self._left: list[Left] = []

    async def run(self, requests: Iterable[Request]) -> list[Left]:
        """Fetch everything that can be, and return what is left."""
        lanes: dict[str, Lane] = {}
        hops = []
        for request in requests:
            if request.chain:
                hops.append(request)
            elif request.id not in self._seen:
                self._seen.add(request.id)
                lanes.setdefault(request.site, Lane()).waiting.append(request)
        # Redirects that a kill left unfollowed are judged as they would have been: with the list known.
        for hop in hops:
            if self._is_safely_followed(hop):
                lanes.setdefault(hop.site, Lane()).waiting.appendleft(hop)
        await self._work_all(self._drive(lane) for lane in lanes.values())
        for lane in lanes.values():
            self._leave(lane, self._stopping)
        return self._left

    async def _drive(self, lane: Lane) -> None:
        """Fetch a lane's requests one by one, until there are none or the site must be left alone."""
        try:
            while lane.waiting:
                lane.current = lane.waiting.popleft()
                await self._visit(lane)
        except PostponedError as postponed:
            self._leave(lane, postponed.reason, postponed.until)
        finally:
            if self._tools.doubt is not None:
                self._tools.doubt.end_lane()

    def _leave(self, lane: Lane, reason: str, until: float = 0.0) -> None:
        rest = [lane.current, *lane.waiting] if lane.current else list(lane.waiting)
        self._left.extend(Left(request, reason, until) for request in rest)
        lane.current = None
        lane.waiting.clear()

    async def _visit(self, lane: Lane) -> None:
        """Fetch a lane's current request and the redirects from it that stay on the site."""
        while lane.current is not None:
            asked = lane.current
            if self._tools.faults.is_aside(asked.site):
                raise PostponedError(INTERNAL)
            result = await self._asked(asked)
            lane.current = None
            self._tools.on_result(result)
            if asked.purpose == "robots":
                self._asker.learn(result)
            hop = self._next_hop(result, asked) if asked.purpose == "page" else None
            lane.current = hop if hop is not None and self._is_safely_followed(hop) else None

    async def _asked(self, asked: Request) -> Result:
        """The recorded result of a request; an error of ours is recorded as a result too."""
        try:
            ask = self._asker.page if asked.purpose == "page" else self._asker.robots_of_others
            return await ask(asked)
        except PostponedError:
            raise
        except Exception as error:
            if not self._tools.on_result.is_of_site(error):
                raise
            return self._asker.fault(asked, error, asked.purpose)

    def _is_safely_followed(self, hop: Request) -> bool:
        """Whether a redirect is to be followed; no if the check itself fails, which is recorded."""
        try:
            return self._is_followed(hop)
        except Exception as error:
            if not self._tools.on_result.is_of_site(error):
                raise
            self._tools.on_result(self._asker.fault(hop, error))
            return False

    def _next_hop(self, result: Result, asked: Request) -> Request | None:
        """The request that a redirect leads to, if it stays on the site, or is invalid, to be refused."""
        target = result.fetch.location
        if not target or (canonical(target) and site_of(target) != result.fetch.site):
            return None
        return Request.of(target, chain=(*asked.chain, asked.sent))

    def _is_followed(self, hop: Request) -> bool:
        """Whether a redirect is to be followed; a refusal is recorded."""
        reason = self._refusal(hop)
        if not reason:
            self._seen.add(hop.id)
        elif reason != KNOWN:
            # An invalid URL cannot have a record of its own, so the page that redirects there gets it.
            url = hop.chain[-1] if reason == "invalid_url" else hop.sent
            detail = f"redirected from {hop.chain[-1]} to {hop.sent}"
            self._tools.on_result(self._tools.log.refusal(url, reason, detail, self._asker.now()))
        return not reason

    def _refusal(self, hop: Request) -> str:
        """Why a redirect is not followed; empty if it is."""
        if not canonical(hop.url):
            return "invalid_url"
        *before, last = map(canonical, hop.chain)
        if hop.sent in hop.chain or hop.url in before:
            return "redirect_loop"
        if len(hop.chain) > self._tools.settings.max_redirects:
            return "redirect_limit"
        if hop.url == last:
            # Only the spelling differs: the server wants another one.
            return ""
        if hop.id in self._seen:
            return KNOWN
        reason = self._tools.scope(hop.url)
        return reason if reason in ("", KNOWN) else "scope"
