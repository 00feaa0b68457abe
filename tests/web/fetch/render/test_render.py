"""Pages in a real Chromium: what they ask for, what they must not reach, and what they cost."""

import asyncio
import os
import shutil
import socket
from dataclasses import dataclass
from itertools import pairwise

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from corpulyzer import extract
from corpulyzer.errors import UserError
from corpulyzer.warc.erase import erase
from corpulyzer.warc.fetches import fetch_of
from corpulyzer.warc.index import index
from corpulyzer.warc.names import archive_name
from corpulyzer.warc.read import ArchiveReader
from corpulyzer.warc.write import ArchiveWriter
from corpulyzer.web.fetch.fetcher import WebFetcher
from corpulyzer.web.fetch.http.resolve import CachedResolver
from corpulyzer.web.fetch.recorder import Request
from corpulyzer.web.fetch.render.chromium import NAMES
from corpulyzer.web.fetch.render.gate import Answer
from corpulyzer.web.fetch.render.processes import process_with
from corpulyzer.web.fetch.render.ready import must_be_there
from corpulyzer.web.fetch.settings import FetchSettings

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not any(map(shutil.which, NAMES)), reason="there is no Chromium: `make browser` installs it"
    ),
    pytest.mark.xdist_group("tests/web/fetch/render"),
]

DELAY = 0.05
REQUESTS = 12
TEXT = "Danas je u gradu otvoren novi most, koji spaja dvije obale rijeke."
SHELL = b"<!DOCTYPE html><title>t</title><link rel=stylesheet href=/s.css><div id=root></div><img src=/i.png><script src=/app.js></script>"
APP = """
fetch("/text.json").then(answer => answer.json()).then(found => {
  document.getElementById("root").innerHTML = "<p>" + found.text + location.pathname + "</p><a href=/next>next</a>";
});
"""
# Each address that must not be reached; what came of it is written into the page.
REACH = """
<div id=root></div><script>
const say = (what, how) => { root.insertAdjacentHTML("beforeend", `<p>${what} ${how}</p>`) };
for (const [what, url] of Object.entries(%s))
  fetch(url).then(answer => answer.text()).then(text => say(what, text), () => say(what, "refused"));
</script>
"""
WAYS = """
<div id=root>stays</div><script>
const tries = [
  () => window.open("/way/window"), () => new WebSocket("ws://" + location.host + "/way/socket"),
  () => navigator.sendBeacon("/way/beacon", "x"), () => new Worker("/way/worker.js"),
  () => new SharedWorker("/way/shared.js"), () => new EventSource("/way/events"),
  () => fetch("/way/post", {method: "POST", body: "x"}), () => fetch("file:///etc/passwd"),
  () => new RTCPeerConnection({iceServers: [{urls: "stun:127.0.0.1:%d"}]}).createDataChannel("x"),
  () => { document.body.appendChild(document.createElement("iframe")).src = "/way/frame" },
  () => { document.body.insertAdjacentHTML("beforeend", "<video src=/way/film></video><object data=/way/object></object>") },
  () => { const a = document.createElement("a"); a.href = "/way/download"; a.download = "x"; a.click() },
  () => { const link = document.createElement("link"); link.rel = "prefetch"; link.href = "/way/prefetch"; document.head.append(link) },
  () => navigator.serviceWorker.register("/way/service.js"),
  () => { location.href = "/way/elsewhere" },
];
for (const attempt of tries) try { attempt() } catch (error) {}
</script>
"""
FLOOD = "<div id=root></div><script>for (let i = 0; i < 600; i++) fetch('/n/' + i).catch(() => 0)</script>"
SHADOW = """<html lang=hr><div id=root></div><script>
const inside = document.createElement("p"); inside.textContent = "%s";
const outer = root.attachShadow({mode: "closed"}); outer.innerHTML = "<h1>Most</h1><my-text></my-text>";
outer.querySelector("my-text").attachShadow({mode: "open"}).append(inside);
</script>"""
LOOP = "<div id=root></div><script>for (;;) ;</script>"
MEMORY = "<div id=root></div><script>const all = []; setInterval(() => all.push(new Uint8Array(64 << 20).fill(1)), 10)</script>"


@dataclass
class Changing:
    """Names of the tests' own: all are the server's, but a private one, and one that is so once its page is fetched."""

    server: object

    async def __call__(self, host):
        changed = host == "rebinding.example" and self.server.pages_of(host)
        return ("127.0.0.2",) if host == "private.example" or changed else ("127.0.0.1",)


@dataclass
class Rendered:
    """What came of pages in a browser."""

    server: object
    results: list
    left: list
    archive: str

    def page(self, host):
        """The text of a rendered page, or why there is none."""
        (found,) = [r.fetch for r in self.results if r.fetch.purpose == "rendered" and r.fetch.site == host]
        if found.outcome != "ok":
            return f"{found.outcome}: {found.detail}"
        with ArchiveReader({found.archive: self.archive}) as reader:
            return reader.read(found).body.decode()

    def parts(self, host):
        """The paths that the scripts of a host asked for, and what came of it."""
        found = [r.fetch for r in self.results if r.fetch.purpose == "part" and r.fetch.site == host]
        return [(fetch.url.split("/", 3)[3], fetch.outcome) for fetch in found]

    def seen(self, host):
        return [seen.path for seen in self.server.pages_of(host)]


def render(server, folder, *hosts, **settings):
    """Fetch a page of each host, then load it in a browser; the archive must tell the same as the results."""
    chosen = FetchSettings(
        **{
            "contact": "test@example.org",
            "delay_seconds": DELAY,
            "delay_per_second": 0.0,
            "failure_seconds": 0.0,
            "allow": ("127.0.0.1",),
            "render": "needed",
            "render_requests": REQUESTS,
            **settings,
        }
    )
    return asyncio.run(_render(server, folder, [server.url(host) for host in hosts], chosen))


async def _render(server, folder, urls, settings):
    results = []
    resolver = CachedResolver(Changing(server), keep_seconds=0.0)
    with ArchiveWriter(folder, "test") as archive:
        common = {"archive": archive, "round": 1, "seconds": 300, "patience_seconds": 30}
        async with WebFetcher(settings, resolver=resolver, environment={}) as fetcher:
            await fetcher.fetch([Request.of(url) for url in urls], results.append, **common)
            fetched = [r for r in results if r.fetch.purpose == "page" and r.fetch.outcome == "ok"]
            fetched.sort(key=lambda r: urls.index(r.fetch.url))  # hosts answer in any order
            received = {r.fetch.id: Answer(200, r.headers, r.decoded(1 << 20)) for r in fetched}
            pages = [r.fetch for r in fetched]
            loop = asyncio.get_running_loop()
            server.stop = lambda: loop.call_soon_threadsafe(fetcher.stop)
            left = await fetcher.render(pages, lambda page: received[page.id], results.append, **common)
    (file,) = folder.glob("*.warc.gz")
    rows = [fetch_of(entry, archive_name(file.name), 1) for entry in index(str(file))]
    assert [row for row in rows if row is not None] == [result.fetch for result in results]
    assert not process_with(f"--corpulyzer-browser={os.getpid()}-"), "no browser is left behind"
    return Rendered(server, results, left, str(file))


@pytest.fixture(scope="module")
def private():
    """A server that nobody may reach, on a port of a private address; it counts who comes."""
    with socket.create_server(("127.0.0.2", 0)) as listening:
        listening.settimeout(0)
        yield listening


@pytest.fixture(scope="module")
def datagrams():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.settimeout(0)
        yield listening


@pytest.fixture(scope="module")
def web(request, private, datagrams):
    """The hosts of all tests, on one server."""
    conftest = next(p for p in request.config.pluginmanager.get_plugins() if hasattr(p, "Conversation"))
    server = conftest.Server()
    other, port = f"{private.getsockname()[0]}:{private.getsockname()[1]}", private.getsockname()[1]

    def app(c):
        if c.path == "/app.js":
            c.reply(APP.encode(), "Content-Type: text/javascript")
        elif c.path == "/text.json":
            c.reply(b'{"text": "%s"}' % TEXT.encode(), "Content-Type: application/json")
        else:
            c.reply(SHELL)

    def guarded(c):
        if c.path.startswith("/in"):
            c.redirect(f"http://{other}/secret")
        elif c.path.startswith("/on"):
            c.redirect("/fine")
        else:
            urls = {
                "literal": f"http://{other}/secret",
                "number": f"http://{int.from_bytes(socket.inet_aton('127.0.0.2'))}:{port}/secret",
                "mapped": f"http://[::ffff:127.0.0.2]:{port}/secret",
                "name": f"http://private.example:{port}/secret",
                "redirect": "/in",
                "fine": "/on",
            }
            c.reply((REACH % repr(urls)).encode())

    def rebinding(c):
        c.reply((REACH % repr({"again": "/secret"})).encode())

    def closed(c):
        c.reply(
            (REACH % repr({"closed": "/closed/x", "open": "/open"})).encode()
            if c.path == "/page"
            else b"came"
        )

    def again(c):
        script = f"src={server.url('app.example', '/app.js')}".encode()
        app(c) if c.path == "/text.json" else c.reply(SHELL.replace(b"src=/app.js", script))

    def stopped(c):
        if c.path == "/app.js":
            server.stop()
        app(c)

    server.on("app.example", app)
    server.on("stopped.example", stopped)
    server.on("again.example", again)
    server.on("guarded.example", guarded)
    server.on("rebinding.example", rebinding)
    server.on(
        "closed.example",
        closed,
        lambda c: c.reply(b"User-agent: *\nDisallow: /closed", "Content-Type: text/plain"),
    )
    server.on("ways.example", lambda c: c.reply((WAYS % datagrams.getsockname()[1]).encode()))
    server.on("shadow.example", lambda c: c.reply((SHADOW % TEXT).encode()))
    server.on("flood.example", lambda c: c.reply(FLOOD.encode()))
    server.on("loop.example", lambda c: c.reply(LOOP.encode()))
    server.on("memory.example", lambda c: c.reply(MEMORY.encode()))
    yield server
    server.close()


@pytest.fixture(scope="module")
def done(web, tmp_path_factory):
    """All pages together: the first costs its browser, the others share one."""
    hosts = "flood app again guarded rebinding closed ways shadow".split()
    return render(web, tmp_path_factory.mktemp("render"), *(f"{host}.example" for host in hosts))


@pytest.mark.smoke
def test_a_page_is_recorded_as_the_browser_made_it_and_refers_to_the_page_as_received(done):
    assert f"<p>{TEXT}/page</p>" in done.page("app.example")
    (page,) = [
        r.fetch for r in done.results if r.fetch.purpose == "rendered" and r.fetch.site == "app.example"
    ]
    (received,) = [
        r.fetch for r in done.results if r.fetch.purpose == "page" and r.fetch.site == "app.example"
    ]
    with ArchiveReader({page.archive: done.archive}) as reader:
        headers = reader.read(page).headers
    assert (page.kind, page.mime, page.url_id, page.truncated) == (
        "conversion",
        "text/html",
        received.url_id,
        False,
    )
    assert headers["warc-refers-to"] == received.record_id
    assert done.left == []


def test_what_stands_in_shadow_roots_is_text_of_the_page(done):
    page = done.page("shadow.example")
    assert page.startswith('<html lang="hr">') and page.endswith("</html>")
    assert "<h1>Most</h1>" in page and extract(page.encode()).text == TEXT


def test_what_scripts_ask_for_is_recorded_and_pictures_and_styles_are_not_asked_for(done):
    assert done.parts("app.example") == [("app.js", "ok"), ("text.json", "ok")]
    assert done.seen("app.example") == ["/page", "/app.js", "/text.json"]


def test_a_site_gets_one_request_at_a_time_after_its_pause(done):
    seen = done.server.pages_of("app.example")
    assert done.server.most_at_once["app.example"] == 1
    assert all(after.begun - before.ended >= DELAY * 0.9 for before, after in pairwise(seen))
    assert all(each.headers["user-agent"].startswith("Corpulyzer/") for each in seen)


def test_no_private_address_is_reached_by_whatever_way(done, private):
    page = done.page("guarded.example")
    for what in ("literal", "number", "mapped", "name", "redirect"):
        assert f"<p>{what} refused</p>" in page
    assert "<p>fine " in page, "a redirect to where one may go is followed"
    assert "<p>again refused</p>" in done.page("rebinding.example")
    outcomes = {r.fetch.outcome for r in done.results if "secret" in r.fetch.url}
    assert outcomes == {"guard_refused"}
    with pytest.raises(BlockingIOError):
        private.accept()


def test_robots_txt_holds_for_what_scripts_ask_for(done):
    assert done.parts("closed.example") == [("closed/x", "robots_disallowed"), ("open", "ok")]
    assert done.seen("closed.example") == ["/page", "/open"]
    assert "<p>open came</p>" in done.page("closed.example")


def test_there_is_no_other_way_out_of_the_browser(done, datagrams):
    assert done.seen("ways.example") == ["/page"]
    assert ">stays</div>" in done.page("ways.example"), "the page has not gone elsewhere"
    with pytest.raises(BlockingIOError):
        datagrams.recv(1)


def test_a_page_that_asks_without_end_is_given_up(done):
    assert done.page("flood.example").startswith("render_failed: its scripts tried ")
    assert len(done.seen("flood.example")) <= 1 + REQUESTS


def test_pages_share_their_scripts(done):
    assert f"<p>{TEXT}/page</p>" in done.page("again.example")
    assert done.parts("again.example") == [("text.json", "ok")]


def test_what_scripts_brought_is_removed_with_their_page(done, tmp_path):
    archive = str(shutil.copy(done.archive, tmp_path / "a.warc.gz"))
    erase(archive, lambda url: url == done.server.url("again.example"))
    left = [fetch_of(entry, "a", 1) for entry in index(archive)]
    removed = {
        (fetch.url, fetch.purpose) for fetch in left if fetch is not None and fetch.outcome == "removed"
    }
    page, text = (done.server.url("again.example", path) for path in ("/page", "/text.json"))
    assert removed == {(page, "page"), (page, "rendered"), (text, "part")}


def test_a_stop_leaves_pages_for_later(web, tmp_path):
    """The server wishes the stop when the script is asked for; what the script then wants is not asked for."""
    found = render(web, tmp_path, "stopped.example", "app.example")
    assert {each.reason for each in found.left} == {"stopped"}
    assert len(found.left) == 2
    assert found.parts("stopped.example") == [("app.js", "ok")]
    assert not [r for r in found.results if r.fetch.purpose == "rendered"]


def test_a_script_that_eats_memory_is_ended(web, tmp_path):
    found = render(web, tmp_path, "memory.example", render_megabytes=700)
    assert found.page("memory.example") == "render_failed: it took more than 700 MB"


def test_a_script_without_end_is_ended(web, tmp_path):
    found = render(web, tmp_path, "loop.example", render_seconds=2.0)
    assert found.page("loop.example") == "render_failed: its scripts did not let go for 2 seconds"


def test_what_is_missing_is_said_before_a_crawl_begins(monkeypatch):
    settings = FetchSettings(contact="test@example.org", render="needed", chromium="no-such-chromium")
    with pytest.raises(UserError, match="no-such-chromium"):
        must_be_there(settings)
    monkeypatch.setitem(os.environ, "PATH", "")
    monkeypatch.setitem(os.environ, "PLAYWRIGHT_BROWSERS_PATH", "/nowhere")
    with pytest.raises(UserError, match="there is no Chromium"):
        must_be_there(FetchSettings(contact="test@example.org", render="needed"))
    must_be_there(FetchSettings())
