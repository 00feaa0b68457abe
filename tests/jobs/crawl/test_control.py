"""A crawl can be paused, resumed and stopped from outside, and nothing is lost."""

import threading
import time

import pytest

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.errors import UserError
from corpulyzer.jobs.crawl.control import state, wish
from corpulyzer.jobs.crawl.loop import Crawl, totals
from corpulyzer.lab.demo.web import BuiltInWeb
from corpulyzer.web.seeds import Candidate, add


def until(condition, seconds=300):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.05)


def test_a_crawl_pauses_goes_on_and_stops(tmp_path):
    web = BuiltInWeb("urd", sites=12, pages=2_000)
    create("urd", tmp_path / "c")
    storage = open_corpus(tmp_path / "c").storage
    add(storage, [Candidate(url) for url in web.seeds(6, rich=0.8)], "command", round=1)
    assert state(storage) == "ended"
    with web.serve() as server:
        flags = {
            "crawl.contact": "me@example.org",
            "fetch.proxy": server.proxy_url,
            "fetch.delay_seconds": 0.05,
            "fetch.allow_private": True,
            "engine.workers": 1,
        }
        corpus, ends, events = open_corpus(tmp_path / "c", flags), [], []

        def crawl():
            with corpus.engine() as engine:
                ends.append(Crawl(corpus, engine, on_event=lambda name, _: events.append(name)).run())

        thread = threading.Thread(target=crawl)
        thread.start()
        until(lambda: events.count("page") >= 3)
        assert state(storage) == "running"
        wish(storage, "pause")
        until(lambda: state(storage) == "paused")
        pages = events.count("page")
        assert pages == totals(corpus)[0] or "commit" in events, "the round was ended and committed"
        time.sleep(1)
        assert events.count("page") == pages, "a crawl that is paused fetches nothing"
        wish(storage, "run")
        until(lambda: events.count("page") > pages)
        wish(storage, "stop")
        thread.join()
    assert (ends[0].reason, ends[0].as_asked) == ("stopped", False)
    assert state(storage) == "ended"


def test_an_unknown_wish_is_refused(tmp_path):
    create("urd", tmp_path / "c")
    with pytest.raises(UserError, match="It can: run, pause, stop"):
        wish(open_corpus(tmp_path / "c").storage, "explode")
