"""A crawl asks for pages as their site spells them, and keeps to robots.txt in every spelling, over real sockets."""

import json
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pyarrow.parquet as pq
import pytest
from in_archives import fetches_in
from lasting import engine_of

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.corpus import rounds
from corpulyzer.jobs.crawl.loop import Crawl
from corpulyzer.jobs.why import history
from corpulyzer.web.seeds import Candidate, add, read

ROBOTS = "User-agent: *\nDisallow: /index.php?title=Special:\nDisallow: /%7Ejoe/\nDisallow: /*?action=\n"
FORBIDDEN = ["/index.php?title=Special:Log&b=1", "/~joe/a.html", "/%7Ejoe/b.html", "/w?title=A&action=edit"]
LINKED = [
    "/index.php?title=Page&by=me",
    "/wiki/%d8%a7",
    "/x?utm_source=y&d=1&c=2#part",
    "/plain?a=1&b=2",
    "/e?",
]
REDIRECTS = {"/old?z=1&a=2": "/new?y=1&%62=2", "/turn?b=1&a=2": "/turn?a=2&b=1", "/ring?b&a": "/ring?b&&a"}
REDIRECTS |= {"/ring?b&&a": "/ring?b&a"}
LATER = ["/index.php?by=me&title=Page", "/x?c=2&d=1", "/late?b=1&a=2", "/late?a=2&b=1"]
SENT = ["/index.php?title=Page&by=me", "/wiki/%d8%a7", "/x?d=1&c=2", "/plain?a=1&b=2", "/e?", "/late?a=2&b=1"]


class Site(ThreadingHTTPServer):
    """A site that knows its pages by one spelling, and notes what it is asked for."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answer)
        self.asked = []

    @property
    def home(self):
        return f"http://127.0.0.1:{self.server_address[1]}"


class Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.server.asked.append(self.path)
        location = REDIRECTS.get(self.path)
        links = [*FORBIDDEN, *LINKED, *list(REDIRECTS)[:3]] if self.path == "/?s=1&a=2" else LATER
        anchors = "".join(f'<a href="{link.replace("&", "&amp;")}">{link}</a> ' for link in links)
        text = ROBOTS if self.path == "/robots.txt" else f"<html><body><p>{self.path} {anchors}</body></html>"
        self.send_response(301 if location else 200)
        self.send_header("Content-Type", "text/plain" if text is ROBOTS else "text/html")
        if location:
            self.send_header("Location", location)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def site():
    with Site() as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture(scope="module")
def crawled(tmp_path_factory, site):
    """The whole site, crawled once."""
    corpus = project(tmp_path_factory.mktemp("crawled") / "c", site)
    engine = engine_of(corpus)
    Crawl(corpus, engine).run()
    return corpus, list(site.asked)


def project(folder, site):
    if not folder.exists():
        create("ur", folder)
        add(open_corpus(folder).storage, [Candidate(f"{site.home}/?s=1&a=2#top")], "command", round=1)
    asked = {"crawl.contact": "me@example.org", "fetch.delay_seconds": 0.0, "fetch.allow_private": True}
    known = {"frontier.strategy": "breadth", "frontier.traps.known_views": False, "engine.workers": 1}
    return open_corpus(folder, {**asked, **known})


def test_pages_are_asked_for_once_and_as_their_site_spells_them(crawled):
    _, asked = crawled
    followed = [*REDIRECTS, "/new?y=1&%62=2", "/turn?a=2&b=1"]
    assert sorted(asked) == sorted(["/robots.txt", "/?s=1&a=2", *SENT, *followed])


def test_what_is_forbidden_in_one_spelling_is_asked_for_in_none_and_the_record_says_which(crawled):
    corpus, asked = crawled
    assert not [path for path in asked if "Special" in path or "joe" in path or "action" in path]
    found = fetches_in(corpus)
    home = read(corpus.storage)[0].url.partition("?")[0]
    refused = {
        fetch.url.removeprefix(home): fetch.detail.replace(home, "")
        for fetch in found
        if fetch.outcome == "robots_disallowed"
    }
    assert refused == {
        "index.php?title=Special:Log&b=1": "robots.txt forbids index.php?title=Special:Log&b=1",
        "~joe/a.html": "robots.txt forbids ~joe/a.html",
        "%7Ejoe/b.html": "robots.txt forbids %7Ejoe/b.html",
        "w?title=A&action=edit": "robots.txt forbids w?action=edit&title=A",
    }


def test_a_redirect_to_another_spelling_is_followed_once_and_a_ring_of_spellings_is_left(crawled):
    corpus, _ = crawled
    found = fetches_in(corpus)
    assert [fetch.outcome for fetch in found if "/turn" in fetch.url] == ["http_error", "ok"]
    assert [fetch.outcome for fetch in found if "/ring" in fetch.url] == ["http_error"] * 2 + [
        "redirect_loop"
    ]


def test_a_rebuild_from_the_archives_agrees_on_every_spelling(crawled):
    corpus, _ = crawled
    made = known(corpus)
    spellings = {row["spelling"].partition("/?")[0].rpartition("/")[2] for row in map(json.loads, made)}
    assert {"index.php?title=Page&by=me", "x?d=1&c=2", "new?y=1&%62=2", ""} <= spellings
    for name in ("frontier", "links", "fetches", "documents"):
        for file in corpus.storage.list(name, ".parquet"):
            corpus.storage.delete(file)
    engine = engine_of(corpus)
    corpus.process(engine=engine)
    assert known(corpus) == made


def test_a_page_is_found_by_either_spelling(crawled):
    corpus, _ = crawled
    home = read(corpus.storage)[0].url.partition("?")[0]
    engine = engine_of(corpus)
    one, other = (
        history(corpus, f"{home}index.php?{query}", engine)
        for query in ("title=Page&by=me", "by=me&title=Page")
    )
    assert one == other and one[0]["url"] == f"{home}index.php?by=me&title=Page"
    assert one[0]["spelling"] == f"{home}index.php?title=Page&by=me"


class DiesError(Exception):
    """The end of a crawl that nobody expected."""


def test_a_crawl_that_dies_goes_on_with_the_same_spellings(crawled, site, tmp_path):
    """It dies at a page, and at redirects to another page and to the same one: what they lead to is still to do."""
    _, asked = crawled
    site.asked.clear()
    deaths = ["/index.php", "/old", "/turn"]

    def die(name, numbers):
        for path in deaths if name == "page" else ():
            if path in numbers["url"]:
                deaths.remove(path)
                raise DiesError

    while deaths:
        corpus = project(tmp_path / "c", site)
        engine = engine_of(corpus)
        with suppress(DiesError):
            Crawl(corpus, engine, on_event=die).run()
    engine = engine_of(corpus)
    Crawl(corpus, engine).run()
    assert sorted(site.asked) == sorted(asked)


def known(corpus):
    files = rounds.frontier(corpus.storage).files()
    rows = [row for file in files for row in pq.read_table(corpus.storage.path(file)).to_pylist()]
    return sorted(json.dumps(row, default=str, sort_keys=True) for row in rows)
