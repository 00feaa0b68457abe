"""A crawl fetches the next list while it reads the last round, and comes to the same in any order of events."""

import json
import threading
from collections import Counter

import pyarrow.parquet as pq
import pytest
from in_archives import fetches_in
from lasting import engine_of

from corpulyzer.corpus import rounds
from corpulyzer.jobs.crawl.loop import Crawl
from corpulyzer.jobs.remove import remove
from corpulyzer.web.frontier.store.arrays import read_file
from corpulyzer.web.frontier.store.depth import Depth
from corpulyzer.web.seeds import Candidate, add

PAGES = [f"http://{host}.test/{number}" for host in "abc" for number in range(4)]
LATE = "http://late.test/"
FLAGS = {"crawl__round_pages": 2}


@pytest.fixture
def linked(web):
    """Three sites whose pages link to all others, and to a redirect to each of them."""
    moved = [f"http://{host}.test/to/{number}" for host in "abc" for number in range(4)]
    for page, old in zip(PAGES, moved, strict=True):
        web.page(page, *PAGES, *moved)
        web.answers[old] = (301, {"Location": page}, b"")
    web.page(LATE)
    return web


def lists_of(corpus):
    """The URLs on the list of each round, by its number."""
    found = {each.number: each.listed().files[0] for each in rounds.rounds(corpus.storage)}
    return {number: pq.read_table(file).column("url").to_pylist() for number, file in found.items()}


def frontier_of(corpus):
    """Every row of the frontier and its sums, sorted."""
    files = [
        corpus.storage.path(file)
        for name in ("frontier", "prefixes", "sites")
        for file in corpus.storage.list(name)
        if file.endswith((".parquet", ".arrow"))
    ]
    rows = [row for file in files for row in read_file(file).to_pylist()]
    return sorted(json.dumps(row, sort_keys=True) for row in rows)


def made_after(corpus):
    """For each round the round whose frontier its list was made of."""
    return {each.number: each.read("commit")["listed_after"] for each in rounds.rounds(corpus.storage)}


def hits_of(web):
    return {url: count for url, count in web.hits.items() if not url.endswith("robots.txt")}


SMALL_FRONT = (14, 7, 2, 1_000, 10)


@pytest.mark.parametrize(
    "depth",
    [None, pytest.param(SMALL_FRONT, marks=pytest.mark.slow)],
    ids=["all in front", "most of it behind"],
)
def test_lists_of_two_open_rounds_share_nothing_and_a_rebuild_comes_to_the_same(
    linked, crawl, monkeypatch, depth
):
    if depth:
        monkeypatch.setattr(Depth.__init__, "__defaults__", depth)
    events = []

    def watch(name, numbers):
        events.append((name, numbers.get("round")))
        storage = crawl.corpus.storage
        if name == "page" and not seeded and len(rounds.opened(storage)) == 2:
            seeded.append(rounds.open_for_seeds(storage))
            add(storage, [Candidate(LATE)], "command", round=seeded[0])

    seeded = []
    corpus, ended, fetches = crawl(PAGES[0], on_event=watch, **FLAGS)
    assert ended.reason == "nothing is left to fetch"
    assert set(hits_of(linked).values()) == {1}, "no page is asked for twice, not by way of a redirect either"
    assert {*PAGES, LATE} <= set(hits_of(linked))
    after, lists = made_after(corpus), lists_of(corpus)
    (late,) = seeded
    assert (after[late - 1], after[late]) == (late - 3, late - 1) and LATE in lists[late], (
        "seeds wait for the last round"
    )
    assert all(after[number] in (number - 1, number - 2) for number in after)
    assert sum(after[number] == number - 2 for number in after) > 2
    asked = {number: {each.url for each in fetches if each.round == number} for number in lists}
    for number in lists:
        if after[number] == number - 2:
            assert not set(lists[number]) & (set(lists[number - 1]) | asked[number - 1])
            assert events.index(("round", number)) < events.index(("commit", number - 1))
    made = frontier_of(corpus)
    for folder in ("frontier", "prefixes", "sites"):
        for file in corpus.storage.list(folder):
            corpus.storage.delete(file)
    corpus.process(engine=engine_of(corpus))
    assert frontier_of(corpus) == made


class Patient:
    """An engine that reads the pages of the fifth round only when something else has happened."""

    def __init__(self, engine, happened):
        self.engine, self.happened = engine, happened

    def map(self, step, units, progress=None):
        if any("round=00005" in path for unit in units for path in unit.targets.values()):
            assert self.happened.wait(60)
        self.engine.map(step, units, progress)

    def __getattr__(self, name):
        return getattr(self.engine, name)


def test_a_round_is_read_while_the_next_is_fetched_unless_the_settings_say_otherwise(linked, crawl):
    corpus, *_ = crawl(*PAGES, only_seeds=True, crawl__rounds=6, **FLAGS)
    fetched, begun = threading.Event(), []

    def watch(name, numbers):
        begun.extend([numbers["round"]] if name == "round" else [])
        if name == "page" and begun[-1] == 6:
            fetched.set()

    ended = Crawl(corpus, Patient(engine_of(corpus), fetched), on_event=watch).run()
    # The fifth is the first round that is no more than a fifth of all requests.
    assert (ended.rounds, made_after(corpus)) == (6, {1: 0, 2: 1, 3: 2, 4: 3, 5: 4, 6: 4})
    corpus, *_ = crawl(crawl__rounds=8, crawl__overlap=False, **FLAGS)
    after = made_after(corpus)
    assert (after[7], after[8]) == (6, 7)


class DiesError(Exception):
    """The end of a crawl that nobody expected."""


MOMENTS = [
    ("round", 6),
    ("parsed", 5),
    ("commit", 5),
    ("round", 8),
    ("commit", 7),
    ("fetched", 9),
    ("parsed", 9),
]
"""Instants at which a crawl dies: as soon as there is a sixth list beside a fifth round, and so on."""


def dies(crawl, *moment):
    """Let a crawl go on until an event of a round."""

    def die(name, numbers):
        if (name, numbers.get("round")) == moment:
            raise DiesError

    with pytest.raises(DiesError):
        crawl(on_event=die, **FLAGS)


def test_a_crawl_that_dies_with_two_rounds_open_comes_to_the_same_end(linked, crawl, tmp_path):
    whole, *_ = crawl(*PAGES, **FLAGS)
    lists, requests = lists_of(whole), hits_of(linked)
    (tmp_path / "c").rename(tmp_path / "whole")
    linked.hits.clear()
    crawl.create()
    crawl(*PAGES, only_seeds=True)
    open_at_death = Counter()
    for moment in MOMENTS:
        dies(crawl, *moment)
        open_at_death[len(rounds.opened(crawl.corpus.storage))] += 1
    assert open_at_death[2] >= 3
    corpus, *_ = crawl(**FLAGS)
    assert lists_of(corpus) == lists
    assert Counter(each.url for each in fetches_in(corpus) if each.purpose == "page") == requests


def test_what_is_removed_while_two_rounds_are_open_leaves_both_lists(linked, crawl):
    crawl(*PAGES, only_seeds=True)
    dies(crawl, "round", 6)
    corpus = crawl.corpus
    victim = lists_of(corpus)[6][0]
    remove(corpus, engine_of(corpus), victim)
    assert victim not in lists_of(corpus)[6]
    crawl(**FLAGS)
    assert victim not in linked.hits
