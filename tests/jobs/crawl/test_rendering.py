"""A crawl of a web that is drawn by scripts, with a real Chromium."""

import json
import shutil

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from lasting import engine_of
from small_crawl import URDU

from corpulyzer.jobs.process import process
from corpulyzer.jobs.status.funnels import funnel_of
from corpulyzer.jobs.why import history
from corpulyzer.records import Document
from corpulyzer.records.columns import record_of
from corpulyzer.web.fetch.render.chromium import NAMES

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not any(map(shutil.which, NAMES)), reason="there is no Chromium: `make browser` installs it"
    ),
    pytest.mark.xdist_group("tests/web/fetch/render"),
]

HTML = {"Content-Type": "text/html; charset=utf-8"}
HOME, NEXT, PLAIN = "http://app.test/", "http://app.test/next", "http://plain.test/"
SHELL = b"<!DOCTYPE html><title>App</title><body><div id=root></div><script src=/app.js></script>"
APP = """
fetch("/text.json").then(answer => answer.json()).then(found => {
  root.innerHTML = found.map(text => `<p>${text}</p>`).join("") + "<a href=/next>next</a>";
});
"""


class KilledError(Exception):
    pass


def documents_of(corpus, engine):
    rows = engine.query(
        "select * from documents order by id nulls last", {"documents": corpus.table("documents")}
    )
    return [record_of(Document, row) for row in rows.to_pylist()]


@pytest.fixture
def drawn(web):
    """A site that needs a browser, which links to a plain page, and a site that does not."""
    web.answers[HOME] = (200, HTML, SHELL)
    web.answers["http://app.test/app.js"] = (200, {"Content-Type": "text/javascript"}, APP.encode())
    texts = json.dumps([f"{URDU * 3} {letter}" for letter in "abcd"])
    web.answers["http://app.test/text.json"] = (200, {"Content-Type": "application/json"}, texts.encode())
    web.page(NEXT)
    web.page(PLAIN)
    return web


def test_a_crawl_goes_through_a_site_that_scripts_draw_and_goes_on_after_a_kill(drawn, crawl, monkeypatch):
    def kill(name, _numbers):
        if name == "rendering":
            raise KilledError

    with pytest.raises(KilledError):
        crawl(HOME, PLAIN, on_event=kill, fetch__render="needed", crawl__rounds=2)
    corpus, ended, fetches = crawl(fetch__render="needed", crawl__rounds=2)
    asked = [(fetch.url, fetch.purpose) for fetch in fetches if fetch.purpose != "robots"]
    assert sorted(asked) == sorted(
        [
            (HOME, "page"),
            (PLAIN, "page"),
            ("http://app.test/app.js", "part"),
            ("http://app.test/text.json", "part"),
            (HOME, "rendered"),
            (NEXT, "page"),
        ]
    )
    assert drawn.hits[HOME] == 1, "the page is not asked for again after the kill"
    assert (ended.rounds, ended.pages, ended.good) == (2, 3, 3), "what the browser made is a good page"
    engine = engine_of(corpus)
    found = documents_of(corpus, engine)
    of_home = {document.verdict.reason: document for document in found if document.url == HOME}
    assert set(of_home) == {"needs_browser", ""}
    assert of_home["needs_browser"].verdict.detail == "div#root is empty"
    assert of_home[""].labels["text_from"] == "rendered"
    assert of_home[""].target_bytes > 1000
    funnel = funnel_of(corpus, engine)
    assert {reason: n for step in funnel.steps for reason, n in step.dropped.items()} == {"needs_browser": 1}
    balance = funnel.balance()
    assert balance["records"] == 4 == sum(balance.values()) - balance["records"]
    told = [event["what"].partition(" 2")[0] for event in history(corpus, HOME, engine)]
    assert told[-4:] == ["fetched", "document: dropped by needs_browser", "rendered", "document: kept"]
    monkeypatch.setenv("PATH", "")
    process(corpus, engine, start="index")
    assert documents_of(corpus, engine) == found, "made again from the archives alone, without a browser"


def test_without_the_setting_such_pages_are_counted_and_nothing_more_is_asked(drawn, crawl):
    corpus, ended, fetches = crawl(HOME, PLAIN, crawl__rounds=1)
    assert {fetch.purpose for fetch in fetches} == {"page", "robots"}
    engine = engine_of(corpus)
    reasons = {document.url: document.verdict.reason for document in documents_of(corpus, engine)}
    assert reasons == {HOME: "needs_browser", PLAIN: ""}
    assert ended.good == 1
