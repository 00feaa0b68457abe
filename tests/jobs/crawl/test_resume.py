"""What a crawl that goes on knows of robots.txt, redirects and requests, out of its archives alone."""

from datetime import UTC, datetime, timedelta

import pytest
from in_archives import fetches_in
from lasting import engine_of
from s3_server import environment, make_bucket

from corpulyzer.api.corpus import create
from corpulyzer.corpus.rounds import Round
from corpulyzer.engine.local import LocalEngine
from corpulyzer.jobs.crawl.fetching import Interrupt
from corpulyzer.jobs.crawl.loop import Crawl
from corpulyzer.jobs.crawl.redirects import scope_of
from corpulyzer.jobs.crawl.resume import Memory, is_request, previous
from corpulyzer.jobs.crawl.round_archive import recorded
from corpulyzer.url import url_id
from corpulyzer.warc.write import ArchiveWriter
from corpulyzer.web.fetch.http.exchange import Exchange
from corpulyzer.web.fetch.lanes import KNOWN
from corpulyzer.web.fetch.recorder import Log, Request
from corpulyzer.web.fetch.settings import FetchSettings

NOW = datetime.now(UTC) - timedelta(minutes=5)
RULES = b"User-agent: *\nDisallow: /secret\n"


@pytest.fixture
def write(tmp_path):
    """Writes responses to the archive of the first round, as the fetcher does; returns the corpus."""
    corpus = create("ur", tmp_path / "c")
    Round(corpus.storage, 1).write("inject", {"version": ""})

    def write(*answers):
        folder = corpus.storage.path(Round(corpus.storage, 1).archives)
        with ArchiveWriter(folder, "crawl-00001") as archive:
            for number, (url, purpose, status, headers, body, cut) in enumerate(answers):
                lines = [f"HTTP/1.1 {status} X", *(f"{name}: {value}" for name, value in headers.items())]
                head = "\r\n".join((*lines, "", "")).encode()
                request = f"GET {url} HTTP/1.1\r\n\r\n".encode()
                at = NOW + timedelta(seconds=number)
                exchange = Exchange(url, at, 12, request, head, body, status, "127.0.0.1", cut)
                Log(archive, 1).exchange(Request.of(url), exchange, purpose)
        return corpus

    return write


@pytest.mark.parametrize("place", ["folder", "store"])
def test_what_a_page_said_of_itself_is_known_when_it_is_fetched_again(place, write, tmp_path, object_store):
    page = ("http://a.test/x", "page", 200, {"Content-Type": "text/html", "ETag": '"7"'}, b"<p>x", "")
    written = write(page)
    with environment(object_store), LocalEngine(1) as engine:
        there = make_bucket(object_store, "again") if place == "store" else str(tmp_path)
        corpus = create("ur", f"{there}/again")
        for file in written.storage.list("warc"):
            corpus.storage.write(file, written.storage.read(file))
        corpus.process(engine=engine)
        found = previous(corpus, [url_id("http://a.test/x"), url_id("http://a.test/y")])
    assert {key: known.etag for key, known in found.items()} == {url_id("http://a.test/x"): '"7"'}


def permission(corpus, origin="http://a.test"):
    known = Memory.recall(corpus, FetchSettings()).robots.get(
        origin, (NOW + timedelta(seconds=20)).timestamp()
    )
    assert known is not None, f"{origin} is not remembered"
    return known


def test_a_robots_txt_is_remembered(write):
    corpus = write(("http://a.test/robots.txt", "robots", 200, {}, RULES, ""))
    assert permission(corpus).rules.allows("http://a.test/open")
    assert not permission(corpus).rules.allows("http://a.test/secret")


def test_a_robots_txt_that_broke_off_forbids_everything(write):
    corpus = write(("http://a.test/robots.txt", "robots", 200, {}, b"User-agent: *\n", "disconnect"))
    assert not permission(corpus).is_known
    assert not permission(corpus).rules.allows("http://a.test/open")


def test_a_redirected_robots_txt_is_remembered_and_counts_as_no_page(write):
    corpus = write(
        ("http://a.test/robots.txt", "robots", 301, {"Location": "/rules;v=2"}, b"", ""),
        ("http://a.test/rules;v=2", "robots", 200, {}, RULES, ""),
        ("http://a.test/page", "page", 200, {}, b"<p>text", ""),
    )
    assert not permission(corpus).rules.allows("http://a.test/secret")
    done = recorded(Round(corpus.storage, 1))
    assert [fetch.url for fetch in done if is_request(fetch)] == ["http://a.test/page"]


def test_a_page_that_several_lead_to_is_asked_for_once_by_who_goes_on_too(web, crawl):
    for page in range(1, 4):
        web.answers[f"http://a.test/{page}"] = (302, {"Location": "http://a.test/0"}, b"")
    web.page("http://a.test/0")
    corpus, _, _ = crawl(*(f"http://a.test/{page}" for page in range(1, 4)), only_seeds=True)
    interrupt = Interrupt()

    def stop(name, numbers):
        if name == "page" and numbers["url"] == "http://a.test/0":
            interrupt.at_once()

    with pytest.raises(KeyboardInterrupt):
        Crawl(corpus, engine_of(corpus), on_event=stop, interrupt=interrupt).run()
    done = fetches_in(corpus)
    assert "http://a.test/0" in {fetch.url for fetch in done}
    assert len(done) < 5, "two pages and robots.txt are not fetched yet"
    scope = scope_of(corpus, Round(corpus.storage, 2), done)
    assert (scope("http://a.test/0"), scope("http://a.test/9")) == (KNOWN, "")
    _, _, fetches = crawl(crawl__rounds=1)
    pages = [fetch.url for fetch in fetches if fetch.purpose == "page"]
    assert sorted(pages) == [f"http://a.test/{page}" for page in range(4)]
    assert web.hits["http://a.test/0"] == 1
