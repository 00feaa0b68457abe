"""Connections to one address: shared out among the fetchers that have hosts there."""

from collections import Counter

import pytest

from corpulyzer.corpus.rounds import Round
from corpulyzer.jobs.crawl.fetching import Interrupt
from corpulyzer.jobs.crawl.resume import Memory
from corpulyzer.jobs.crawl.shards import sharing
from corpulyzer.jobs.crawl.shards.joining import Together
from corpulyzer.jobs.crawl.shards.rooms import room, take_seen, users_of
from corpulyzer.jobs.crawl.shards.sharing import Sharing
from corpulyzer.web.fetch.addresses import Addresses
from corpulyzer.web.fetch.recorder import Request
from corpulyzer.web.fetch.robots.permission import RobotsCache
from corpulyzer.web.fetch.settings import AGENT, FetchSettings
from corpulyzer.web.fetch.shards.lease import shard_of


@pytest.mark.parametrize("shards", [1, 3, 8, 9, 20, 100])
@pytest.mark.parametrize("most", [1, 2, 8])
def test_all_together_keep_the_limit_and_nobody_waits_for_ever(most, shards):
    had = Counter()
    turns = -(-shards // most)
    for number in range(turns):
        rooms = [room(most, range(shards), shard, number) for shard in range(shards)]
        assert 0 < sum(rooms) <= most
        had.update(shard for shard, each in enumerate(rooms) if each)
    assert set(had) == set(range(shards))
    if shards <= most:
        assert sum(rooms) == most, "none is left over"


def test_an_address_is_shared_by_those_who_have_hosts_there_in_this_round(crawl):
    shards = 3
    hosts = [f"s{number}.test" for number in range(30)]
    of = {shard: [host for host in hosts if shard_of(host, shards) == shard] for shard in range(shards)}
    seen = {of[0][0]: "192.0.2.1", of[1][0]: "192.0.2.1", of[2][0]: "192.0.2.2", of[2][1]: "192.0.2.1"}
    corpus, _, _ = crawl("http://s0.test/", only_seeds=True, crawl__fetchers=shards)
    memory = Memory(RobotsCache(AGENT), addresses=Addresses(seen=seen))
    shared = Sharing(corpus, None, FetchSettings(), memory, Interrupt(), print, print)
    asked = [Request.of(f"http://{host}/") for host in (of[0][0], of[1][0], of[1][1], of[2][0])]
    shares = shared._shares(Together(Round(corpus.storage, 1), 0), asked, 600.0)
    assert [shares[shard].rooms for shard in range(shards)] == [
        {"192.0.2.1": 4, "192.0.2.2": 0},
        {"192.0.2.1": 4, "192.0.2.2": 0},
        {"192.0.2.1": 0, "192.0.2.2": 8},
    ], "one of the hosts of the third fetcher is not asked in this round"
    assert [shares[shard].settings.address_connections for shard in range(shards)] == [3, 3, 2]


def test_a_request_that_leads_nowhere_has_no_address():
    assert users_of(Addresses(seen={"a.test": "192.0.2.1"}), [Request.of("http://[/")], 2) == {}


def test_fetchers_tell_the_crawl_at_which_addresses_they_saw_hosts(web, crawl, monkeypatch):
    """The web's server is a proxy, and answers those too who do not take it for one."""
    web.answer = lambda path: (200, {"Content-Type": "text/plain"}, f"seen at {path}".encode())
    known = []

    def take(storage, places, addresses):
        take_seen(storage, places, addresses)
        known.append(dict(addresses.seen))

    monkeypatch.setattr(sharing, "take_seen", take)
    at = f"http://127.0.0.1:{web.server_address[1]}/"
    corpus, _, fetches = crawl(at, crawl__fetchers=2, crawl__rounds=1, fetch__proxy="")
    assert [fetch.status for fetch in fetches if fetch.purpose == "page"] == [200]
    assert known == [{"127.0.0.1": "127.0.0.1"}]
    assert not [name for name in corpus.storage.list("rounds") if name.endswith(".addresses")]
