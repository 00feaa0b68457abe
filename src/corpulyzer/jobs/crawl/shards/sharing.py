"""The fetching of a round by several fetchers: sites are shared out, and what was sealed is put together."""

from __future__ import annotations

import shlex
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from corpulyzer.corpus import rounds
from corpulyzer.corpus.archives import CrawlPlaces
from corpulyzer.corpus.rounds import Round
from corpulyzer.errors import UserError
from corpulyzer.jobs.crawl.fetching import Interrupt, archive_info
from corpulyzer.jobs.crawl.resume import Memory
from corpulyzer.jobs.crawl.round_archive import OnSkip
from corpulyzer.jobs.crawl.shards.fetchers import Fetchers
from corpulyzer.jobs.crawl.shards.joining import Together, forget, forget_segments, together
from corpulyzer.jobs.crawl.shards.rooms import room, take_seen, users_of
from corpulyzer.jobs.crawl.shards.share import Share, fetches_of
from corpulyzer.url import site_of
from corpulyzer.web.fetch.faults import INTERNAL
from corpulyzer.web.fetch.http.network import NETWORK
from corpulyzer.web.fetch.politeness import asked_until
from corpulyzer.web.fetch.recorder import Request
from corpulyzer.web.fetch.shards.lease import Segment, Shard, offer, shard_at, shard_of
from corpulyzer.web.frontier.store.arrays import read

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.corpus.settings.tables import CrawlTable
    from corpulyzer.records import Fetch
    from corpulyzer.web.fetch.robots.permission import RobotsCache
    from corpulyzer.web.fetch.settings import FetchSettings

POLL_SECONDS = 0.5
LEASES_OF_SILENCE = 3
START_SECONDS = 10.0
"""A fetcher that is silent for this and so many leases hangs, or its machine does: another is started."""


@dataclass(frozen=True, slots=True)
class Sharing:
    """Fetches lists with as many fetchers as the settings say. `on_fetch` is told of all that was sealed."""

    corpus: CorpusFolder
    fetchers: Fetchers
    settings: FetchSettings
    memory: Memory
    interrupt: Interrupt
    on_fetch: Callable[[Fetch], None]
    on_skip: OnSkip

    def __call__(self, now: Round, requests: Sequence[Request], seconds: float) -> Counter[str]:
        """Fetch what can be fetched in so many seconds; returns why the rest of it is left, and how often.

        After a second wish to stop, whatever is left is left for those who take up the round.
        """
        _forget_old(now)
        held = Together(now, len(together(now)))
        is_enough = threading.Event()
        self.interrupt.wake = is_enough.set  # by who stops, and by who pauses
        try:
            shares = self._shares(held, requests, time.time() + seconds)
            for share in shares.values():
                offer(now.storage, share.place.lease)
            ended = self._watch(held, shares, is_enough)
        finally:
            self.interrupt.wake = lambda: None
        if self.interrupt.wishes > 1:
            return Counter()
        take_seen(now.storage, held.shards(), self.memory.addresses)
        self._learn(now, held.join(archive_info(self.settings)))
        if len({*self.corpus.config.crawl.hosts}) > 1:  # of which the network may be away for one alone
            for number, shard in ended.items():
                if NETWORK in shard.left:
                    self.fetchers.replace(number)
        return Counter(reason for shard in ended.values() for reason in Counter(shard.left).elements())

    def _shares(self, held: Together, requests: Sequence[Request], until: float) -> dict[int, Share]:
        """The share of each fetcher that has something to fetch."""
        shards = self.corpus.config.crawl.fetchers
        parts: dict[int, list[Request]] = defaultdict(list)
        wanted = [*self._moved_robots(), *requests]
        for request in wanted:
            parts[shard_of(request.site, shards)].append(request)
        users = users_of(self.memory.addresses, wanted, shards)
        robots = self.memory.robots.parts(
            {each.site: shard for shard, part in parts.items() for each in part}
        )
        return {
            shard: self._share(held, shard, part, users=users, robots=robots[shard], until=until)
            for shard, part in sorted(parts.items())
        }

    def _moved_robots(self) -> list[Request]:
        """The robots.txt to which those of other sites lead, to be asked for by who has their site."""
        return [replace(Request.of(url), purpose="robots") for url in self.memory.robots.unanswered]

    def _share(
        self,
        held: Together,
        shard: int,
        requests: list[Request],
        *,
        users: Mapping[str, Sequence[int]],
        robots: RobotsCache,
        until: float,
    ) -> Share:
        crawl, sites = self.corpus.config.crawl, {request.site for request in requests}
        most, round = self.settings.address_connections, held.of.number
        return Share(
            corpus=self.corpus,
            round=held.of.number,
            place=held.place(shard),
            requests=requests,
            settings=replace(
                self.settings,
                connections=room(self.settings.connections, range(crawl.fetchers), shard, round),
                address_connections=room(most, range(crawl.fetchers), shard, round),
            ),
            sites={site: self.memory.sites[site] for site in sites if site in self.memory.sites},
            robots=robots,
            network=self.memory.network,
            rooms={address: room(most, shards, shard, round) for address, shards in users.items()},
            until=until,
            lease_seconds=crawl.lease_seconds,
        )

    def _watch(
        self, held: Together, shares: dict[int, Share], is_enough: threading.Event
    ) -> dict[int, Shard]:
        """Keep fetchers at all shares until these are ended, and tell of what was sealed; returns them."""
        told: Counter[int] = Counter()
        ended: dict[int, Shard] = {}
        silence = Silence(LEASES_OF_SILENCE * self.corpus.config.crawl.lease_seconds + START_SECONDS)
        while shares and self.interrupt.wishes < 2:
            self.fetchers.tend(shares, told)
            if self.interrupt.wishes or is_enough.is_set():
                held.of.storage.write(held.place(0).wish, b"stop")
            time.sleep(POLL_SECONDS)
            for shard in list(shares):
                found = self._look(held, shard)
                if silence.is_too_long(shard, found):
                    self.fetchers.replace(shard)
                if found is None:
                    continue
                with suppress(OSError):  # soon again; whoever joins the segments cannot do without
                    self._tell(held, shard, found.segments[told[shard] :])
                    told[shard] = len(found.segments)
                if found.ended:
                    ended[shard] = found
                    del shares[shard]
        return ended

    def _look(self, held: Together, shard: int) -> Shard | None:
        """A shard as it is now; a store that does not answer is asked again soon. UserError if it is gone."""
        name = held.place(shard).lease
        try:
            found = shard_at(held.of.storage, name)
        except OSError:
            return None
        if found is None:
            raise UserError(
                f"{name} is gone from the corpus: it says who has some of the sites.",
                "Let nobody delete files of the corpus meanwhile, and run the same command again to go on.",
            )
        return found

    def _tell(self, held: Together, shard: int, segments: Sequence[Segment]) -> None:
        for fetch in fetches_of(held.of.storage, held.place(shard), held.of.number, segments):
            self.on_fetch(fetch)

    def _learn(self, now: Round, fetches: list[Fetch]) -> None:
        """Take in what all fetchers have seen."""
        self.memory.learn(fetches, CrawlPlaces(now.storage), self.settings, self.on_skip)
        wait_for_taken(self.memory, now)
        if any(fetch.status for fetch in fetches):
            self.memory.network.has_answered = True
        for fetch in fetches:
            if fetch.outcome == INTERNAL:
                self.memory.faults.note(fetch.url, fetch.site, RuntimeError(fetch.detail))


@dataclass
class Silence:
    """Notices shards whose object has not changed for too long, though somebody should fetch them."""

    most_seconds: float
    _last: dict[int, tuple[Shard | None, float]] = field(default_factory=dict)

    def is_too_long(self, shard: int, found: Shard | None) -> bool:
        """Whether nothing has changed for so long; if so, the wait begins anew."""
        now = time.monotonic()
        before, since = self._last.get(shard, (None, 0.0))
        if shard in self._last and before == found and now - since < self.most_seconds:
            return False
        self._last[shard] = (found, now)
        return since > 0 and before == found


def must_be_shareable(settings: FetchSettings, crawl: CrawlTable) -> None:
    """Guarantee that each fetcher may have a connection, and each host a fetcher; UserError if not."""
    most, fetchers, hosts = settings.connections, crawl.fetchers, len(crawl.hosts)
    if hosts and fetchers < max(2, hosts):
        raise UserError(
            f"crawl.hosts names {hosts}, for {fetchers} fetchers.",
            f"Crawl with --fetchers {max(2, hosts)} or more, or name no hosts.",
        )
    if hosts and "{host}" not in crawl.host_command:
        raise UserError("crawl.host_command does not say where {host} belongs.")
    try:
        shlex.split(crawl.host_command)
    except ValueError as error:
        raise UserError(f"crawl.host_command cannot be read: {str(error).lower()}.") from None
    if fetchers > most:
        raise UserError(
            f"{fetchers} fetchers cannot share {most} connections, the limit of fetch.connections.",
            f"Set crawl.fetchers to {most} at most, or fetch.connections to {fetchers}.",
        )


def take_up_shards(of: Round, info: Mapping[str, str], lease_seconds: float) -> None:
    """Guarantee that nobody fetches for a round any more, and that its archives have all that was sealed.

    Who was killed right after joining, or came to themselves only then, has left segments that nobody needs.
    """
    for held in together(of):
        if held.is_joined:
            forget_segments(of.storage, held.folder)
        else:
            held.settle(lease_seconds)
            held.join(info)


def wait_for_taken(memory: Memory, of: Round) -> None:
    """Have the sites of a round wait if somebody who fetched for it died: they may have been asked unseen."""
    taken = max((shard.taken for held in together(of) for shard in held.shards().values()), default=0.0)
    if taken:
        urls = read(of.listed(), ("url",)).column("url").to_pylist()
        asked_until(memory.sites, {site_of(url or "") for url in urls}, taken)


def _forget_old(now: Round) -> None:
    """Remove what rounds that are long worked in still have of their shards."""
    done = now.number - rounds.MOST_OPEN
    for number in range(max(1, done - rounds.MOST_OPEN + 1), done + 1):
        forget(Round(now.storage, number))
