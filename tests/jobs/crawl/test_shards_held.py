"""What a fetcher may do while it holds a share, and what it must not do when that ends."""

import asyncio
import fcntl
import os
import socket
import threading
import time
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime

import pyarrow as pa
import pytest
from processes import wait_for

from corpulyzer.corpus.rounds import Round
from corpulyzer.jobs.crawl.fetching import Interrupt
from corpulyzer.jobs.crawl.resume import Memory
from corpulyzer.jobs.crawl.round_archive import recorded
from corpulyzer.jobs.crawl.shards import sharing
from corpulyzer.jobs.crawl.shards.joining import Together
from corpulyzer.jobs.crawl.shards.share import Holding, Share
from corpulyzer.records.columns import schema_of
from corpulyzer.storage import Storage
from corpulyzer.warc.compose import failure, resource
from corpulyzer.web.fetch.http.network import Network
from corpulyzer.web.fetch.recorder import Request
from corpulyzer.web.fetch.robots.permission import RobotsCache
from corpulyzer.web.fetch.settings import AGENT
from corpulyzer.web.fetch.shards import segments
from corpulyzer.web.fetch.shards.lease import Claim, LostLeaseError, Segment, offer, shard_at
from corpulyzer.web.frontier.tables import Listed

SITES = 8


@pytest.fixture
def share(web, crawl):
    """A share of a round, with a page of each site; nobody has held it."""
    urls = [f"http://s{site}.test/0" for site in range(SITES)]
    for url in urls:
        web.page(url)
    corpus, _, _ = crawl(*urls, only_seeds=True)
    of = Round(corpus.storage, 1)
    of.write_list(schema_of(Listed).empty_table())
    place = Together(of, 0).place(0)
    offer(corpus.storage, place.lease)
    return Share(
        corpus=corpus,
        round=1,
        place=place,
        requests=[Request.of(url) for url in urls],
        settings=replace(corpus.config.fetch, contact="me@example.org"),
        sites={},
        robots=RobotsCache(AGENT),
        network=Network(),
        rooms={},
        until=time.time() + 600,
        lease_seconds=60.0,
    )


def test_a_store_slower_than_the_web_costs_no_lease_and_holds_requests_back(web, share, monkeypatch):
    page, most = 16 << 10, 64 << 10
    monkeypatch.setattr(segments, "SEAL_BYTES", most)
    monkeypatch.setattr("corpulyzer.jobs.crawl.shards.share.MOST_UNSEALED_BYTES", 2 * most)
    urls = [f"http://s{site}.test/{number}" for site in range(SITES) for number in range(20)]
    for url in urls:
        web.answers[url] = (200, {"Content-Type": "text/html"}, os.urandom(page))
    asked = []

    class Slow(Storage):
        """Takes the first segment in when its lease was renewed twice."""

        def write(self, relative, data):
            if relative.endswith(".warc.gz") and not asked:
                begun = shard_at(self, share.place.lease).change
                wait_for(lambda: shard_at(self, share.place.lease).change >= begun + 2)
                asked.append(web.hits.total())
            super().write(relative, data)

    corpus = replace(share.corpus, storage=Slow(share.storage.root))
    replace(share, corpus=corpus, requests=[Request.of(url) for url in urls], lease_seconds=10.0).fetch()
    shard = shard_at(share.storage, share.place.lease)
    assert (shard.number, shard.ended, shard.left) == (1, True, {})
    assert set(web.hits.values()) == {1}
    assert asked[0] <= 2 * most // page + 3 * SITES, "with robots.txt, and what was under way"
    assert max(each.bytes for each in shard.segments) < most + 2 * page


def test_a_segment_that_will_never_be_stored_holds_no_shard(share):
    now = [0.0]
    lease = Claim(share.storage, share.place.lease, 60.0).attempt()
    archive = segments.Segments(share.storage, share.place.segments, lease, lambda: now[0])
    archive.write(failure("http://s0.test/0", "reset", "", date=datetime.now(UTC)))
    now[0] = 1_000.0
    assert archive.is_due
    assert not archive.is_stuck
    name, content = archive.cut()
    now[0] += segments.STUCK_SECONDS
    assert archive.is_stuck
    archive.seal(name, content)
    assert not archive.is_stuck


def test_who_takes_over_waits_for_every_site_as_if_it_had_been_asked_just_now(web, share):
    answer, asked = web.answer, []

    def noted(url):
        asked.append(time.time())
        return answer(url)

    web.answer = noted
    Claim(share.storage, share.place.lease, 1.0).attempt()  # of one that asks, and dies
    replace(share, settings=replace(share.settings, delay_seconds=1.5)).fetch()
    assert len(asked) == 2 * SITES
    assert min(asked) >= shard_at(share.storage, share.place.lease).taken + 1.5


def test_no_request_begins_when_the_lease_has_ended(web, share):
    now, answer = [0.0], web.answer

    def late(url):
        now[0] = 60.0
        return answer(url)

    web.answer = late
    lease = Claim(share.storage, share.place.lease, 60.0, lambda: now[0]).attempt()
    with pytest.raises(LostLeaseError):
        asyncio.run(Holding(share, lease, Interrupt())())
    assert {url.rpartition("/")[2] for url in web.hits} == {"robots.txt"}


def test_what_is_under_way_is_cut_off_when_the_lease_ends(share):
    cut_off, begun = threading.Event(), []

    def begin(interrupt):
        begun.append(interrupt)
        if len(begun) > 1:
            interrupt.at_once()

    with socket.create_server(("127.0.0.1", 0)) as web, _lock_of(share) as lock:

        def never_answer():
            connection, _ = web.accept()
            with connection:
                fcntl.flock(lock, fcntl.LOCK_EX)  # from now on the lease cannot be renewed
                while connection.recv(65_536):
                    pass
            cut_off.set()

        threading.Thread(target=never_answer, daemon=True).start()
        proxy = f"http://127.0.0.1:{web.getsockname()[1]}"
        patient = replace(share.settings, proxy=proxy, first_byte_seconds=600.0, total_seconds=600.0)
        held = replace(share, settings=patient, requests=share.requests[:1], lease_seconds=10.0)
        fetching = threading.Thread(target=held.fetch, args=(begin,))
        fetching.start()
        was_cut_off = cut_off.wait(60)
        fcntl.flock(lock, fcntl.LOCK_UN)
        begun[0].at_once()
        fetching.join(180)
    assert was_cut_off
    assert not fetching.is_alive()


@contextmanager
def _lock_of(share):
    """The file that whoever changes the object of a shard has a lock of."""
    folder, _, name = share.storage.path(share.place.lease).rpartition("/")
    with open(f"{folder}/.{name}.lock", "a") as lock:
        yield lock


def test_who_drops_requests_at_the_end_says_so_and_their_sites_are_waited_for(web, share):
    of, answer, begun, asked, is_over = Round(share.storage, 1), web.answer, [], [], threading.Event()
    rows = [{**dict.fromkeys(schema_of(Listed).names), "url": request.url} for request in share.requests]
    of.write_list(pa.Table.from_pylist(rows, schema_of(Listed)))

    def silent(url):
        if not url.endswith("robots.txt"):
            asked.append(time.time())
            begun[0].at_once()
            is_over.wait(180)
        return answer(url)

    web.answer = silent
    share.fetch(begun.append)
    is_over.set()
    memory = Memory(RobotsCache(AGENT))
    sharing.wait_for_taken(memory, of)
    assert shard_at(share.storage, share.place.lease).ended
    assert all(memory.sites[request.site].ended >= min(asked) for request in share.requests)


def test_a_lease_that_is_lost_after_the_store_has_failed_is_no_fault_of_the_store(share):
    holding = Holding(share, Claim(share.storage, share.place.lease, 60.0).attempt(), Interrupt())
    failures = [LostLeaseError("somebody else has taken it"), OSError("no answer")]

    def fail():
        raise failures.pop()

    asyncio.run(holding._changed(fail))
    assert [str(lost) for lost in holding.lost] == ["somebody else has taken it"]


def test_a_segment_that_is_not_listed_is_in_no_archive(share):
    storage, place = share.storage, share.place
    lease = Claim(storage, place.lease, 60.0).attempt()
    for name in ("a", "b", "c"):
        sealed = resource(f"http://s0.test/{name}", b"page", "text/html").packed()
        storage.write(f"{place.segments}/{name}.warc.gz", sealed)
        if name != "b":
            lease.renew(Segment(f"{name}.warc.gz", len(sealed)))
    lease.end({})
    of = Round(storage, 1)
    sharing.take_up_shards(of, {}, 60.0)
    assert [fetch.url for fetch in recorded(of)] == ["http://s0.test/a", "http://s0.test/c"]
    assert not storage.list("rounds", ".warc.gz"), "nobody needs it"
