"""A crawl whose folder is in an object store: sealed segments there, and the rows of one on disk."""

import threading

import pytest
from lasting import engine_of
from processes import wait_for
from s3_server import environment, make_bucket, requests

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.corpus import rounds
from corpulyzer.corpus.rounds import Round
from corpulyzer.errors import UserError
from corpulyzer.jobs.crawl.control import state, wish
from corpulyzer.jobs.crawl.log import EVENTS
from corpulyzer.jobs.crawl.loop import Crawl
from corpulyzer.jobs.crawl.shards.joining import Together, forget
from corpulyzer.web.fetch.shards.lease import offer
from corpulyzer.web.seeds import Candidate, add

PATIENCE = b"User-agent: *\nCrawl-delay: 50\n"


@pytest.fixture
def corpus(web, object_store, tmp_path):
    """A corpus in a bucket, with its seeds."""
    for page in range(2):
        for site in "ab":
            web.page(f"http://{site}.test/{page}", f"http://{site}.test/{page + 1}")
    with environment(object_store):
        folder = f"{make_bucket(object_store, 'crawled')}/{tmp_path.name}"
        created = create("ur", folder)
        add(created.storage, [Candidate(f"http://{site}.test/0") for site in "ab"], "command", round=1)
        flags = {
            "crawl.contact": "me@example.org",
            "crawl.fetchers": 2,
            "crawl.rounds": 3,
            "fetch.proxy": web.proxy,
            "fetch.delay_seconds": 0.0,
            "fetch.allow_private": True,
            "frontier.strategy": "breadth",
            "engine.workers": 1,
        }
        yield lambda **more: open_corpus(folder, flags | {k.replace("__", "."): v for k, v in more.items()})


def test_of_the_shards_of_a_round_nothing_stays_and_it_takes_few_requests(corpus, object_store):
    of = Round(corpus().storage, 1)
    held = Together(of, 0)
    for shard in range(8):
        offer(of.storage, held.place(shard).lease)
        of.storage.write(f"{held.place(shard).segments}/a.warc.gz", b"sealed")
    of.write("inject", {})
    with requests(object_store) as asked:
        forget(of)
        forget(of)
    assert len(asked) < 10
    assert of.storage.list(of.folder) == [f"{of.folder}/inject.json"]


@pytest.mark.slow
def test_a_crawl_into_an_object_store_fetches_every_page_once_and_goes_on(web, corpus):
    found = corpus(crawl__rounds=1)
    Crawl(found, engine_of(found)).run()
    found = corpus()
    ended = Crawl(found, engine_of(found)).run()
    assert ended.pages == 6
    assert {f"http://{site}.test/{page}" for site in "ab" for page in range(3)} <= web.hits.keys()
    assert set(web.hits.values()) == {1}
    assert len(list(found.documents.kept())) == 4
    assert state(found.storage) == "ended"
    assert any("commit" in name for name in found.storage.list(EVENTS))


@pytest.mark.slow
def test_a_crawl_in_an_object_store_pauses_and_stops_by_the_wishes_in_it(web, corpus):
    web.answers["http://a.test/robots.txt"] = (200, {"Content-Type": "text/plain"}, PATIENCE)
    found, told, ends = corpus(), [], []

    def run():
        ends.append(Crawl(found, engine_of(found), on_event=lambda name, _: told.append(name)).run())

    crawling = threading.Thread(target=run)
    crawling.start()
    wait_for(lambda: "page" in told)
    wish(found.storage, "pause")
    wait_for(lambda: state(found.storage) == "paused")
    assert not web.hits["http://a.test/0"], "nobody waits for it"
    assert rounds.current(found.storage).number == 2, "what was fetched is worked in"
    wish(found.storage, "stop")
    crawling.join()
    assert (ends[0].reason, state(found.storage)) == ("stopped", "ended")
    assert not web.hits["http://a.test/0"]


def test_one_fetcher_cannot_write_to_an_object_store(corpus):
    found = corpus(crawl__fetchers=1)
    with pytest.raises(UserError, match="record by record"):
        Crawl(found, engine_of(found)).run()


def test_a_lease_that_one_answer_of_the_store_may_outlast_is_refused(corpus):
    found = corpus(crawl__lease_seconds=4.0)
    with pytest.raises(UserError, match="lease_seconds is 4, and one answer of a store may take 5 seconds"):
        Crawl(found, engine_of(found)).run()
