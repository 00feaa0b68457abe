"""A frontier with more URLs than its front holds: what it knows, what comes forward, and what is left behind."""

import random
import shutil
from operator import itemgetter

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from rounds_by_hand import Made

from corpulyzer.jobs.seeds.boost import best_waiting
from corpulyzer.lab.experiment.in_process import InProcessEngine
from corpulyzer.measure.crawl.counts import count_frontier
from corpulyzer.records import int64_hash
from corpulyzer.records.columns import schema_of
from corpulyzer.storage import Storage
from corpulyzer.url import url_id
from corpulyzer.web.frontier.state import DAY
from corpulyzer.web.frontier.store import keys as of_keys
from corpulyzer.web.frontier.store import wholes
from corpulyzer.web.frontier.store.arrays import read
from corpulyzer.web.frontier.store.asked import DEAD_SQL, site_known, to_ask, url_known
from corpulyzer.web.frontier.store.depth import Depth
from corpulyzer.web.frontier.store.keys import Keys, Of
from corpulyzer.web.frontier.strategies.breadth import Breadth
from corpulyzer.web.frontier.strategies.focus import Focus
from corpulyzer.web.frontier.tables import NEVER, Known

SHALLOW = Depth(most=60, kept=30, least=12, rounds=3, run_rows=80)
SEEDS = ["http://a.pk/ur/100", "http://b.pk/en/101"]


def web(seed):
    """Pages with links, redirects, errors and copies on six sites."""
    chance = random.Random(seed)
    urls = [
        f"http://{h}.pk/{s}/{n}" for h in "abcdef" for s in ("ur", "en", "print") for n in range(100, 115)
    ]
    spelled = [*urls, *(url.replace("/ur/", "/%75r/") for url in urls)]
    anchors = ("target", "x", "in Urdu", "hreflang en", "loc")
    pages = {}
    for url in urls:
        links = [(chance.choice(spelled), chance.choice(anchors)) for _ in range(7)]
        page = (1000, 900 * ("en" not in url), links, url.rpartition("/")[2])
        pages[url] = chance.choices((page, 404, chance.choice(urls)), (12, 1, 1))[0]
    return pages


def test_a_shallow_front_knows_of_every_url_what_one_that_holds_all_knows(tmp_path, monkeypatch):
    """The same lists for both, which the shallow one has chosen: all rows are equal in the end.

    The base has several parts, and those with much of a site are merged in slices.
    """
    monkeypatch.setattr(wholes, "PART_ROWS", 20)
    monkeypatch.setattr(wholes, "SECTION_ROWS", 8)
    shallow, whole = (Made(tmp_path / name, SEEDS, InProcessEngine()) for name in ("shallow", "whole"))
    shallow.update = Made(tmp_path / "new", SEEDS, shallow.engine, depth=SHALLOW).update
    pages, depths = web(1), set()
    for number in range(12):
        now = shallow.now() + (9 * DAY if number > 8 else 0)
        assert shallow.list(Focus() if number % 2 else Breadth(), size=15, now=now)
        shutil.copy(shallow.folder / f"list{shallow.round}.parquet", whole.folder)
        shallow.fetch(pages)
        whole.fetch(pages)
        manifest = shallow.frontier.manifest
        depths.add((bool(manifest.base), bool(manifest.runs), manifest.filled))
        assert shallow.sums == whole.sums
        if number == 5:
            for each in (shallow, whole):
                seeds = ["http://f.pk/ur/114", "http://new.pk/", SEEDS[0]]
                each.frontier = each.update.inject(each.frontier, f"{each.round:05d}.0", each.round, seeds)
    assert len(depths) > 4, "rows went behind the front, were merged, and came forward"
    assert not whole.frontier.manifest.runs and len(whole.rows()) > 200
    assert without_lag(shallow) == without_lag(whole)
    assert len(shallow.frontier.manifest.base) > 4 and slices_of(shallow) > 1
    assert_asked_alike(shallow, whole)
    fetched = [row["id"] for row in whole.rows().values() if row["fetches"]]
    assert all(shallow.frontier.keys().has_one(Of.FETCHED, each) for each in fetched)
    assert not shallow.frontier.keys().has_one(Of.FETCHED, url_id("http://new.pk/other"))


def slices_of(frontier):
    """The most row groups of a part of the base."""
    storage, base = frontier.frontier.storage, frontier.frontier.manifest.base
    return max(pq.ParquetFile(storage.path(run.file)).num_row_groups for run in base)


def assert_asked_alike(deep, whole):
    """Whoever asks for one URL, a site, dead pages or counts need not merge all."""
    rows = without_lag(whole)
    for row in list(rows.values())[::9]:
        assert {**url_known(deep.engine, deep.frontier, row["id"]), "sibling": 0} == row
    assert url_known(deep.engine, deep.frontier, url_id("http://new.pk/other")) is None
    site = int64_hash("a.pk")
    found = site_known(deep.engine, deep.frontier, site).to_pylist()
    expected = [row for row in rows.values() if row["site_id"] == site]
    by_id = itemgetter("id")
    assert sorted(({**row, "sibling": 0} for row in found), key=by_id) == sorted(expected, key=by_id)
    waiting = [row for row in expected if not row["fetches"] and not row["refused"]]
    waiting.sort(key=lambda row: (-row["from_target"], -row["links"], row["id"]))
    assert best_waiting(deep.engine, deep.frontier, site, 5) == [row["url"] for row in waiting[:5]]
    dead = deep.engine.query(DEAD_SQL.format(dead_after=1), to_ask(deep.frontier)).to_pylist()
    assert {row["id"] for row in dead} == {row["id"] for row in rows.values() if row["status"] == 404}
    assert len(dead) == len({row["id"] for row in dead}) > 0
    now = deep.now()
    kept, counted = (count_frontier(each.engine, each.frontier, now) for each in (deep, whole))
    assert (kept.known, kept.fetched, kept.refused) == (counted.known, counted.fetched, counted.refused)
    assert kept.known == len(rows)


def without_lag(frontier):
    """The rows but for `sibling`, which is looked up when a URL comes forward."""
    return {url: {**row, "sibling": 0} for url, row in frontier.rows().items()}


@pytest.mark.parametrize("strategy", [Breadth(), Focus(trial=40)], ids=lambda s: type(s).__name__)
def test_everything_is_fetched_in_the_end_though_the_front_holds_little(tmp_path, strategy):
    frontier = Made(tmp_path, ["http://a.pk/"], InProcessEngine(), depth=SHALLOW)
    urls = [f"http://{host}.pk/p{chr(97 + n // 26)}{chr(97 + n % 26)}" for host in "abcd" for n in range(60)]
    pages = {url: (1000, 900, []) for url in urls} | {
        "http://a.pk/": (1000, 900, [(url, "target") for url in urls])
    }
    asked = []
    while listed := frontier.list(strategy, size=25):
        asked += listed
        frontier.fetch(pages)
    assert sorted(asked) == sorted(pages)
    assert frontier.frontier.manifest.soonest < NEVER, "they fall due behind the front"


def test_what_falls_due_behind_the_front_comes_forward(tmp_path):
    frontier = Made(tmp_path, ["http://a.pk/"], InProcessEngine(), depth=SHALLOW)
    links = [(f"http://a.pk/x{n}/", "target") for n in range(70)]
    pages = {"http://a.pk/": (1000, 900, links)} | {url: (1000, 900, []) for url, _ in links}
    for _ in range(4):
        frontier.list(size=30)
        frontier.fetch(pages)
    assert frontier.rows()["http://a.pk/"]["fetches"] == 1
    behind = frontier.frontier.manifest
    assert behind.runs or behind.base
    frontier.round += int(8 * DAY / 60)
    frontier.frontier = frontier.update.inject(frontier.frontier, "b", frontier.round, ["http://b.pk/"])
    frontier.list(size=1, shut=(int64_hash("a.pk"),))
    before = in_front(frontier)
    frontier.fetch({"http://b.pk/": (1000, 900, [])}, ["http://b.pk/"])
    assert set(frontier.list(size=100)) - before


def test_more_comes_forward_when_it_is_asked_for_and_none_when_there_is_none(tmp_path):
    frontier = Made(tmp_path, ["http://a.pk/"], InProcessEngine(), depth=SHALLOW)
    frontier.list()
    links = [(f"http://a.pk/x{n}/", "target") for n in range(99)]
    frontier.fetch({"http://a.pk/": (1000, 900, links)})
    seen, number = len(in_front(frontier)), 0
    assert seen < 60
    while deeper := frontier.update.bring_forward(frontier.frontier, f"f{number}", frontier.now()):
        frontier.frontier, number = deeper, number + 1
    assert number > 1 and in_front(frontier) >= {url for url, _ in links}
    assert len(frontier.rows()) == 100


def in_front(frontier):
    return set(read(frontier.frontier.front(), ["url"]).column("url").to_pylist())


def test_an_update_that_is_done_again_gives_the_same_files(tmp_path):
    frontier = Made(tmp_path, SEEDS, InProcessEngine(), depth=SHALLOW)
    pages = web(3)
    for _ in range(4):
        frontier.list(size=15)
        before, number = frontier.frontier, frontier.round
        frontier.fetch(pages)
        made = contents(frontier)
        frontier.frontier, frontier.round = before, number
        frontier.fetch(pages)
        assert contents(frontier) == made
    frontier.frontier.forget_others()
    assert frontier.frontier.broken() == "" and frontier.rows()


def contents(frontier):
    storage = frontier.frontier.storage
    return {
        file: storage.read(file) for file in [frontier.frontier.note, *frontier.frontier.manifest.files()]
    }


def test_keys_are_merged_block_by_block_and_each_is_there_once(tmp_path, monkeypatch):
    monkeypatch.setattr(of_keys, "BLOCK", 7)
    chance, keys, known = np.random.default_rng(1), Keys(Storage(tmp_path)), np.zeros(0, np.int64)
    for number in range(12):
        new = np.append(chance.integers(-(1 << 62), 1 << 62, 20), known[:3])
        keys = keys.plus([(Of.FETCHED, new)], f"{number}.keys")
        known = np.union1d(known, new)
        assert keys.has(Of.FETCHED, known).all()
        assert not keys.has(Of.TEXT, known).any()
        runs = [np.fromfile(tmp_path / file, "<i8") for file, _ in keys.runs]
        assert [len(run) for run in runs] == [count for _, count in keys.runs]
        assert all((np.diff(run) > 0).all() for run in runs)
    assert len(keys.runs) < 5


def test_the_past_of_other_sites_is_what_the_totals_have_more(tmp_path):
    """However the sums are spread over files, and whichever sites are asked for."""
    frontier = Made(tmp_path, SEEDS, InProcessEngine())
    pages = web(2)
    for _ in range(11):
        frontier.list(size=15)
        frontier.fetch(pages)
    version = frontier.frontier
    assert len(version.manifest.prefixes) > 1
    every = np.unique(version.sites().column("site_id").to_numpy())
    whole = version.cells(every)
    assert 0 not in whole["site_id"] and {0, version.manifest.round} <= set(whole["round"].tolist())
    some = every[::2]
    found = version.cells(some)
    own, here = np.isin(whole["site_id"], some), np.isin(found["site_id"], some)
    for name, column in whole.items():
        assert np.array_equal(found[name][here], column[own])
    expected = by_evidence({name: column[~own] for name, column in whole.items()})
    assert by_evidence({name: column[~here] for name, column in found.items()}) == expected
    assert set(found["site_id"][~here].tolist()) == {0} and expected


def by_evidence(columns):
    """What cells gave, by evidence and round; nothing where that is nothing."""
    sums = {}
    for place in range(len(columns["round"])):
        key = (int(columns["evidence"][place]), int(columns["round"][place]))
        row = [
            int(columns[name][place])
            for name in ("tries", "pages", "good", "errors", "copies", "target_bytes")
        ]
        sums[key] = [a + b for a, b in zip(sums.get(key, [0] * len(row)), row, strict=True)]
    return {key: row for key, row in sums.items() if any(row)}


def test_lists_that_were_read_stay_in_front_for_sites_that_are_there_and_not_for_ever(tmp_path):
    frontier = Made(tmp_path, SEEDS, InProcessEngine(), depth=Depth(most=40, kept=16, least=0))
    nothing = {field.name: "" if field.type == pa.string() else 0 for field in schema_of(Known)}
    read_maps = [
        {**nothing, "site_id": site, "prefix_id": site, "maps": 1, "fetches": 1, "due": NEVER}
        for site in range(1, 31)
    ]
    for place, row in enumerate(read_maps):
        row["fetch_round"] = 8 if place == 2 else 9  # one was read before the others
    rows = [*read_maps, *({**nothing, "site_id": site % 5 + 1} for site in range(20))]
    rows = [{**row, "id": number, "url": str(number)} for number, row in enumerate(rows, 1)]
    levelling = frontier.update.depth.of(frontier.frontier, frontier.engine, "work")
    table = pa.Table.from_pylist(rows, schema=schema_of(Known))
    front, _, spilled = levelling.level(table, table.slice(0, 0))
    maps = [row["site_id"] for row in front.to_pylist() if row["maps"]]
    assert maps == [1, 2, 4, 5], "of sites with URLs in front, one for four of those, and the last read"
    assert front.num_rows == 16 + 4 and len(spilled) == len(rows) - 20
