"""What one fetcher of several does: it holds a shard, asks the sites in it, and seals what they answered."""

from __future__ import annotations

import asyncio
import platform
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Container, Coroutine, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from corpulyzer.corpus.archives import Archive
from corpulyzer.corpus.rounds import Round
from corpulyzer.errors import UserError
from corpulyzer.jobs.crawl.fetching import Interrupt, Visit
from corpulyzer.jobs.crawl.redirects import scope_of
from corpulyzer.jobs.crawl.resume import Memory, rest_of
from corpulyzer.jobs.crawl.round_archive import fetches_in
from corpulyzer.jobs.crawl.shards.rooms import write_seen
from corpulyzer.warc.names import archive_name
from corpulyzer.web.fetch.addresses import Addresses
from corpulyzer.web.fetch.politeness import SiteState, asked_until
from corpulyzer.web.fetch.shards.lease import Claim, Lease, LostLeaseError, Segment
from corpulyzer.web.fetch.shards.segments import MOST_UNSEALED_BYTES, Segments

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.records import Fetch
    from corpulyzer.storage import Storage
    from corpulyzer.web.fetch.http.network import Network
    from corpulyzer.web.fetch.recorder import Request
    from corpulyzer.web.fetch.robots.permission import RobotsCache
    from corpulyzer.web.fetch.settings import FetchSettings

LOST = "lease"
"""Why a request is not made whose shard is no longer held."""

ELSEWHERE = "elsewhere"
"""Why a robots.txt is not asked for whose site has no URL on this list; the site that leads there waits.

Its site may be of another shard, and if not, nobody here knows how long it must be left alone.
"""

TICK_SECONDS = 0.2
LISTEN_SECONDS = 3.0
"""So often a fetcher looks whether somebody wishes that it stops."""

Work = Callable[[asyncio.Event], Coroutine[None, None, None]]
"""What is done beside the fetching, until an event says that this is over."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a shard of a round is kept: `folder` is that of all shards which are fetched together."""

    folder: str
    shard: int

    @property
    def lease(self) -> str:
        """The name of its object."""
        return f"{self.folder}/{self.shard:04d}.json"

    @property
    def segments(self) -> str:
        """The folder of its segments."""
        return f"{self.folder}/{self.shard:04d}"

    @property
    def addresses(self) -> str:
        """The name of the object that says at which addresses its hosts were seen."""
        return f"{self.folder}/{self.shard:04d}.addresses"

    @property
    def wish(self) -> str:
        """The name of the object that is there as soon as all fetchers are to stop."""
        return f"{self.folder}/wish"


@dataclass(frozen=True, slots=True)
class Share:
    """All that a fetcher needs to know; it can be sent to another machine.

    `until` is when the round ends, in seconds since 1970. `settings` have this fetcher's share of the
    connections, and `rooms` that of those to addresses which were seen before.
    """

    corpus: CorpusFolder
    round: int
    place: Place
    requests: list[Request]
    settings: FetchSettings
    sites: dict[str, SiteState]
    robots: RobotsCache
    network: Network
    rooms: dict[str, int]
    until: float
    lease_seconds: float

    @property
    def storage(self) -> Storage:
        return self.corpus.storage

    def fetch(self, on_begin: Callable[[Interrupt], None] = lambda _: None) -> None:
        """Fetch all of it that nobody has fetched; returns when that is done, by whomever.

        Whoever loses the lease waits for it like everybody else. `on_begin` gets what can interrupt it.
        UserError if the corpus is not here.
        """
        if not Round(self.storage, self.round).done("list"):
            raise UserError(f"{platform.node()} does not see {self.storage.root} as the crawl does.")
        while True:
            lease = Claim(self.storage, self.place.lease, self.lease_seconds).wait()
            if lease is None:
                break
            interrupt = Interrupt()
            on_begin(interrupt)
            with suppress(LostLeaseError):
                if interrupt.wishes > 1:  # whoever gave it is gone, and what is sealed now may be left behind
                    lease.end({})
                    break
                asyncio.run(Holding(self, lease, interrupt)())


@dataclass(frozen=True, slots=True)
class Holding:
    """A share that is held, until it is fetched or lost."""

    share: Share
    lease: Lease
    interrupt: Interrupt
    lost: list[LostLeaseError] = field(default_factory=list)

    async def __call__(self) -> None:
        """Fetch what the segments of earlier holders do not have; LostLeaseError if the lease is lost."""
        share = self.share
        archive = Segments(share.storage, share.place.segments, self.lease)
        async with self._beside(self._watch, partial(self._renew, archive), self._listen):
            async with self._beside(partial(self._seal, archive)):
                visit, requests = await asyncio.to_thread(self._prepared, archive)
                left = await visit(requests, archive, share.round, max(1.0, share.until - time.time()))
            await self._changed(partial(write_seen, share.storage, share.place, visit.memory.addresses))
        cut_off_at = time.time() if self.interrupt.wishes > 1 else 0.0
        reasons = Counter(each.reason for each in left)
        await self._changed(partial(self.lease.end, reasons, cut_off_at=cut_off_at))
        if self.lost:
            raise self.lost[0]

    def _prepared(self, archive: Segments) -> tuple[Visit, list[Request]]:
        """How to ask, and what for."""
        share, held = self.share, self.lease.shard
        done = fetches_of(share.storage, share.place, share.round, held.segments)
        rooms = Addresses(share.rooms)
        memory = Memory(share.robots, dict(share.sites), network=share.network, addresses=rooms)
        memory.learn(done, places_of(share.storage, share.place, held.segments), share.settings, _ignore)
        sites = {request.site for request in share.requests}
        if held.taken:
            asked_until(memory.sites, sites, time.time())
        scope = scope_of(share.corpus, Round(share.storage, share.round), done)
        visit = Visit(
            share.settings, memory, scope, self.interrupt, _ignore, bar=partial(self._bar, archive, sites)
        )
        return visit, rest_of(share.requests, done)

    async def _bar(self, archive: Segments, own: Container[str], site: str) -> str:
        """Why a site must not be asked, right before it would be; waits until the store has caught up."""
        while archive.unsealed_bytes > MOST_UNSEALED_BYTES:
            await asyncio.sleep(TICK_SECONDS)
        if self.lease.left_seconds <= 0:
            return LOST
        return "" if site in own else ELSEWHERE

    @asynccontextmanager
    async def _beside(self, *works: Work) -> AsyncIterator[None]:
        """Have some work done beside; all of it is told by an event when it is over, and waited for.

        What one of them raises ends the fetching at once, and is raised when that has ended.
        """
        over = asyncio.Event()
        tasks = [asyncio.ensure_future(self._needed(work, over)) for work in works]
        try:
            yield
        finally:
            over.set()
            await asyncio.gather(*tasks)

    async def _needed(self, work: Work, over: asyncio.Event) -> None:
        """Do work without which nothing more should be fetched."""
        try:
            await work(over)
        except BaseException:
            self.interrupt.at_once()
            raise

    async def _watch(self, over: asyncio.Event) -> None:
        """End what is under way when the lease does, or somebody wishes it."""
        while not over.is_set():
            if self.lease.left_seconds <= 0:
                self._lose(LostLeaseError("it was not renewed in time"))
            if self.interrupt.wishes:
                self.interrupt.wake()  # until there is something to wake
            await _moment(over)

    async def _renew(self, archive: Segments, over: asyncio.Event) -> None:
        """Renew the lease in time, however long the store takes for a segment, unless that is for ever."""
        while not over.is_set():
            if self.lease.is_due and not archive.is_stuck:
                await self._changed(self.lease.renew)
            await _moment(over)

    async def _seal(self, archive: Segments, over: asyncio.Event) -> None:
        """Seal what was fetched every few seconds, and in the end all that is left."""
        while not over.is_set():
            if archive.is_due:
                await self._changed(partial(archive.seal, *archive.cut()))
            else:
                await _moment(over)
        while archive.unsealed_bytes and not self.lost:
            await self._changed(partial(archive.seal, *archive.cut()))

    async def _changed(self, change: Callable[[], None]) -> None:
        """Change something in the storage, tried again for as long as a lease lasts; OSError if all in vain.

        So a store that takes nothing in is told of by the end of this process, and not asked for ever.
        """
        trouble: OSError | None = None
        since = 0.0
        while not self.lost:
            try:
                await asyncio.to_thread(change)
                return
            except LostLeaseError as lost:
                trouble = None  # whatever came before, there is nothing to be told of
                self._lose(lost)
            except OSError as error:
                since, trouble = since if trouble else time.monotonic(), error
                if self.lease.left_seconds <= 0 or time.monotonic() - since >= self.lease.useful_seconds:
                    break
                await asyncio.sleep(TICK_SECONDS)
        if trouble is not None:
            raise trouble

    def _lose(self, lost: LostLeaseError) -> None:
        self.lost.append(lost)
        self.interrupt.at_once()

    async def _listen(self, over: asyncio.Event) -> None:
        """Hear whether the fetchers are to stop."""
        while not over.is_set():
            await _moment(over, LISTEN_SECONDS)
            with suppress(OSError):
                if await asyncio.to_thread(self.share.storage.exists, self.share.place.wish):
                    self.interrupt()
                    return


def places_of(storage: Storage, place: Place, segments: Iterable[Segment]) -> dict[str, str]:
    """Where segments are, by the name that their rows carry."""
    return {archive_name(each.name): storage.path(f"{place.segments}/{each.name}") for each in segments}


def fetches_of(storage: Storage, place: Place, round: int, segments: Iterable[Segment]) -> list[Fetch]:
    """The rows of what is in segments."""
    found: list[Fetch] = []
    for name, path in places_of(storage, place, segments).items():
        found += fetches_in(Archive(name, path, round))
    return found


async def _moment(over: asyncio.Event, seconds: float = TICK_SECONDS) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(over.wait(), seconds)


def _ignore(*_: object) -> None:
    """Nobody listens here: what was fetched is told of by whoever reads the segments."""
