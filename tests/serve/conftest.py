"""An explorer on a real socket, and the corpora that it is tried on."""

import json
import random
import shutil
import socket
import sys
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import uvicorn
from lasting import engine_of

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.corpus.folder import write_settings
from corpulyzer.lab.demo.prose import Prose
from corpulyzer.lab.demo.web import BuiltInWeb
from corpulyzer.serve.app import application
from corpulyzer.serve.explorer import Explorer
from corpulyzer.serve.security import Gate
from corpulyzer.web.seeds import Candidate, add

HERE = Path(__file__).parent
sys.path += [str(HERE.parent / "web" / room) for room in ("seeds", "commoncrawl")]
OUTSIDE = "http://evil.example"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
OF_SEVERAL = {"hrv": 5, "slv": 3}
HOSTILE_TITLE = "<script>document.title='owned'</script> خطرناک صفحہ"


@dataclass
class Served:
    """An explorer that runs: its address, its corpus, and itself."""

    address: str
    folder: str
    explorer: Explorer

    @property
    def corpus(self):
        return open_corpus(self.folder)


@contextmanager
def running(app):
    """An application on a real socket; gives its address."""
    opened = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [opened]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield f"http://127.0.0.1:{opened.getsockname()[1]}"
    server.should_exit = True
    thread.join(10)


@contextmanager
def serving(folder, gate=None):
    explorer = Explorer(str(folder), gate or Gate())
    with running(application(explorer)) as address:
        yield Served(address, str(folder), explorer)


class Trap(BaseHTTPRequestHandler):
    """The host that hostile pages call: it counts who comes."""

    def do_GET(self):
        self.server.hits.append(self.path)
        self.send_response(204)
        self.end_headers()

    def do_POST(self):
        self.do_GET()

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def trap():
    with ThreadingHTTPServer(("127.0.0.1", 0), Trap) as server:
        server.hits = []
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture(scope="module")
def browser(trap):
    """A browser to which the hostile host is the trap, and no other name exists."""
    trapped = f"MAP evil.example 127.0.0.1:{trap.server_address[1]}"
    nobody = f"--host-resolver-rules={trapped}, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
    # Else Chromium's own guard of local networks would hide a leak to the trap.
    unguarded = "--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests"
    from playwright import sync_api

    with sync_api.sync_playwright() as playwright:
        arguments = ["--no-sandbox", nobody, unguarded]
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield browser
        browser.close()


def paragraphs(language, seed, count=6):
    rng = random.Random(seed)
    return [Prose(language).paragraph(rng) for _ in range(count)]


def page(title, body, lang, head=""):
    return f"<html lang={lang}><head><title>{title}</title>{head}</head><body>{body}</body></html>"


def article(language, seed, title):
    text = "".join(f"<p>{each}</p>" for each in paragraphs(language, seed))
    menu = "<nav><ul><li><a href=/a>Home</a></li><li><a href=/b>Contact</a></li></ul></nav>"
    return page(title, f"{menu}<article><h1>{title}</h1>{text}</article>", language)


def hostile():
    """A page that tries everything: scripts, refresh, frames, forms, pictures, styles, links."""
    head = (
        f'<meta http-equiv="refresh" content="0;url={OUTSIDE}/refresh"><base href="{OUTSIDE}/">'
        f'<link rel="stylesheet" href="{OUTSIDE}/x.css"><link rel="dns-prefetch" href="//evil.example">'
        f'<link rel="preconnect" href="{OUTSIDE}"><link rel="prefetch" href="{OUTSIDE}/p">'
        f"<style>@import '{OUTSIDE}/i.css'; body {{ background: url({OUTSIDE}/bg.png) }}</style>"
        f"<script>parent.document.title = 'owned'; fetch('{OUTSIDE}/fetch'); alert(1)</script>"
        f'<script src="{OUTSIDE}/s.js"></script>'
    )
    text = "".join(
        f'<p onclick="top.owned = 1" onmouseover="alert(2)">{each}</p>' for each in paragraphs("urd", 99)
    )
    body = (
        f"<article><h1>x</h1>{text}</article>"
        f'<img src="{OUTSIDE}/pixel.png" srcset="{OUTSIDE}/2x.png 2x" onerror="top.owned = 1">'
        f'<form action="{OUTSIDE}/form" method="post"><input name="a" value="b"><button id="send">send</button></form>'
        f'<iframe src="{OUTSIDE}/frame"></iframe><iframe srcdoc="<script>top.owned = 1</script>"></iframe>'
        f'<object data="{OUTSIDE}/o"></object><embed src="{OUTSIDE}/e"><video autoplay src="{OUTSIDE}/v.mp4"></video>'
        f'<svg onload="top.owned = 1"><script>top.owned = 1</script><image href="{OUTSIDE}/svg.png"/></svg>'
        f'<div style="background-image: url({OUTSIDE}/style.png)">x</div>'
        f'<a id="out" href="{OUTSIDE}/link" ping="{OUTSIDE}/ping" target="_top">out</a>'
        f'<a href="javascript:top.owned = 1">script</a>'
    )
    return page(HOSTILE_TITLE.replace("<", "&lt;"), body, "ur", head)


def make(folder, language, pages):
    create(language, folder)
    source = folder / "pages"
    source.mkdir()
    for name, text in pages.items():
        (source / name).write_text(text, "utf-8")
    corpus = open_corpus(folder, {"engine.workers": 1})
    engine = engine_of(corpus)
    corpus.import_(str(source), engine=engine)
    return corpus


def crawled(language, folder, pages=150, **settings):
    """A corpus that was crawled from the built-in web, over HTTP as any crawl is."""
    web = BuiltInWeb(language, sites=8, pages=600)
    storage = create(language, folder).storage
    add(storage, [Candidate(url) for url in web.seeds(8, rich=0.8)], "command", round=1)
    write_settings(storage, {"crawl.contact": "me@example.org", "engine.workers": 1, **settings})
    with web.serve() as server:
        flags = {"fetch.proxy": server.proxy_url, "fetch.allow_private": True, "fetch.delay_seconds": 0.0}
        open_corpus(folder, {**flags, "crawl.pages": pages}).crawl()
    return open_corpus(folder)


@pytest.fixture(scope="session")
def urdu_folder(tmp_path_factory):
    """A corpus of Urdu with a copy, a page in another language, and a hostile page."""
    folder = tmp_path_factory.mktemp("explorer") / "urduweb"
    pages = {f"{n:02d}.html": article("urd", n, f"خبر {n}") for n in range(14)}
    pages |= {"copy.html": article("urd", 3, "خبر 3"), "other.html": article("eng", 1, "News")}
    pages["hostile.html"] = hostile()
    corpus = make(folder, "urd", pages)
    corpus.dedup()
    return folder


@pytest.fixture(scope="session")
def xhosa_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("explorer") / "xhosaweb"
    make(folder, "xho", {f"{n:02d}.html": article("xho", n, f"Indaba {n}") for n in range(6)})
    return folder


@pytest.fixture
def urdu(urdu_folder):
    with serving(urdu_folder) as served:
        yield served


@pytest.fixture
def xhosa(xhosa_folder):
    with serving(xhosa_folder) as served:
        yield served


@pytest.fixture(scope="session")
def several_folder(tmp_path_factory):
    """A corpus of three languages, one of which has no documents."""
    folder = tmp_path_factory.mktemp("explorer") / "web"
    create(languages=[*OF_SEVERAL, "xho"], folder=folder)
    rows = [
        {"url": f"https://{code}.example/{n}", "text": "\n".join(paragraphs(code, n, 2))}
        for code, count in OF_SEVERAL.items()
        for n in range(count)
    ]
    file = folder.parent / "pages.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    corpus = open_corpus(folder, {"engine.workers": 1})
    corpus.import_(file, engine=engine_of(corpus))
    return folder


@pytest.fixture
def several(several_folder):
    with serving(several_folder) as served:
        yield served
