"""What a fetcher may do while it holds a share, and what it must not do when that ends."""

import os
import time
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from processes import wait_for

from corpulyzer.corpus.rounds import Round
from corpulyzer.jobs.crawl.shards.joining import Together
from corpulyzer.jobs.crawl.shards.share import Share
from corpulyzer.records.columns import schema_of
from corpulyzer.storage import Storage
from corpulyzer.warc.compose import failure
from corpulyzer.web.fetch.http.network import Network
from corpulyzer.web.fetch.recorder import Request
from corpulyzer.web.fetch.robots.permission import RobotsCache
from corpulyzer.web.fetch.settings import AGENT
from corpulyzer.web.fetch.shards import segments
from corpulyzer.web.fetch.shards.lease import Claim, offer, shard_at
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
        """Takes the first segment in when its lease was renewed three times."""

        def write(self, relative, data):
            if relative.endswith(".warc.gz") and not asked:
                begun = shard_at(self, share.place.lease).change
                wait_for(lambda: shard_at(self, share.place.lease).change >= begun + 3)
                asked.append(web.hits.total())
            super().write(relative, data)

    corpus = replace(share.corpus, storage=Slow(share.storage.root))
    replace(share, corpus=corpus, requests=[Request.of(url) for url in urls], lease_seconds=6.0).fetch()
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
