"""A crawl over real sockets: a small web behind a proxy, killed again and again, comes to the same end."""

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter

import polars
import pyarrow.parquet as pq
import pytest
from command_line import attempt
from fastwarc.warc import ArchiveIterator, WarcRecordType
from in_archives import fetches_in
from lasting import engine_of
from proxied import ProxiedWeb

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.corpus import rounds
from corpulyzer.corpus.without_copies import living_parts
from corpulyzer.engine.derived.table import Table
from corpulyzer.errors import UserError
from corpulyzer.jobs.crawl.choosing import round_size
from corpulyzer.jobs.crawl.loop import Crawl, totals
from corpulyzer.jobs.crawl.rebuild import rebuild
from corpulyzer.jobs.crawl.resume import is_request
from corpulyzer.jobs.dead_pages import retire_gone
from corpulyzer.jobs.remove import planned, remove
from corpulyzer.jobs.stale import stale
from corpulyzer.measure.crawl.counts import yield_rate
from corpulyzer.web.frontier.store.arrays import read_file
from corpulyzer.web.frontier.store.depth import Depth
from corpulyzer.web.frontier.store.versions import Frontier
from corpulyzer.web.seeds import Candidate, add

HOSTS, PAGES = 5, 12
SECRETS = HOSTS * (PAGES - 2)
URDU = "یہ اردو زبان میں لکھا گیا ایک جملہ ہے جس میں خبریں اور مضامین شامل ہیں اور لوگ اسے پڑھتے ہیں۔ "
ENGLISH = "This is a sentence about the news of the day, and what people in the city think of it. "


MISSING = (404, {"Content-Type": "text/html"}, b"<p>gone")


class Web(ProxiedWeb):
    """Five hosts of twelve pages, the even ones in Urdu; some may be `gone`, and answers take `pause` seconds."""

    def __init__(self):
        super().__init__()
        self.gone = set()
        self.pause = 0.0

    def answer(self, url):
        time.sleep(self.pause)
        return MISSING if url in self.gone else answer(url)


def answer(url):
    host, _, path = url.removeprefix("http://").partition("/")
    number = int(host.removeprefix("h").partition(".")[0])
    if path == "robots.txt":
        return 200, {"Content-Type": "text/plain"}, b"User-agent: *\nDisallow: /secret\n"
    page = int(path.removeprefix("p") or 0)
    if page == 3:
        return 301, {"Location": f"http://{host}/p4"}, b""
    if page == 5:
        return MISSING
    sentence = URDU if number % 2 == 0 else ENGLISH
    links = [f"http://{host}/p{(page * 2 + n) % PAGES}" for n in (1, 2)]
    links += [f"http://{host}/secret{page}", f"http://{host}/p{(page + 1) % PAGES}"]
    links.append(f"http://h{(number + 1) % HOSTS}.test/p{page}")
    anchors = "".join(f'<li><a href="{link}">{link[-2:]}</a></li>' for link in links)
    own = "abcdefghijkl"[page] * 3 + "vwxyz"[number] * 3
    text = "".join(f"<p>{sentence * 3} {own} {'mnop'[n]}</p>" for n in range(4))
    body = f"<html><body><article><h1>{page}</h1>{text}</article><ul>{anchors}</ul></body></html>"
    return 200, {"Content-Type": "text/html; charset=utf-8"}, body.encode()


@pytest.fixture
def web():
    with Web().serving() as server:
        yield server


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    """The whole web, crawled once: the corpus, the web, how it ended, and what it told on the way."""
    with Web().serving() as server:
        corpus = project(tmp_path_factory.mktemp("crawled") / "c", server)
        ended, events = run(corpus)
        yield corpus, server, ended, events


def project(folder, web, **flags):
    """A corpus with one seed that crawls `web` breadth-first."""
    if not folder.exists():
        create("ur", folder)
        add(open_corpus(folder).storage, [Candidate("http://h0.test/")], "command", round=1)
    return open_corpus(folder, settings(web, **flags))


def settings(web, **flags):
    named = {name.replace("__", "."): value for name, value in flags.items()}
    return {
        "crawl.contact": "me@example.org",
        "fetch.proxy": web.proxy,
        "fetch.delay_seconds": 0.0,
        "fetch.allow_private": True,
        "frontier.strategy": "breadth",
        "engine.workers": 1,
        **named,
    }


def run(corpus):
    events = []
    engine = engine_of(corpus)
    crawl = Crawl(corpus, engine, on_event=lambda name, numbers: events.append((name, numbers)))
    return crawl.run(), events


def requests_of(corpus):
    """URL and outcome of every request for a page, in all rounds."""
    return Counter((fetch.url, fetch.outcome) for fetch in fetches_in(corpus) if is_request(fetch))


TABLES = (".parquet", ".arrow")


def tables_of(corpus):
    """Every row of every derived table, sorted."""
    found = {}
    for name in ("fetches", "documents", "gone", "links", "frontier", "prefixes", "sites"):
        files = [corpus.storage.path(file) for file in corpus.storage.list(name) if file.endswith(TABLES)]
        rows = [row for file in files for row in read_file(file).to_pylist()]
        found[name] = sorted(json.dumps(row, default=str, sort_keys=True) for row in rows)
    return found


def test_a_crawl_fetches_everything_once_and_keeps_to_robots(crawled):
    _, web, ended, _ = crawled
    assert (ended.reason, ended.as_asked) == ("nothing is left to fetch", True)
    pages = {url: n for url, n in web.hits.items() if not url.endswith("robots.txt")}
    numbered = {f"http://h{h}.test/p{p}" for h in range(HOSTS) for p in range(PAGES)}
    assert set(pages) == numbered | {"http://h0.test/"}
    assert set(web.hits.values()) == {1}
    assert (ended.pages, ended.good) == (len(pages), 3 * (PAGES - 2))


def test_every_round_tells_what_it_came_to(crawled):
    corpus, _, ended, events = crawled
    commits = [numbers for name, numbers in events if name == "commit"]
    assert [numbers["round"] for numbers in commits] == list(range(1, ended.rounds + 1))
    assert sum(numbers["requests"] for numbers in commits) == ended.pages == totals(corpus)[0]
    assert sum(numbers["good"] for numbers in commits) == ended.good
    assert sum(numbers["new_sites"] for numbers in commits) == HOSTS
    engine = engine_of(corpus)
    rates = {each.round: each.rate for each in yield_rate(engine, corpus.table("documents"))}
    told = dict(enumerate(corpus.status().crawl["target_yields"], 1))
    assert max(rates.values()) > 0 and told == {number: rates.get(number, 0) for number in told}
    assert [json.loads(line)["event"] for line in log_of(corpus)] == [name for name, _ in events]


def log_of(corpus):
    return corpus.storage.read("logs/crawl.jsonl").decode().splitlines()


@pytest.mark.slow
def test_a_page_budget_ends_the_crawl_in_ten_rounds_or_more(web, tmp_path):
    corpus = project(tmp_path / "c", web, crawl__pages=20)
    ended, _ = run(corpus)
    assert (ended.reason, ended.pages, ended.as_asked) == ("20 pages were asked for", 20, True)
    assert ended.rounds >= 10
    again, _ = run(corpus)
    assert again.pages == 20, "the same command again has nothing to do"


def test_rounds_begin_small_and_are_never_fewer_than_ten():
    for budget in (10, 37, 100, 4000, 1_000_000):
        left, number = budget, 0
        while left > 0:
            number += 1
            left -= round_size(number, budget, 2000)
        assert number >= 10
    assert round_size(1, 4000, 2000) < round_size(3, 4000, 2000) < round_size(9, 4000, 2000)


@pytest.mark.slow
def test_process_makes_the_same_tables_again_from_archives_lists_and_seeds(crawled):
    corpus, *_ = crawled
    made = tables_of(corpus)
    for name in made:
        for file in corpus.storage.list(name):
            if file.endswith(TABLES):
                corpus.storage.delete(file)
    engine = engine_of(corpus)
    corpus.process(engine=engine)
    assert tables_of(corpus) == made
    assert made["frontier"] and made["prefixes"] and made["sites"] and made["links"]


@pytest.mark.slow
@pytest.mark.parametrize("least", [4, 0], ids=["in updates too", "for lists alone"])
def test_a_crawl_of_more_than_its_front_holds_fetches_all_and_is_made_again(
    web, tmp_path, monkeypatch, least
):
    monkeypatch.setattr(Depth.__init__, "__defaults__", (20, 8, least, 1_000, 10))
    corpus = project(tmp_path / "c", web)
    ended, _ = run(corpus)
    assert ended.reason == "nothing is left to fetch"
    assert rounds.frontier(corpus.storage).manifest.filled > 0, "some came forward"
    deeper = [each for each in rounds.rounds(corpus.storage) if "forward" in each.read("inject")]
    lists = [read_file(each.listed().files[0]).num_rows for each in deeper]
    # Eight at a time come forward, so a longer list was not empty before, only short.
    assert max(lists) > 8
    assert set(web.hits.values()) == {1} and len(web.hits) == HOSTS * (PAGES + 1) + 1
    made = tables_of(corpus)
    for name in ("frontier", "prefixes", "sites"):
        for file in corpus.storage.list(name):
            corpus.storage.delete(file)
    with corpus.engine() as engine:
        corpus.process(engine=engine)
    assert tables_of(corpus) == made
    assert corpus.status().crawl["fetched"] == HOSTS * PAGES + 1 + SECRETS


@pytest.mark.slow
def test_a_rebuild_that_is_killed_twice_writes_over_no_file_of_the_present_frontier(
    crawled, tmp_path, monkeypatch
):
    shutil.copytree(crawled[0].storage.root, tmp_path / "c")
    corpus = open_corpus(tmp_path / "c")
    present = rounds.frontier(corpus.storage)
    files = {file: os.stat(corpus.storage.path(file)).st_ino for file in present.manifest.files()}
    last, write = len(rounds.rounds(corpus.storage)), rounds.Round.write

    def killed_at_last(self, phase, notes):
        if self.number == last and phase == "commit":
            raise KeyboardInterrupt
        write(self, phase, notes)

    monkeypatch.setattr(rounds.Round, "write", killed_at_last)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            rebuild(corpus, engine_of(corpus))
        assert rounds.frontier(corpus.storage).version == present.version
        assert {file: os.stat(corpus.storage.path(file)).st_ino for file in files} == files
    monkeypatch.undo()
    made = tables_of(crawled[0])["frontier"]
    rebuild(corpus, engine_of(corpus))
    assert tables_of(corpus)["frontier"] == made
    assert totals(corpus) == totals(crawled[0])


def test_the_commands_show_the_frontier_and_the_history_of_a_url(crawled):
    corpus, *_ = crawled
    options = ["--project", corpus.storage.root, "--json"]
    status = json.loads(attempt("status", *options).stdout)
    assert (status["crawl"]["fetched"], status["crawl"]["waiting"]) == (HOSTS * PAGES + 1 + SECRETS, 0)
    events = json.loads(attempt("why", "http://h1.test/p5", *options).stdout)
    assert [event["what"].split(":")[0].split(",")[0] for event in events][:2] == [
        f"known since round {events[0]['round']}",
        f"on the list of round {events[0]['round'] + 1}",
    ]
    assert events[-1]["status"] == 404
    assert "origin its site" in events[1]["evidence"] and events[0]["linked_from"].startswith(
        "http://h1.test/"
    )
    assert not {"digest", "stem", "cash", "due"} & set(events[0]), "nothing that only machines can read"


def test_a_crawl_that_has_reached_its_limit_ends_with_zero(crawled):
    corpus, web, *_ = crawled
    limits = ["--rounds", "1", "--contact", "me@example.org", "--proxy", web.proxy]
    done = attempt("crawl", *limits, "--project", corpus.storage.root, "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["reason"] == "1 rounds were asked for"


def test_new_seeds_go_into_the_next_round(web, tmp_path):
    corpus = project(tmp_path / "c", web, crawl__rounds=2)
    run(corpus)
    number = rounds.open_for_seeds(corpus.storage)
    assert number == 3
    add(corpus.storage, [Candidate("http://h4.test/p11")], "command", round=number)
    run(project(tmp_path / "c", web, crawl__rounds=3))
    assert web.hits["http://h4.test/p11"] == 1


def test_seeds_after_seeds_that_brought_nothing_are_asked_for(web, tmp_path):
    """A round that took in a seed which is known has no list, and must not keep later seeds waiting."""
    late = ["http://h0.test/p77", "http://h0.test/p88"]
    web.gone |= set(late)
    corpus = project(tmp_path / "c", web)
    run(corpus)
    for url in (PAGE, *late):
        add(corpus.storage, [Candidate(url)], "command", round=rounds.open_for_seeds(corpus.storage))
        assert run(corpus)[0].reason == "nothing is left to fetch"
    assert [web.hits[url] for url in (PAGE, *late)] == [1, 1, 1]


def test_a_wish_to_stop_ends_the_round_and_loses_nothing(web, tmp_path):
    corpus = project(tmp_path / "c", web)
    web.pause = 0.05

    def wish(name, _numbers):
        if name == "page":
            crawl.interrupt()

    engine = engine_of(corpus)
    crawl = Crawl(corpus, engine, on_event=lambda *event: None)
    crawl.on_event = wish
    ended = crawl.run()
    assert (ended.reason, ended.as_asked) == ("stopped", False)
    assert rounds.rounds(corpus.storage)[-1].done("commit")
    run(project(tmp_path / "c", web, crawl__rounds=3))
    assert len(web.hits) > 5 and set(web.hits.values()) == {1}


def test_without_a_contact_the_crawl_says_how_to_give_one(web, tmp_path):
    corpus = project(tmp_path / "c", web, crawl__contact="")
    with pytest.raises(UserError, match="contact") as error:
        run(corpus)
    assert "--contact" in error.value.hint and "CORPULYZER_CRAWL_CONTACT" in error.value.hint


def test_without_seeds_the_crawl_says_how_to_add_some(web, tmp_path):
    create("ur", tmp_path / "c")
    with pytest.raises(UserError, match="no seeds") as error:
        run(open_corpus(tmp_path / "c", settings(web)))
    assert "corpulyzer seeds" in error.value.hint


def test_a_proxy_that_is_gone_ends_the_crawl_and_fails_no_page(web, tmp_path):
    """Before the first round, and in the middle of one: the same command then goes on as if nothing had been."""
    corpus = project(tmp_path / "c", web, crawl__rounds=2)
    gone = open_corpus(tmp_path / "c", settings(web) | {"fetch.proxy": "http://127.0.0.1:9"})
    with pytest.raises(UserError, match=r"127\.0\.0\.1:9 cannot be reached"):
        run(gone)
    assert not rounds.rounds(corpus.storage)

    def close(name, numbers):
        if name == "round" and numbers["round"] == 2:
            web.shutdown()
            web.server_close()

    engine = engine_of(corpus)
    with pytest.raises(UserError, match="cannot be reached"):
        Crawl(corpus, engine, on_event=close).run()
    failed = [fetch for fetch in fetches_in(corpus) if not fetch.status]
    assert not failed and rounds.rounds(corpus.storage)[-1].read("commit")["requests"] == 0
    with Web().serving() as other:
        ended, _ = run(project(tmp_path / "c", other, crawl__rounds=3))
        assert ended.pages > 1 and set(other.hits.values()) == {1}


@pytest.mark.parametrize("content", [None, b"garbage"], ids=["missing", "garbage"])
def test_a_damaged_frontier_stops_the_crawl_and_is_made_again_by_process(web, tmp_path, content):
    corpus = project(tmp_path / "c", web, crawl__rounds=2)
    run(corpus)
    made = tables_of(corpus)
    (file,) = corpus.storage.list("frontier", ".parquet")
    corpus.storage.delete(file) if content is None else corpus.storage.write(file, content)
    with pytest.raises(UserError, match="frontier is damaged") as error:
        run(project(tmp_path / "c", web, crawl__rounds=3))
    assert "corpulyzer process" in error.value.hint
    engine = engine_of(corpus)
    corpus.process(engine=engine)
    assert tables_of(corpus) == made
    ended, _ = run(project(tmp_path / "c", web, crawl__rounds=3))
    assert ended.rounds == 3 and set(web.hits.values()) == {1}


PAGE = "http://h0.test/"
SOON = {
    "frontier__recrawl__first_days": 1e-9,
    "frontier__recrawl__min_days": 1e-9,
    "frontier__recrawl__max_days": 2e-9,
}


def test_the_documents_of_a_dead_page_are_dropped_and_say_why(web, tmp_path):
    folder = tmp_path / "c"
    alive = project(folder, web, crawl__rounds=1, **SOON)
    run(alive)
    versions = {part.name: part.version for part in living_parts(alive.storage)}
    assert PAGE in polars.read_parquet(folder / "corpus")["url"]
    web.gone.add(PAGE)
    corpus = project(folder, web, crawl__rounds=2, frontier__recrawl__dead_after=1, **SOON)
    _, events = run(corpus)
    assert ("gone", {"documents": 1}) in events
    (dead,) = [d for d in corpus.documents if d.url == PAGE and d.status == 200]
    assert (dead.verdict.kept, dead.verdict.reason) == (False, "gone")
    assert dead.verdict.detail.startswith("status 404 on ") and dead.text
    steps = {step.name: step.dropped for step in corpus.funnel().steps}
    assert steps["gone"] == {"gone": 1}
    assert PAGE not in polars.read_parquet(folder / "corpus")["url"]
    now = {part.name: part.version for part in living_parts(corpus.storage)}
    assert any(now[name] != before for name, before in versions.items()), "labels of copies follow"
    stored = pq.read_table(corpus.stored("documents").files[0], partitioning=None).to_pylist()
    assert {row["verdict"]["reason"] for row in stored if row["url"] == PAGE} == {""}, "as the archive has it"

    made = tables_of(corpus)
    engine = engine_of(corpus)
    corpus.process("index", engine=engine)
    assert tables_of(corpus) == made, "rebuilt from the archives, it is gone all the same"
    assert retire_gone(corpus, None) == 0, "nothing has changed, so no query is made"

    patient = project(folder, web, crawl__rounds=2, frontier__recrawl__dead_after=3, **SOON)
    assert [(each.what, each.why) for each in stale(patient)] == [
        ("frontier", "The frontier is older than the settings.")
    ]
    beside = Table(corpus.storage, "gone")
    beside.log.commit((), list(beside.made()), dict)  # as if a kill had come before the log was written
    engine = engine_of(patient)
    patient.process(engine=engine)
    (alive,) = [d for d in patient.documents if d.url == PAGE and d.status == 200]
    assert alive.verdict.kept, "one 404 is not enough for those who wait for three"
    assert not patient.storage.list("gone"), "files that no log knows go, too"
    assert stale(patient) == []

    engine = engine_of(corpus)
    corpus.process(engine=engine)
    assert planned(corpus, PAGE).counts["kept"] == 0, "a page that is gone is not in the corpus"
    beside.delete()  # as if documents were made again, and a kill had come before dead pages were dropped
    corpus.dedup("document", engine=engine)
    assert PAGE not in {d.url for d in corpus.documents.kept()}, "it does not come back"
    remove(corpus, engine, PAGE)
    assert not corpus.storage.list("gone")
    assert not [row for row in tables_of(corpus)["documents"] if json.loads(row)["url"] == PAGE]

    file = rounds.frontier(corpus.storage).files()[0]
    corpus.storage.write(file, b"PAR1, and no more")
    (found,) = stale(corpus, "frontier")
    assert file in found.why and found.command.startswith("corpulyzer process ")


def test_new_intervals_reschedule_what_was_fetched_before_at_the_next_crawl(web, tmp_path):
    folder = tmp_path / "c"
    run(project(folder, web, crawl__rounds=1))
    run(project(folder, web, crawl__rounds=2))
    assert web.hits[PAGE] == 1, "due in a week"
    corpus = project(folder, web, crawl__rounds=3, **SOON)
    run(corpus)
    assert web.hits[PAGE] == 2
    engine = engine_of(corpus)
    corpus.process(engine=engine)
    assert corpus.process(engine=engine) == 0, "and a frontier made again from the archives is not stale"


class DiesError(Exception):
    """The end of a crawl that nobody expected."""


def die_at(event):
    """Watch a crawl until something happens, and end it then and there."""

    def watch(name, _numbers):
        if name == event:
            raise DiesError

    return watch


def dies(corpus, event="page"):
    """Crawl until something happens for the first time; return whether the crawl died of it."""
    engine = engine_of(corpus)
    try:
        Crawl(corpus, engine, on_event=die_at(event)).run()
    except DiesError:
        return True
    return False


def test_a_redirect_to_a_page_that_an_earlier_round_has_is_not_followed_after_a_kill(web, tmp_path):
    """/p3 leads to /p4, which the first round fetched: the crawl dies as soon as it has the redirect."""
    folder = tmp_path / "c"
    create("ur", folder)
    storage = open_corpus(folder).storage
    add(storage, [Candidate("http://h0.test/p4")], "command", round=1)
    run(project(folder, web, crawl__rounds=1))
    add(storage, [Candidate("http://h0.test/p3")], "command", round=2)
    flags = {"crawl__rounds": 2, "crawl__round_pages": 1}
    assert dies(project(folder, web, **flags))
    ended, _ = run(project(folder, web, **flags))
    assert (web.hits["http://h0.test/p3"], web.hits["http://h0.test/p4"]) == (1, 1)
    assert ended.pages == 2


def test_a_redirect_within_a_site_is_followed_after_a_kill_as_it_would_have_been(web, tmp_path):
    folder = tmp_path / "c"
    create("ur", folder)
    add(open_corpus(folder).storage, [Candidate("http://h0.test/p3")], "command", round=1)
    assert dies(project(folder, web, crawl__rounds=1))
    ended, _ = run(project(folder, web, crawl__rounds=1))
    assert (web.hits["http://h0.test/p3"], web.hits["http://h0.test/p4"], ended.pages) == (1, 1, 2)


@pytest.mark.slow
@pytest.mark.scaled
def test_a_crawl_that_dies_after_every_page_comes_to_the_same_end(web, tmp_path, scale):
    """No chance in it: whatever a round can die of between two records, one of these deaths is like it."""
    pages = scale(6, 40, 60)
    whole = project(tmp_path / "whole", web, crawl__pages=pages)
    run(whole)
    broken = project(tmp_path / "broken", web, crawl__pages=pages)
    deaths = 0
    while dies(broken):
        deaths += 1
    assert deaths >= pages
    assert requests_of(broken) == requests_of(whole)


def test_a_crawl_that_died_right_after_its_last_commit_leaves_no_earlier_frontier(web, tmp_path, monkeypatch):
    corpus = project(tmp_path / "c", web, crawl__rounds=2)

    def die(*_):
        if rounds.current(corpus.storage).number == 3:
            raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Frontier, "forget_others", die)
        with pytest.raises(KeyboardInterrupt):
            run(corpus)
    assert rounds.rounds(corpus.storage)[-1].done("commit")
    assert len(corpus.storage.list("frontier", ".json")) > 1, "that of the round before is there still"
    run(corpus)
    made = tables_of(corpus)
    with corpus.engine() as engine:
        corpus.process(engine=engine)
    assert len(corpus.storage.list("frontier", ".json")) == 1 and tables_of(corpus) == made


NURSERY = """
import json, os, sys
import corpulyzer.jobs.crawl.rebuild, corpulyzer.jobs.crawl.resume, corpulyzer.web.fetch.fetcher, corpulyzer.page.pipeline
import duckdb, pyarrow.dataset, pyarrow.parquet
from corpulyzer.api.corpus import open_corpus
from corpulyzer.jobs.crawl.loop import Crawl

for line in sys.stdin:
    child = os.fork()
    if not child:
        corpus = open_corpus(sys.argv[1], json.loads(sys.argv[2]))
        with corpus.engine() as engine:
            Crawl(corpus, engine, on_event=lambda name, _: print(name, flush=True)).run()
        os._exit(0)
    print(child, flush=True)
    print("end", os.waitpid(child, 0)[1], flush=True)
"""


class Nursery:
    """Starts crawls in processes that have everything imported, and kills them after so many events."""

    def __init__(self, folder, flags):
        arguments = [sys.executable, "-c", NURSERY, str(folder), json.dumps(flags)]
        self.process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def crawl(self, events, seconds):
        """Let a crawl run for a number of events and a while longer; return whether it came to its end."""
        self.process.stdin.write("go\n")
        self.process.stdin.flush()
        child, heard = 0, 0
        for line in self.process.stdout:
            if line.startswith("end"):
                return line.split()[1] == "0"
            if line.strip().isdigit():
                child = int(line)
            else:
                heard += 1
            if child and heard >= events:
                time.sleep(seconds)
                with contextlib.suppress(ProcessLookupError):  # it may have ended by itself
                    os.kill(child, signal.SIGKILL)
                events = 10**9
        raise AssertionError("the nursery has died")


class Ledger:
    """What the server saw and the archives hold after each kill: a crawl may lose what was in flight, no more."""

    def __init__(self, corpus, web):
        self.corpus, self.web = corpus, web
        self.in_flight, self.records = Counter(), set()

    def check(self):
        """Look at the archives as a kill left them."""
        fetches = fetches_in(self.corpus)
        logged = Counter(fetch.url for fetch in fetches)
        lost = Counter({url: seen - logged[url] for url, seen in self.web.hits.items()}) - self.in_flight
        assert set(lost.values()) <= {1}, f"lost more than one request for a page at one kill: {lost}"
        hosts = Counter(url.split("/")[2] for url in lost)
        assert set(hosts.values()) <= {1}, f"two requests were under way to one site: {lost}"
        self.in_flight += lost
        found = {fetch.record_id for fetch in fetches}
        assert self.records <= found, "a record that was whole is lost"
        self.records = found


@pytest.mark.slow
@pytest.mark.scaled
def test_a_crawl_killed_at_random_instants_comes_to_the_same_end(web, tmp_path, scale):
    pages, most, crawls = scale((12, 8, 1), (50, 50, 1), (50, 50, 10))
    whole = project(tmp_path / "whole", web, crawl__pages=pages)
    run(whole)
    web.pause = 0.01
    for seed in range(crawls):
        web.hits.clear()
        broken = project(tmp_path / f"broken-{seed}", web, crawl__pages=pages)
        kills = kill_again_and_again(broken, web, random.Random(seed + 4), most, pages)
        assert kills > most // 2, "too few kills to show anything: make the web larger"
        assert totals(broken)[0] == totals(whole)[0]
        assert requests_of(broken) == requests_of(whole), "the same URLs as in a crawl that nobody killed"
        check_archives(broken)
        made = tables_of(broken)
        engine = engine_of(broken)
        broken.process("index", engine=engine)
        assert differing(made, tables_of(broken)) == {}


def differing(made, again):
    """The rows that only one of two makings of the tables has, by table."""
    both = {name: (Counter(made[name]), Counter(again[name])) for name in made}
    return {name: (sorted(a - b), sorted(b - a)) for name, (a, b) in both.items() if a != b}


def kill_again_and_again(corpus, web, chance, most, pages):
    """Crawl to the end with so many kills at most on the way; return how many it were."""
    nursery = Nursery(corpus.storage.root, settings(web, crawl__pages=pages))
    ledger, kills = Ledger(corpus, web), 0
    while kills < most and not nursery.crawl(chance.randrange(6), chance.expovariate(5)):
        kills += 1
        time.sleep(0.05)  # what is still on its way to the server arrives
        ledger.check()
    nursery.process.kill()
    nursery.process.communicate()
    run(corpus)
    ledger.check()
    return kills


def check_archives(corpus):
    """Every archive is closed, and every record of it whole, with the digests that it names."""
    assert not corpus.storage.list("warc", ".open")
    for file in corpus.storage.list("warc", ".warc.gz"):
        with open(corpus.storage.path(file), "rb") as stream:
            for record in ArchiveIterator(stream, parse_http=False):
                if record.record_type != WarcRecordType.warcinfo:
                    assert record.verify_block_digest()
