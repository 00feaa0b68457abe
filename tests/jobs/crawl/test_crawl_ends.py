"""A crawl ends by itself and goes on after a restart, whatever one site says."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from in_archives import fetches_in
from lasting import engine_of

from corpulyzer.engine.spark import SparkEngine

NINES = "9" * 330

ABSURD = [
    "Thu, 01 Jan 99999999999999999999 00:00:00 GMT",
    "Thu, 01 Jan 2030 00:00:00 +99999999999999999999",
    "Thu, 01 Jan 2030 99999999999999999999:00:00 GMT",
    "Fri, 31 Dec 9999 23:59:59 -2359",
    NINES,
    "-" + NINES,
]


def test_no_retry_after_ends_a_crawl(web, crawl):
    seeds = [f"http://h{number}.test/" for number in range(len(ABSURD))]
    for seed, value in zip(seeds, ABSURD, strict=True):
        web.answers[seed] = (503, {"Retry-After": value}, b"busy")
    web.page("http://fine.test/")
    _, ended, fetches = crawl(*seeds, "http://fine.test/")
    assert ended.as_asked and ended.pages == len(seeds) + 1
    waits = {fetch.url: fetch.retry_after for fetch in fetches if fetch.status == 503}
    assert [waits[seed] for seed in seeds] == [-1, -1, -1, 999_999_999, 999_999_999, -1]
    _, again, _ = crawl()
    assert again.pages == ended.pages, "the next start goes on"


def test_where_a_crawl_stands_is_told_without_a_cluster(web, crawl):
    web.page("http://fine.test/")
    corpus, _, _ = crawl("http://fine.test/")
    with SparkEngine("spark://127.0.0.1:1", few_bytes=0) as nowhere:
        found = corpus.status(engine=nowhere)
    assert (found.funnel.kept, found.crawl["fetched"]) == (1, 1)


@pytest.mark.parametrize("number", [NINES, "86399999"], ids=["330 nines", "a forged duration"])
def test_a_location_that_speaks_like_our_notes_changes_nothing(web, crawl, number):
    web.answers["http://a.test/"] = (302, {"Location": f"http://[took {number} ms"}, b"")
    web.page("http://fine.test/")
    _, ended, fetches = crawl("http://a.test/", "http://fine.test/", crawl__rounds=1)
    (moved,) = [fetch for fetch in fetches if fetch.status == 302]
    assert moved.location == f"http://[took {number} ms" and 0 < moved.took_ms < 60_000
    corpus, again, _ = crawl()
    assert again.pages == ended.pages == 2
    engine = engine_of(corpus)
    corpus.process("index", engine=engine)
    rows = engine.query("select took_ms from fetches", {"fetches": corpus.table("fetches")}).to_pylist()
    assert max(row["took_ms"] for row in rows) < 60_000


def test_a_link_to_a_robots_txt_is_a_page_like_any_other(web, crawl):
    rules = (200, {"Content-Type": "text/plain"}, b"User-agent: *\nAllow: /\n")
    robots, other = "http://a.test/robots.txt", "http://a.test/docs/robots.txt"
    web.answers |= {robots: rules, other: rules}
    web.page("http://a.test/", robots, other, "http://a.test/p")
    web.page("http://a.test/p", robots, other)
    corpus, ended, fetches = crawl("http://a.test/")
    assert (ended.reason, ended.pages) == ("nothing is left to fetch", 4)
    assert (web.hits[robots], web.hits[other]) == (2, 1), "once for its rules, once as a page"
    asked = Counter((fetch.url, fetch.purpose) for fetch in fetches)
    assert asked[robots, "page"] == asked[robots, "robots"] == asked[other, "page"] == 1
    assert {document.url for document in corpus.documents if document.verdict.kept} == {
        "http://a.test/",
        "http://a.test/p",
    }


def test_a_budget_of_pages_holds_where_all_links_lead_to_robots_txt(web, crawl):
    links = [f"http://a.test/{number}/robots.txt" for number in range(30)]
    for link in links:
        web.page(link)
    web.page("http://a.test/", "http://a.test/robots.txt", *links)
    _, ended, _ = crawl("http://a.test/", crawl__pages=5)
    assert (ended.reason, ended.pages) == ("5 pages were asked for", 5)
    assert sum(web.hits[link] for link in links) == 4


def test_the_rules_that_a_robots_txt_leads_to_are_no_document(web, crawl):
    rules = "http://a.test/rules"
    web.answers["http://a.test/robots.txt"] = (301, {"Location": rules}, b"")
    web.page(rules)
    web.page("http://a.test/")
    corpus, ended, _ = crawl("http://a.test/")
    assert {document.url for document in corpus.documents} == {"http://a.test/"}
    assert (ended.pages, web.hits[rules]) == (1, 1)
    web.page("http://b.test/", rules)
    corpus, ended, fetches = crawl("http://b.test/")
    assert {document.url for document in corpus.documents if document.verdict.kept} >= {rules}
    assert Counter(fetch.purpose for fetch in fetches if fetch.url == rules) == {"robots": 1, "page": 1}


class DiesError(Exception):
    """The end of a crawl that nobody expected."""


def log_of(corpus):
    return [json.loads(line) for line in corpus.storage.read("logs/crawl.jsonl").decode().splitlines()]


def test_a_damaged_record_is_named_and_skipped_and_its_page_asked_for_again(web, crawl):
    seeds = [f"http://h{number}.test/" for number in range(4)]
    for seed in seeds:
        web.page(seed)
    pages = []

    def die(name, numbers):
        pages.extend([numbers["url"]] if name == "page" else [])
        if len(pages) == 3:
            raise DiesError

    with pytest.raises(DiesError):
        crawl(*seeds, on_event=die)
    corpus, file = crawl.corpus, crawl.corpus.storage.list("warc", ".warc.gz")[0]
    damaged = next(fetch for fetch in fetches_in(corpus) if fetch.url == pages[1])
    path = Path(corpus.storage.path(file))
    content = bytearray(path.read_bytes())
    content[damaged.offset + 30 : damaged.offset + 60] = bytes(30)
    path.with_name(f"{path.name}.open").write_bytes(content)
    path.unlink()
    told = []
    _, ended, _ = crawl(on_event=lambda name, numbers: told.append((name, numbers)))
    assert (ended.reason, ended.pages) == ("nothing is left to fetch", len(seeds))
    ((_, skipped),) = [event for event in told if event[0] == "skipped"]
    assert f"at {damaged.offset}" in skipped["record"] and skipped["why"]
    # The fourth page may or may not have been asked for when the crawl died.
    assert [web.hits[url] for url in pages[:3]] == [1, 2, 1]
    broke = [event for event in log_of(corpus) if event["event"] == "broke off"]
    assert len(broke) == 1 and "DiesError" in broke[0]["traceback"]


LIMITED = """
import resource, sys
from corpulyzer.cli import main

resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY))
main()
"""


def test_a_disk_that_is_full_ends_the_crawl_with_a_word_and_the_next_start_goes_on(web, crawl):
    seeds = [f"http://h{number}.test/" for number in range(6)]
    for seed in seeds:
        web.page(seed)
        status, headers, body = web.answers[seed]
        web.answers[seed] = (status, headers, body + os.urandom(50_000).hex().encode())
    corpus, _, _ = crawl(*seeds, only_seeds=True)
    options = ["--project", corpus.storage.root, "--contact", "me@example.org", "--allow-private"]
    proxy = web.proxy
    command = [sys.executable, "-c", LIMITED, "crawl", *options, "--proxy", proxy, "--delay", "0", "-q"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "The crawl broke off: OSError" in done.stderr and "goes on where it was" in done.stderr
    assert "File too large" in log_of(corpus)[-1]["traceback"]
    _, ended, _ = crawl()
    assert ended.pages == len(seeds)
    assert {document.url for document in corpus.documents} == set(seeds)
