"""Several fetchers: what one would have fetched, each page once, and no site asked by two or too soon."""

import asyncio
import signal
import subprocess
import sys
import threading
import time
from collections import Counter, defaultdict
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import psutil
import pytest
from in_archives import fetches_in
from lasting import engine_of
from processes import wait_for
from test_crawl import TABLES, tables_of

from corpulyzer.corpus import rounds
from corpulyzer.corpus.archives import crawled
from corpulyzer.corpus.rounds import Round
from corpulyzer.corpus.takedowns import OUTCOME
from corpulyzer.errors import UserError
from corpulyzer.jobs.crawl.control import state, wish
from corpulyzer.jobs.crawl.fetching import Interrupt
from corpulyzer.jobs.crawl.loop import Crawl
from corpulyzer.jobs.crawl.round_archive import recorded
from corpulyzer.jobs.crawl.shards import joining, sharing
from corpulyzer.jobs.crawl.shards.fetchers import Fetcher, Hosts, Processes
from corpulyzer.jobs.crawl.shards.joining import Together
from corpulyzer.jobs.crawl.shards.share import Holding, Share
from corpulyzer.jobs.remove import remove
from corpulyzer.records.columns import schema_of
from corpulyzer.storage import Storage
from corpulyzer.url import site_of
from corpulyzer.warc.compose import resource
from corpulyzer.web.fetch.http.network import Network
from corpulyzer.web.fetch.recorder import Request
from corpulyzer.web.fetch.robots.permission import RobotsCache
from corpulyzer.web.fetch.settings import AGENT
from corpulyzer.web.fetch.shards.lease import Claim, LostLeaseError, Segment, offer, shard_at, shard_of
from corpulyzer.web.frontier.tables import Listed

SITES = 8
PAGES = 3
DELAY = 0.3


@pytest.fixture
def sites(web):
    """Pages of some sites, each of which links to the next ones; the web notes when each is asked for."""
    web.asked = defaultdict(list)
    answer, lock = web.answer, threading.Lock()

    def noted(url):
        begun = time.time()
        time.sleep(0.02)
        with lock:
            web.asked[site_of(url)].append((begun, time.time(), url))
        return answer(url)

    web.answer = noted
    for site in range(SITES):
        for page in range(PAGES):
            links = [f"http://s{site}.test/{page + 1}", f"http://s{(site + 1) % SITES}.test/{page}"]
            web.page(f"http://s{site}.test/{page}", *links)
    return [f"http://s{site}.test/0" for site in range(SITES)]


def fetchers():
    """The processes that fetch for this one."""
    found = []
    for child in psutil.Process().children():
        try:
            if "corpulyzer.jobs.crawl.shards" in command(child):
                found.append(child)
        except psutil.NoSuchProcess:
            continue
    return found


def command(process):
    """Its command line, which is empty for a moment when it has just been started."""
    while not (words := process.cmdline()):
        time.sleep(0.001)
    return words


def pages(fetches):
    return sorted(fetch.url for fetch in fetches if fetch.purpose == "page")


def must_be_polite(web, delay):
    """By the server's own log: no site has two requests at once, or one too soon after another."""
    for site, asked in web.asked.items():
        asked.sort()
        pauses = [after[0] - before[1] for before, after in pairwise(asked)]
        assert min(pauses, default=delay) >= delay - 0.005, f"{site} was asked too soon"


WANTED = sorted(f"http://s{site}.test/{page}" for site in range(SITES) for page in range(PAGES + 1))


def test_several_fetchers_fetch_what_one_would_and_every_page_once(web, crawl, sites):
    corpus, ended, fetches = crawl(*sites, crawl__fetchers=3, crawl__rounds=PAGES + 2)
    assert pages(fetches) == WANTED
    assert set(web.hits.values()) == {1}
    assert ended.pages == len(WANTED)
    assert not fetchers(), "they end with the crawl"
    must_be_polite(web, 0.0)
    names = [archive.name for archive in crawled(corpus.storage)]
    assert names == [f"crawl-{number:05d}-s00-00000" for number in range(1, PAGES + 2)]
    left = [name for name in corpus.storage.list("rounds") if "/shards/" in name]
    assert not [name for name in left if name.endswith(".warc.gz")], "segments are in the archives"
    assert len({name.split("/")[1] for name in left}) <= rounds.MOST_OPEN + 1, "leases are forgotten"
    folders = list(Path(corpus.storage.root).glob("rounds/*/shards"))
    assert len(folders) <= rounds.MOST_OPEN + 1, "with locks and folders"


@pytest.mark.slow
def test_process_makes_the_same_tables_again_of_what_several_fetchers_fetched(web, crawl, sites):
    corpus, _, _ = crawl(*sites, crawl__fetchers=3, crawl__rounds=PAGES + 2)
    made = tables_of(corpus)
    assert len(made["fetches"]) == len(WANTED) + SITES and made["frontier"] and made["links"]
    for name in made:
        for file in corpus.storage.list(name):
            if file.endswith(TABLES):
                corpus.storage.delete(file)
    corpus.process(engine=engine_of(corpus))
    assert tables_of(corpus) == made
    assert set(web.hits.values()) == {1}


def test_a_store_that_is_away_when_pages_are_told_of_is_asked_again(crawl, sites, monkeypatch):
    away, found = [OSError("away"), OSError("away")], sharing.fetches_of

    def fetches_of(*asked):
        if away:
            raise away.pop()
        return found(*asked)

    monkeypatch.setattr(sharing, "fetches_of", fetches_of)
    _, ended, _ = crawl(*sites, crawl__fetchers=2, crawl__rounds=1)
    assert (ended.pages, away) == (SITES, [])


def test_a_wish_to_stop_ends_the_round_in_order(web, crawl, sites):
    corpus, _, _ = crawl(*sites, only_seeds=True, crawl__fetchers=2, fetch__delay_seconds=2.0)
    interrupt = Interrupt()

    def stop(name, _numbers):
        if name == "page" and not interrupt.wishes:
            interrupt()

    ended = Crawl(corpus, engine_of(corpus), on_event=stop, interrupt=interrupt).run()
    assert ended.reason == "stopped"
    assert not ended.as_asked
    assert rounds.current(corpus.storage).number == 2, "what was fetched is worked in"
    assert set(web.hits.values()) == {1}
    assert not fetchers()


def test_a_wish_to_pause_ends_the_round_of_all_fetchers(web, crawl, sites):
    patient, quick = sites[:6], sites[6:]
    for url in patient:
        answer = (200, {"Content-Type": "text/plain"}, b"User-agent: *\nCrawl-delay: 50\n")
        web.answers[url.replace("/0", "/robots.txt")] = answer
    corpus, _, _ = crawl(*sites, only_seeds=True, crawl__fetchers=2)
    told, ends = set(), []

    def run():
        ends.append(Crawl(corpus, engine_of(corpus), on_event=note).run())

    def note(name, numbers):
        if name == "page":
            told.add(numbers["url"])

    crawling = threading.Thread(target=run)
    crawling.start()
    wait_for(lambda: told >= {*quick}, 180)
    wish(corpus.storage, "pause")
    wait_for(lambda: state(corpus.storage) == "paused", 180)
    assert not told & {*patient}, "nobody waits for them"
    assert rounds.current(corpus.storage).number == 2, "what was fetched is worked in"
    wish(corpus.storage, "stop")
    crawling.join()
    assert ends[0].reason == "stopped"


@pytest.mark.slow
def test_fetchers_that_are_killed_cost_no_page_and_no_site_its_pause(web, crawl, sites):
    killed = []

    def kill(name, _numbers):
        if name == "page":
            kill.pages += 1
            if kill.pages in (3, 12, 22) and fetchers():
                killed.append(fetchers()[kill.pages % len(fetchers())])
                killed[-1].kill()

    kill.pages = 0
    _, _, fetches = crawl(
        *sites,
        on_event=kill,
        crawl__fetchers=3,
        crawl__rounds=PAGES + 2,
        crawl__lease_seconds=10.0,
        fetch__delay_seconds=DELAY,
    )
    assert len(killed) == 3
    assert pages(fetches) == WANTED
    again = Counter(hits for hits in web.hits.values() if hits > 1)
    assert set(again) <= {2}, "asked again is what was not sealed, once a kill"
    must_be_polite(web, DELAY)


@pytest.mark.endurance
def test_a_fetcher_that_sleeps_is_replaced(web, crawl, sites, monkeypatch):
    monkeypatch.setattr(sharing, "START_SECONDS", 0.0)
    stopped = []

    def stop_one(name, _numbers):
        if name == "page" and not stopped:
            stopped.append(fetchers()[0])
            stopped[0].suspend()

    _, _, fetches = crawl(
        *sites,
        on_event=stop_one,
        crawl__fetchers=2,
        crawl__rounds=PAGES + 2,
        crawl__lease_seconds=3.0,
        fetch__delay_seconds=DELAY,
    )
    assert stopped
    assert pages(fetches) == WANTED
    assert not fetchers()


def test_a_crawl_that_is_stopped_at_once_goes_on_with_one_fetcher_or_several(web, crawl, sites):
    corpus, _, _ = crawl(*sites, only_seeds=True, crawl__fetchers=3)
    interrupt, told = Interrupt(), []

    def stop(name, numbers):
        if name == "page":
            told.append(numbers["url"])
            interrupt.at_once()

    with pytest.raises(KeyboardInterrupt):
        Crawl(corpus, engine_of(corpus), on_event=stop, interrupt=interrupt).run()
    assert not fetchers()
    assert not fetches_in(corpus), "what was sealed is not joined yet"
    remove(corpus, engine_of(corpus), told[0])
    (erased,) = [fetch for fetch in fetches_in(corpus) if fetch.url == told[0]]
    assert erased.outcome == OUTCOME, "in the archive that its segment went to"
    _, _, fetches = crawl(crawl__rounds=PAGES + 2)
    assert pages(fetches) == WANTED
    assert max(web.hits.values()) <= 2, "what was under way is asked for again, and nothing else"


@pytest.mark.slow
def test_a_crawl_that_is_killed_takes_its_fetchers_along_and_goes_on(web, crawl, sites):
    corpus, _, _ = crawl(*sites, only_seeds=True)
    asked = ["--fetchers", "2", "--delay", str(DELAY), "--strategy", "breadth", "--allow-private", "--quiet"]
    place = ["--project", corpus.storage.root, "--proxy", web.proxy, "--contact", "me@example.org"]
    killed = subprocess.Popen([sys.executable, "-m", "corpulyzer", "crawl", *asked, *place])
    wait_for(lambda: len(web.hits) > 2 * SITES, 180)
    below = psutil.Process(killed.pid).children(recursive=True)
    killed.kill()
    killed.wait()
    psutil.wait_procs(below, 180)
    _, _, fetches = crawl(crawl__rounds=PAGES + 2, fetch__delay_seconds=DELAY)
    assert pages(fetches) == WANTED
    must_be_polite(web, DELAY)


def test_a_robots_txt_that_has_moved_to_a_site_of_another_fetcher_holds_a_round_later(web, crawl, sites):
    there = "s0.test"
    here = next(f"s{n}.test" for n in range(SITES) if shard_of(f"s{n}.test", 2) != shard_of(there, 2))
    web.answers[f"http://{here}/robots.txt"] = (301, {"Location": f"http://{there}/rules.txt"}, b"")
    rules = b"User-agent: *\nDisallow: /2\n"
    web.answers[f"http://{there}/rules.txt"] = (200, {"Content-Type": "text/plain"}, rules)
    _, _, fetches = crawl(*sites, crawl__fetchers=2, crawl__rounds=PAGES + 4)
    asked = {fetch.url for fetch in fetches if fetch.purpose == "page" and fetch.status}
    assert asked == {*WANTED} - {f"http://{here}/2", f"http://{here}/3"}, "the last is linked by /2 alone"
    assert web.hits[f"http://{there}/rules.txt"] <= 2, "a second time if it was answered before its redirect"
    assert web.hits[f"http://{here}/2"] == 0
    must_be_polite(web, 0.0)


def test_a_robots_txt_that_has_moved_to_a_site_that_wants_to_be_left_alone_is_not_waited_for(
    web, crawl, sites
):
    there = "s0.test"
    here = next(f"s{n}.test" for n in range(SITES) if shard_of(f"s{n}.test", 2) != shard_of(there, 2))
    web.answers[f"http://{there}/0"] = (429, {"Retry-After": "3600"}, b"")
    web.answers[f"http://{here}/robots.txt"] = (301, {"Location": f"http://{there}/rules.txt"}, b"")
    _, ended, fetches = crawl(f"http://{here}/0", f"http://{there}/0", crawl__fetchers=2, crawl__rounds=6)
    assert ended.reason == "nothing is left to fetch"
    assert web.hits[f"http://{there}/rules.txt"] == 0
    (page,) = [fetch for fetch in fetches if fetch.purpose == "page" and fetch.site == here]
    assert page.outcome == "robots_unreachable"


def test_segments_that_a_kill_left_beside_their_archive_are_found_and_removed(crawl, sites):
    corpus, _, _ = crawl(*sites, only_seeds=True)
    storage, begun = corpus.storage, [Round(corpus.storage, number) for number in (1, 2, 3)]
    sealed = resource("http://s0.test/0", b"secret", "text/html").packed()
    for of in begun:
        place = Together(of, 0).place(0)
        offer(storage, place.lease)
        lease = Claim(storage, place.lease, 60.0).attempt()
        storage.write(f"{place.segments}/a.warc.gz", sealed)
        lease.renew(Segment("a.warc.gz", len(sealed)))
        lease.end({})
        sharing.take_up_shards(of, {}, 60.0)
        assert [fetch.url for fetch in recorded(of)] == ["http://s0.test/0"]
        storage.write(f"{place.segments}/a.warc.gz", sealed)
    sharing.take_up_shards(begun[-1], {}, 60.0)
    assert len(storage.list("rounds", ".warc.gz")) == 2
    remove(corpus, engine_of(corpus), "http://s0.test/0")
    assert storage.list("rounds", ".warc.gz") == []


class DiesError(Exception):
    """The end of a crawl that nobody expected."""


@pytest.mark.parametrize("archives", [0, 1, 2])
def test_who_dies_between_two_archives_of_a_round_joins_the_others_later(crawl, sites, monkeypatch, archives):
    corpus, _, _ = crawl(*sites, only_seeds=True)
    of = Round(corpus.storage, 1)
    for shard, url in enumerate(sites[:3]):
        sealed, place = resource(url, b"a page", "text/html").packed(), Together(of, 0).place(shard)
        offer(of.storage, place.lease)
        lease = Claim(of.storage, place.lease, 60.0).attempt()
        of.storage.write(f"{place.segments}/a.warc.gz", sealed)
        lease.renew(Segment("a.warc.gz", len(sealed)))
        lease.end({})
    write_rows, written = joining.write_rows, []

    def die(*asked):
        if len(written) == archives:
            raise DiesError
        written.append(write_rows(*asked))

    monkeypatch.setattr(joining, "MAX_BYTES", len(sealed))
    monkeypatch.setattr(joining, "write_rows", die)
    with pytest.raises(DiesError):
        sharing.take_up_shards(of, {}, 60.0)
    monkeypatch.setattr(joining, "write_rows", write_rows)
    assert len(crawled(of.storage)) == archives + 1
    sharing.take_up_shards(of, {}, 60.0)
    assert len(crawled(of.storage)) == 3
    assert [fetch.url for fetch in fetches_in(corpus)] == sites[:3]
    assert sorted(fetch.url for fetch in recorded(of)) == sites[:3]
    assert not of.storage.list(Together(of, 0).folder, ".warc.gz")


def test_a_lease_that_is_gone_ends_the_crawl_and_the_next_one_goes_on(web, crawl, sites):
    answer = web.answer

    def delete_and_answer(url):
        storage = crawl.corpus.storage
        for name in storage.list("rounds", ".json"):
            if "/shards/" in name:
                storage.delete(name)
        return answer(url)

    web.answer = delete_and_answer
    with pytest.raises(UserError, match=r"^rounds/.*/000\d.json is gone from the corpus"):
        crawl(*sites, crawl__fetchers=2)
    assert not fetchers()
    web.answer = answer
    _, _, fetches = crawl(crawl__fetchers=2, crawl__rounds=PAGES + 2)
    assert pages(fetches) == WANTED


@pytest.fixture
def share(crawl, sites):
    """A share of a round that has no list yet."""
    corpus, _, _ = crawl(*sites, only_seeds=True)
    return Share(
        corpus=corpus,
        round=1,
        place=Together(Round(corpus.storage, 1), 0).place(0),
        requests=[Request.of(url) for url in sites],
        settings=replace(corpus.config.fetch, contact="me@example.org"),
        sites={},
        robots=RobotsCache(AGENT),
        network=Network(),
        rooms={},
        until=time.time() + 600,
        lease_seconds=60.0,
    )


def test_who_gets_a_share_when_nobody_wants_it_any_more_asks_for_nothing(web, share):
    with pytest.raises(UserError, match="does not see"):
        share.fetch()
    assert share.storage.list("rounds") == [], "the folder of another machine stays as it is"
    Round(share.storage, 1).write_list(schema_of(Listed).empty_table())
    offer(share.storage, share.place.lease)
    share.fetch(Interrupt.at_once)
    assert not web.hits
    assert shard_at(share.storage, share.place.lease).ended


def test_who_wakes_when_the_round_is_over_and_forgotten_asks_for_nothing(web, share):
    Round(share.storage, 1).write_list(schema_of(Listed).empty_table())
    share.fetch()
    assert not web.hits
    assert shard_at(share.storage, share.place.lease) is None


def test_a_fetcher_that_fails_says_why_with_its_last_words(share):
    fetcher = Fetcher.start([sys.executable])
    fetcher.give(share)
    assert fetcher.process.wait(60) == 1
    assert fetcher.bury().endswith(f"does not see {share.storage.root} as the crawl does\n")


def test_a_fetcher_that_crashes_again_and_again_ends_the_crawl(share):
    processes = Processes()
    for _ in range(5):
        processes.tend({0: share}, {})
        for process in fetchers():
            process.send_signal(signal.SIGABRT)
        wait_for(lambda: not fetchers(), 60)
    with pytest.raises(UserError, match="failed 5 times"):
        processes.tend({0: share}, {})


def test_fetchers_that_are_killed_elsewhere_end_the_crawl_only_if_nothing_comes_of_them(share):
    killed_behind_ssh = "sh -c 'exit 255' {host}"
    processes = Processes(Hosts(("anna",), killed_behind_ssh))

    def tend(sealed):
        processes.tend({0: share}, {0: sealed})
        wait_for(lambda: not fetchers(), 60)

    for sealed in range(12):
        tend(sealed // 2)
    for _ in range(5):
        tend(6)
    with pytest.raises(UserError, match="failed 5 times: it said nothing"):
        tend(6)


def test_a_fetcher_that_hangs_is_ended_since_it_may_have_the_lock_of_its_shard(share):
    processes = Processes()
    processes.tend({0: share}, {})
    (asleep,) = fetchers()
    asleep.suspend()
    processes.replace(0)
    wait_for(lambda: not fetchers(), 60)
    processes.release()


def test_fetchers_that_are_replaced_leave_nothing_behind(share):
    hears_and_does_nothing = "sh -c 'cat > /dev/null; true' {host}"
    processes, me = Processes(Hosts(("anna",), hears_and_does_nothing)), psutil.Process()

    def kept():
        return len(me.children()), me.num_fds(), threading.active_count()

    processes.tend({0: share}, {})
    at_first = kept()
    for _ in range(4):
        (replaced,) = fetchers()
        processes.replace(0)
        wait_for(lambda gone=replaced: gone.status() == psutil.STATUS_ZOMBIE, 60)
        processes.tend({0: share}, {})
    wait_for(lambda: all(now <= before for now, before in zip(kept(), at_first, strict=True)), 60)
    processes.release()


@pytest.mark.slow
def test_a_fetcher_that_sleeps_past_its_lease_asks_and_lists_nothing_when_it_wakes(web, share, sites):
    Round(share.storage, 1).write_list(schema_of(Listed).empty_table())
    offer(share.storage, share.place.lease)
    requests = [Request.of(url.replace("/0", f"/{page}")) for url in sites for page in range(PAGES)]
    slow = replace(share.settings, delay_seconds=1.5)
    fetcher = Fetcher.start([sys.executable])
    fetcher.give(replace(share, requests=requests, settings=slow, lease_seconds=2.0))
    wait_for(lambda: len(web.hits) > SITES, 180)
    asleep = psutil.Process(fetcher.process.pid)
    asleep.suspend()
    lease = Claim(share.storage, share.place.lease, 600.0).wait()
    hits, listed = web.hits.total(), lease.shard.segments
    asleep.resume()
    time.sleep(3.0)
    assert web.hits.total() == hits < 2 * SITES + PAGES * SITES
    assert shard_at(share.storage, share.place.lease).segments == listed
    lease.end({})
    assert fetcher.bury() == ""
    names = [name.rpartition("/")[2] for name in share.storage.list(share.place.segments)]
    assert set(names) == {each.name for each in listed}


def test_a_fetcher_whose_pages_cannot_be_stored_says_so_and_ends(web, share, sites):
    Round(share.storage, 1).write_list(schema_of(Listed).empty_table())
    offer(share.storage, share.place.lease)
    Path(share.storage.path(share.place.segments)).write_text("a file where the folder of segments should be")
    requests = [Request.of(url.replace("/0", f"/{page}")) for url in sites for page in range(PAGES)]
    slow = replace(share.settings, delay_seconds=3.0)
    with pytest.raises(FileExistsError):
        replace(share, requests=requests, settings=slow, lease_seconds=2.0).fetch()
    assert set(web.hits.values()) == {1}
    assert shard_at(share.storage, share.place.lease).number == 1, "it was not tried again and again"


def test_a_fetcher_that_cannot_seal_because_of_another_error_ends_at_once(web, share, sites):
    Round(share.storage, 1).write_list(schema_of(Listed).empty_table())
    offer(share.storage, share.place.lease)

    class Wrong(Storage):
        """Fails as only a fault of ours does."""

        def write(self, relative, data):
            if relative.endswith(".warc.gz"):
                raise ValueError("not a segment")
            super().write(relative, data)

    corpus = replace(share.corpus, storage=Wrong(share.storage.root))
    requests = [Request.of(url.replace("/0", f"/{page}")) for url in sites for page in range(PAGES)]
    slow = replace(share.settings, delay_seconds=20.0)
    with pytest.raises(ValueError, match="not a segment"):
        replace(share, corpus=corpus, requests=requests, settings=slow, lease_seconds=6.0).fetch()
    assert {url.rpartition("/")[2] for url in web.hits} == {"robots.txt"}, "nobody waits for the pages"


def test_a_lease_that_ends_while_the_store_fails_is_the_fault_of_the_store(share):
    offer(share.storage, share.place.lease)
    holding = Holding(share, Claim(share.storage, share.place.lease, 60.0).attempt(), Interrupt())

    def fail():
        holding.lost.append(LostLeaseError("it was not renewed in time"))
        raise OSError("the store takes nothing in")

    with pytest.raises(OSError, match="takes nothing in"):
        asyncio.run(holding._changed(fail))


def test_who_takes_up_a_crawl_waits_for_all_its_dead_fetchers_at_once(share):
    held = Together(Round(share.storage, 1), 0)
    leases = [held.place(shard).lease for shard in range(6)]
    for lease in leases:
        offer(share.storage, lease)
        Claim(share.storage, lease, 3.0).attempt()
    begun = time.monotonic()
    sharing.take_up_shards(held.of, {}, 3.0)
    assert 3.0 <= time.monotonic() - begun < 12.0
    assert all(shard_at(share.storage, lease).ended for lease in leases)


def test_a_fetcher_that_has_not_noticed_the_end_of_its_crawl_is_stopped_by_the_next(web, share, sites):
    for url in sites:
        patience = b"User-agent: *\nCrawl-delay: 50\n"
        web.answers[url.replace("/0", "/robots.txt")] = (200, {"Content-Type": "text/plain"}, patience)
    of = Round(share.storage, 1)
    of.write_list(schema_of(Listed).empty_table())
    offer(share.storage, share.place.lease)
    fetching = threading.Thread(target=share.fetch)
    fetching.start()
    wait_for(lambda: len(web.hits) == SITES, 180)
    sharing.take_up_shards(of, {}, 60.0)
    fetching.join(180)
    assert len(web.hits) == SITES, "nobody waits for the pages"
    assert {fetch.purpose for fetch in recorded(of)} == {"robots"}


def test_more_fetchers_than_there_may_be_connections_are_refused(crawl, sites):
    with pytest.raises(UserError, match="3 fetchers cannot share 2 connections"):
        crawl(*sites, crawl__fetchers=3, fetch__connections=2)
