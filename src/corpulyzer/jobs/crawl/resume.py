"""What a crawl knows from its archives when it goes on: what was done, robots.txt, pauses, versions."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from corpulyzer.corpus import rounds
from corpulyzer.corpus.archives import CrawlPlaces
from corpulyzer.corpus.rounds import Round
from corpulyzer.errors import UserError
from corpulyzer.jobs.crawl.round_archive import OnSkip, recorded, take_up
from corpulyzer.records import RENDERED, Fetch
from corpulyzer.records.columns import record_of, schema_of
from corpulyzer.storage.location import filesystem_of
from corpulyzer.url import canonical, site_of
from corpulyzer.warc import ArchiveReader, BrokenRecordError
from corpulyzer.web.fetch.addresses import Addresses
from corpulyzer.web.fetch.ask import recorded_answer
from corpulyzer.web.fetch.faults import Faults
from corpulyzer.web.fetch.http.network import KNOWN_HOSTS, Network
from corpulyzer.web.fetch.http.resolve import CachedResolver, SystemResolver
from corpulyzer.web.fetch.http.route import RefusedRouteError, place_of
from corpulyzer.web.fetch.politeness import WITHOUT_REQUEST, SiteState, replay
from corpulyzer.web.fetch.recorder import REDIRECTS, Previous, Request
from corpulyzer.web.fetch.robots.permission import RobotsAnswer, RobotsCache
from corpulyzer.web.fetch.robots.rules import MAX_BYTES
from corpulyzer.web.fetch.settings import AGENT, FetchSettings

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder

DAY = 86_400.0


@dataclass
class Memory:
    """What earlier fetches have taught: what may be fetched, when a site may be asked again, and where it is.

    Names are looked up anew by every run, since no archive has them.
    """

    robots: RobotsCache
    sites: dict[str, SiteState] = field(default_factory=dict)
    resolver: CachedResolver = field(default_factory=lambda: CachedResolver(SystemResolver()))
    faults: Faults = field(default_factory=Faults)
    network: Network = field(default_factory=Network)
    addresses: Addresses = field(default_factory=Addresses)

    @staticmethod
    def recall(corpus: CorpusFolder, settings: FetchSettings, on_skip: OnSkip | None = None) -> Memory:
        """The memory of a crawl that goes on, out of the archives of the last day.

        A record that cannot be read is skipped; `on_skip` is told of it.
        """
        skip = on_skip or _in_silence
        begun = rounds.rounds(corpus.storage)
        fetches: list[Fetch] = []
        for each in begun[-rounds.MOST_OPEN :]:
            take_up(each, skip)
            fetches += recorded(each)
        for each in reversed(begun[: -rounds.MOST_OPEN]):
            earlier = recorded(each)
            fetches += earlier
            if not earlier or max(fetch.date.timestamp() for fetch in earlier) < time.time() - DAY:
                break
        memory = Memory(RobotsCache(AGENT))
        memory.learn(fetches, CrawlPlaces(corpus.storage), settings, skip)
        return memory

    def learn(
        self, fetches: list[Fetch], places: Mapping[str, str], settings: FetchSettings, on_skip: OnSkip
    ) -> None:
        """Take in what was fetched after all that is known already; `places` are those of the archives."""
        fetches = sorted(fetches, key=lambda fetch: (fetch.date, fetch.id))
        self.sites.update(replay(fetches, settings, self.sites))
        self.robots.replay(_answers(places, fetches, on_skip))
        for fetch in [fetch for fetch in fetches if fetch.status][-KNOWN_HOSTS:]:
            with contextlib.suppress(RefusedRouteError):
                self.network.remember(place_of(fetch.url))

    def shut(self, now: float) -> list[str]:
        """The sites that want to be left alone for now, and those that are set aside for the run."""
        waiting = {site for site, state in self.sites.items() if state.not_before > now}
        return sorted(waiting.union(self.faults.aside))


def _in_silence(_record: str, _why: str) -> None:
    """Ignore records that are skipped."""


def is_request(fetch: Fetch) -> bool:
    """Whether a record stands for a request for a page: no robots.txt, no refusal."""
    return fetch.purpose == "page" and fetch.outcome not in WITHOUT_REQUEST


def remaining(of: Round, done: list[Fetch], corpus: CorpusFolder) -> list[Request]:
    """What is left of a round's list, and redirects within a site that were recorded but not yet followed."""
    import pyarrow.parquet as pq

    done = [fetch for fetch in done if fetch.purpose == "page"]
    asked = {fetch.url_id for fetch in done}
    columns = ["id", "url", "spelling", "fetches"]
    rows = pq.read_table(of.listed().files[0], columns=columns, partitioning=None).to_pylist()
    again = {row["id"] for row in rows if row["fetches"] and row["id"] not in asked}
    before = previous(corpus, again) if again else {}
    wanted = [row for row in rows if row["id"] not in asked]
    left = [Request.of(row["spelling"] or row["url"], before.get(row["id"])) for row in wanted]
    return left + _unfollowed(done, {row["id"] for row in rows})


def rest_of(requests: Sequence[Request], done: Iterable[Fetch]) -> list[Request]:
    """What is left of some requests, and redirects within a site that were recorded but not yet followed."""
    done = list(done)
    asked = {(fetch.purpose, fetch.url_id) for fetch in done}
    left = [request for request in requests if (request.purpose, request.id) not in asked]
    pages = [fetch for fetch in done if fetch.purpose == "page"]
    return left + _unfollowed(pages, {request.id for request in requests})


def _unfollowed(done: list[Fetch], listed: set[int]) -> list[Request]:
    """The targets, on the same site, of recorded redirects that have no record of their own in the round."""
    asked = {fetch.url_id for fetch in done}
    sent = {fetch.url for fetch in done}
    sources: dict[int, Fetch] = {}
    hops: list[tuple[Request, Fetch]] = []
    for fetch in done:
        location = fetch.location if fetch.status in REDIRECTS else ""
        if not location or not canonical(location) or site_of(location) != fetch.site:
            continue
        hop = Request.of(location)
        is_other = hop.id != fetch.url_id
        if is_other:
            sources.setdefault(hop.id, fetch)
        # Not asked for yet: another page by its id, the same page in another spelling by the URL sent.
        if hop.id not in asked if is_other else hop.sent not in sent:
            hops.append((hop, fetch))
    return [replace(hop, chain=_chain(fetch, sources, listed)) for hop, fetch in hops]


def _chain(last: Fetch, sources: dict[int, Fetch], listed: set[int]) -> tuple[str, ...]:
    """The URLs that were asked for one after the other, from one on the list to the last."""
    chain = [last]
    while chain[-1].url_id not in listed:
        source = sources.get(chain[-1].url_id)
        if source is None or source in chain:
            break
        chain.append(source)
    return tuple(fetch.url for fetch in reversed(chain))


def _answers(places: Mapping[str, str], fetches: Iterable[Fetch], on_skip: OnSkip) -> Iterator[RobotsAnswer]:
    """What sites answered when asked for their robots.txt, read out of the archives."""
    gone: set[str] = set()
    with ArchiveReader(places, max_bytes=MAX_BYTES) as reader:
        for fetch in fetches:
            if fetch.purpose != "robots" or fetch.archive in gone:
                continue
            try:
                body = reader.read(fetch).body if fetch.kind == "response" else b""
            except BrokenRecordError as lost:
                on_skip(f"{fetch.archive} at {fetch.offset}, {fetch.url}", str(lost))
            except UserError as lost:
                gone.add(fetch.archive)
                on_skip(fetch.archive, str(lost))
            else:
                yield recorded_answer(fetch, body)


def previous(corpus: CorpusFolder, ids: Iterable[int]) -> dict[int, Previous]:
    """The last stored response of pages that are fetched again, to ask whether they have changed."""
    import pyarrow.compute as pc
    import pyarrow.dataset as ds

    wanted = list(ids)
    files = [filesystem_of(file)[1] for file in corpus.table("fetches").files]
    filesystem, _ = corpus.storage.filesystem()
    dataset = ds.dataset(files, schema=schema_of(Fetch), format="parquet", filesystem=filesystem)
    rows = dataset.to_table(filter=pc.field("url_id").isin(wanted) & (pc.field("outcome") == "ok"))
    last: dict[int, Fetch] = {}
    rendered: set[int] = set()
    for row in rows.sort_by([("date", "ascending"), ("id", "ascending")]).to_pylist():
        if row["purpose"] == "page":
            last[row["url_id"]] = record_of(Fetch, row)
        elif row["purpose"] == RENDERED:
            rendered.add(row["url_id"])
    with ArchiveReader(CrawlPlaces(corpus.storage)) as reader:
        # A shell stays the same whatever its scripts bring, so it is asked for and rendered anew.
        found = {key: _version(reader, fetch) for key, fetch in last.items() if key not in rendered}
    return {key: version for key, version in found.items() if version is not None}


def _version(reader: ArchiveReader, fetch: Fetch) -> Previous | None:
    try:
        headers = reader.read(fetch).http_headers
    except (BrokenRecordError, UserError):
        return None  # the page is asked for as if it were new
    etag, modified = headers.get("etag", ""), headers.get("last-modified", "")
    return Previous(fetch.record_id, fetch.date, fetch.digest, etag, modified)
