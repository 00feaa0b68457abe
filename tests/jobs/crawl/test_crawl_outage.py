"""A crawl whose network is away blames no site, and goes on when it is back; loopback addresses are its hosts."""

import json
import socket
import subprocess
import sys
import threading
from collections import Counter
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from in_archives import fetches_in
from lasting import engine_of

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.corpus import rounds
from corpulyzer.jobs.crawl.loop import Crawl
from corpulyzer.web.seeds import Candidate, add

HOSTS = [f"127.0.0.{number}" for number in range(2, 6)]
URDU = "یہ اردو زبان میں لکھا گیا ایک جملہ ہے جس میں خبریں اور مضامین شامل ہیں اور لوگ اسے پڑھتے ہیں۔ "


class Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.0"

    def do_GET(self):
        self.server.hits[self.headers["Host"] + self.path] += 1
        is_page = self.path != "/robots.txt"
        page = int(self.path.strip("/p") or 0) if is_page else 0
        own = self.headers["Host"].translate(str.maketrans(".:0123456789", "abcdefghijkl")) + "mnopqr"[page]
        text = "".join(f"<p>{URDU * 3} {own} {'stuv'[n]}</p>" for n in range(4))
        links = f"<a href=/p{page + 1}>next</a>" if page < 1 else ""
        self.send_response(200 if is_page else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(f"<html><body><article>{text}</article>{links}</body></html>".encode())

    def log_message(self, *_):
        pass


class Network:
    """Four hosts of two pages, the second linked from the first, on one port; they can be switched off and on."""

    def __init__(self):
        self.hits = Counter()
        self.servers = []
        self.taken = ExitStack()
        self.port = 0
        self.switch_off()

    def switch_on(self):
        self.taken.close()
        for host in HOSTS:
            server = ThreadingHTTPServer((host, self.port), Answer)
            server.hits = self.hits
            threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
            self.servers.append(server)

    def switch_off(self):
        for server in self.servers:
            server.shutdown()
            server.server_close()
        self.servers.clear()
        for host in HOSTS:  # bound and not listening: nobody else gets the port, and connections are refused
            holder = self.taken.enter_context(socket.socket())
            holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            holder.bind((host, self.port))
            self.port = holder.getsockname()[1]

    @property
    def seeds(self):
        return [f"http://{host}:{self.port}/" for host in HOSTS]


@pytest.fixture
def network():
    made = Network()
    yield made
    made.switch_off()
    made.taken.close()


FLAGS = {
    "crawl.contact": "me@example.org",
    "fetch.delay_seconds": 0.0,
    "fetch.allow_private": True,
    "frontier.strategy": "breadth",
    "engine.workers": 1,
}


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Makes a corpus with seeds that connects directly, whatever proxy this machine has."""
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)

    def make(*seeds, **more):
        create("ur", tmp_path / "c")
        add(open_corpus(tmp_path / "c").storage, map(Candidate, seeds), "command", round=1)
        return open_corpus(tmp_path / "c", FLAGS | {name.replace("__", "."): more[name] for name in more})

    return make


def run(corpus, on_event=lambda _name, _numbers: None, pause_seconds=0.05):
    events = []

    def hear(name, numbers):
        events.append((name, numbers))
        on_event(name, numbers)

    engine = engine_of(corpus)
    crawl = Crawl(corpus, engine, on_event=hear, pause_seconds=pause_seconds)
    hear.crawl = crawl
    return crawl.run(), events


def fetches_of(corpus):
    return fetches_in(corpus)


def test_without_a_network_the_crawl_says_so_and_the_seeds_stay_as_they_were(network, project):
    corpus = project(*network.seeds)
    options = [
        "--project",
        corpus.storage.root,
        "--contact",
        "me@example.org",
        "--allow-private",
        "--delay",
        "0",
    ]
    command = [sys.executable, "-m", "corpulyzer", "crawl", "--json", *options]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 3, done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["reason"] == "no network"
    assert "the network is away, or all these sites are gone" in done.stderr
    assert not fetches_of(corpus) and not rounds.rounds(corpus.storage)[-1].done("commit")
    network.switch_on()
    ended, _ = run(corpus)
    assert (ended.reason, ended.pages) == ("nothing is left to fetch", 2 * len(HOSTS))
    assert {fetch.outcome for fetch in fetches_of(corpus) if fetch.purpose == "page"} == {"ok"}
    assert set(network.hits.values()) == {1}


def test_a_network_that_goes_away_is_waited_for_and_no_page_fails(network, project):
    corpus = project(*network.seeds)
    network.switch_on()

    def switch(name, numbers):
        if name == "round" and numbers["round"] == 2:
            network.switch_off()
        elif name == "network" and numbers["state"] == "away":
            network.switch_on()

    ended, events = run(corpus, switch)
    assert [numbers["state"] for name, numbers in events if name == "network"] == ["away", "back"]
    assert (ended.reason, ended.pages) == ("nothing is left to fetch", 2 * len(HOSTS))
    assert {fetch.outcome for fetch in fetches_of(corpus) if fetch.purpose == "page"} == {"ok"}
    assert max(network.hits.values()) == 1


def test_a_wish_to_stop_is_heard_while_the_network_is_away(network, project):
    corpus = project(*network.seeds)
    network.switch_on()

    def switch(name, numbers):
        if name == "round" and numbers["round"] == 2:
            network.switch_off()
        elif name == "network":
            threading.Timer(0.2, switch.crawl.interrupt).start()

    events = []

    def hear(name, numbers):
        events.append(name)
        switch(name, numbers)

    engine = engine_of(corpus)
    switch.crawl = Crawl(corpus, engine, on_event=hear, pause_seconds=60.0)
    ended = switch.crawl.run()
    assert (ended.reason, ended.as_asked, events.count("network")) == ("stopped", False, 1)
    network.switch_on()
    again, _ = run(corpus)
    assert again.pages == 2 * len(HOSTS) and max(network.hits.values()) == 1


def test_a_dead_site_among_others_is_its_own_fault_and_the_crawl_ends(network, project):
    network.switch_on()
    with socket.socket() as closed:
        closed.bind(("127.0.0.9", 0))
        dead = f"http://127.0.0.9:{closed.getsockname()[1]}/"
        corpus = project(network.seeds[0], dead)
        ended, events = run(corpus)
    assert (ended.reason, ended.pages) == ("nothing is left to fetch", 2)
    assert not [name for name, _ in events if name == "network"]
    assert [fetch.outcome for fetch in fetches_of(corpus) if fetch.url == dead] == ["robots_unreachable"]


def test_where_one_site_is_all_that_ever_answered_the_crawl_soon_ends_without_it(
    network, project, monkeypatch
):
    monkeypatch.setattr("corpulyzer.jobs.crawl.outage.ALONE_SECONDS", 0.0)
    corpus = project(network.seeds[0])
    network.switch_on()

    def switch(name, numbers):
        if name == "round" and numbers["round"] == 2:
            network.switch_off()

    ended, events = run(corpus, switch)
    assert ended.reason == "no network" and ended.pages == 1
    ((_, away),) = [event for event in events if event[0] == "network"]
    assert away == {"state": "away", "hosts": [HOSTS[0]]}
    network.switch_on()
    again, _ = run(corpus)
    assert (again.reason, again.pages) == ("nothing is left to fetch", 2) and max(network.hits.values()) == 1


CUT_OFF = """
import errno
import socket


class CutOff(socket.socket):
    def __init__(self, family=-1, type=-1, proto=-1, fileno=None):
        if fileno is None and family in (socket.AF_INET, socket.AF_INET6):
            raise OSError(errno.ENETUNREACH, "Network is unreachable")
        super().__init__(family, type, proto, fileno)


socket.socket = CutOff
"""

REACH = """
host=$1; shift
echo $host >> {folder}/reached
case $host in cut*) PYTHONPATH={folder}/cut:$PYTHONPATH; export PYTHONPATH;; esac
exec "$@"
"""


@pytest.fixture
def half_cut_off(network, project, tmp_path):
    """A corpus with fetchers on three hosts, two without a network; what is in the file `reached` was started.

    One site is anna's, and three are those of a host that is cut off, as the next one is.
    """
    (tmp_path / "cut").mkdir()
    (tmp_path / "cut" / "sitecustomize.py").write_text(CUT_OFF)
    (tmp_path / "reach.sh").write_text(REACH.format(folder=tmp_path))
    network.switch_on()
    return project(
        *network.seeds,
        crawl__fetchers=3,
        crawl__hosts=("cut2", "anna", "cut1"),
        crawl__host_command=f"sh {tmp_path / 'reach.sh'} {{host}} {sys.executable}",
        crawl__rounds=1,
        crawl__round_minutes=1.0,
    )


def test_a_host_without_a_network_leaves_its_sites_to_the_next(network, half_cut_off, tmp_path):
    ended, events = run(half_cut_off)
    assert ended.pages == len(HOSTS)
    assert set(network.hits.values()) == {1}
    assert sorted((tmp_path / "reached").read_text().split()) == ["anna", "anna", "cut1", "cut2"]
    assert [numbers["state"] for name, numbers in events if name == "network"] == ["away", "back"] * 2


def test_an_outage_costs_no_fetcher_where_there_is_no_other_host(network, project, tmp_path):
    (tmp_path / "reach.sh").write_text(REACH.format(folder=tmp_path))
    command = f"sh {tmp_path / 'reach.sh'} {{host}} {sys.executable}"
    corpus = project(*network.seeds, crawl__fetchers=2, crawl__hosts=("anna",), crawl__host_command=command)
    network.switch_on()

    def switch(name, numbers):
        if name == "round" and numbers["round"] == 2:
            network.switch_off()
        elif name == "network" and numbers["state"] == "away":
            network.switch_on()

    ended, events = run(corpus, switch)
    assert [numbers["state"] for name, numbers in events if name == "network"] == ["away", "back"]
    assert ended.pages == 2 * len(HOSTS)
    assert (tmp_path / "reached").read_text().split() == ["anna", "anna"]


def test_between_tries_of_fetchers_without_a_network_are_pauses_and_the_round_ends(half_cut_off, tmp_path):
    ended, events = run(half_cut_off, pause_seconds=60.0)
    assert ended.pages == 1
    assert [numbers["left"] for name, numbers in events if name == "fetched"] == [3]
    assert sorted((tmp_path / "reached").read_text().split()) == ["anna", "cut1", "cut2"]
