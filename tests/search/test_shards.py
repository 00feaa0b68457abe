"""Shards find what an enumeration of all words finds, however they were merged, and nothing else is left."""

import random
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest

from corpulyzer.errors import UserError
from corpulyzer.language import Language
from corpulyzer.search.finding.only import Only
from corpulyzer.search.index import Index
from corpulyzer.search.kwic import kwic
from corpulyzer.search.lists import Wanted, listed
from corpulyzer.search.matches import find
from corpulyzer.search.measures import collocations
from corpulyzer.search.query import parse
from corpulyzer.search.rows import Entry
from corpulyzer.search.shards import column as columns
from corpulyzer.search.shards import gather, store
from corpulyzer.search.shards.column import Column, column_of

XHOSA = Language.find("xho")
WORDS = ("abantu", "abafazi", "apha", "phaya", "kude", "umntu", "日本", "ہے", "\udc80x")


def entry(number, text, site="a.example", **fields):
    known = {"title": "", "license": "", "date": 0, "quality": None, **fields}
    return Entry(id=number, url=f"https://{site}/{number}", site=site, text=text, **known)


def shards(index):
    with index.reading() as connection:
        return index.shards(connection).listed()


def document(chance, number):
    lines = (" ".join(chance.choices(WORDS, k=chance.randint(0, 6))) for _ in range(chance.randint(1, 4)))
    return entry(number, "\n".join(lines), f"{chance.randrange(3)}.example", date=chance.randrange(10**8))


def expected(documents, query):
    """The matches of words side by side, by enumeration; 日本 are two units."""
    wanted = [unit for word in query.split() for unit in (word if word.startswith("日") else [word])]
    total = 0
    for each in documents:
        for line in each.text.split("\n"):
            units = [
                unit for word in line.split() for unit in (word if word == "日本" else [word.strip("\udc80")])
            ]
            for start in range(len(units) - len(wanted) + 1):
                here = units[start : start + len(wanted)]
                total += all(
                    one == other or other == "*" or (other.endswith("*") and one.startswith(other[:-1]))
                    for one, other in zip(here, wanted, strict=True)
                )
    return total


QUERIES = ("abantu", "aba*", "abantu apha", "aba* * kude", "umntu umntu", "日本", "日本 ہے", "ہے abantu", "x")


@pytest.mark.parametrize("enough", [10**9, 30])
def test_merged_shards_find_what_an_enumeration_finds(tmp_path, monkeypatch, enough):
    monkeypatch.setattr(gather, "ENOUGH_PLACES", enough)
    monkeypatch.setattr(store, "AT_ONCE", 3)
    chance, index = random.Random(5), Index(tmp_path / "c.sqlite", XHOSA)
    parts = {}
    for turn in range(14):
        part = chance.randrange(5)
        there = parts.setdefault(part, {})
        for number in chance.sample(sorted(there), len(there) // 2):
            del there[number]
        for number in range(100 * turn, 100 * turn + chance.randint(1, 12)):
            there[number] = document(chance, number)
        index.put(str(part), str(turn), there.values())
        if turn == 9:
            index.tidy()
    documents = [each for there in parts.values() for each in there.values()]
    for query in QUERIES:
        found = kwic(index, query, limit=10**6)
        assert (found.hits, found.exact) == (expected(documents, query), True), query
        assert len(found) == found.hits
    counted = Counter(line.site for line in kwic(index, "abantu", limit=10**6))
    for site, count in counted.items():
        assert kwic(index, "abantu", limit=10**6, only=Only(site=site)).hits == count
    assert len({each.name for each in shards(index)}) == len(list(index.folder.iterdir()))


def test_shards_of_one_size_are_merged_and_a_large_one_is_left_alone(tmp_path):
    index = Index(tmp_path / "c.sqlite", XHOSA)
    index.put("large", "1", [entry(n, "abantu " * 50) for n in range(100)])
    (large,) = shards(index)
    for number in range(store.AT_ONCE):
        assert len(shards(index)) == number + 1
        index.put(f"small {number}", "1", [entry(1000 + number, "abantu apha")])
    first, second = shards(index)
    assert (first.name, second.documents) == (large.name, store.AT_ONCE)
    assert kwic(index, "apha").hits == store.AT_ONCE


def test_a_shard_of_which_much_is_gone_is_written_anew(tmp_path):
    index = Index(tmp_path / "c.sqlite", XHOSA)
    documents = [entry(n, f"abantu {n}") for n in range(10)]
    index.put("p", "1", documents)
    (before,) = shards(index)
    index.put("p", "2", documents[1:])
    assert [each.name for each in shards(index)] == [before.name]
    index.put("p", "3", documents[4:])
    (after,) = shards(index)
    assert after.documents == 6 and after.name != before.name
    assert [line.id for line in kwic(index, "abantu")] == [4, 5, 6, 7, 8, 9]


def test_a_number_of_a_document_that_is_gone_is_not_given_again(tmp_path):
    index = Index(tmp_path / "c.sqlite", XHOSA)
    documents = [entry(n, "abantu") for n in range(10)]
    index.put("p", "1", documents)
    index.put("p", "2", documents[:-1])
    index.put("q", "1", [entry(77, "abafazi")])
    assert len(kwic(index, "abantu")) == 9 and len(kwic(index, "abafazi")) == 1


def test_a_change_that_fails_leaves_the_index_and_its_files_as_they_were(tmp_path, monkeypatch):
    monkeypatch.setattr(gather, "ENOUGH_PLACES", 1)
    index = Index(tmp_path / "c.sqlite", XHOSA)
    index.put("p", "1", [entry(1, "abantu apha")])
    before = sorted(index.folder.iterdir())

    def broken():
        yield entry(2, "abafazi")
        raise RuntimeError("cut short")

    with pytest.raises(RuntimeError, match="cut short"):
        index.put("p", "2", broken())
    assert sorted(index.folder.iterdir()) == before
    assert kwic(index, "abantu").hits == 1 and kwic(index, "abafazi").hits == 0


KILLED = """
import os, sys
from pathlib import Path
from corpulyzer.language import Language
from corpulyzer.search.index import Index
from corpulyzer.search.rows import Entry
from corpulyzer.search.shards import column as columns
from corpulyzer.search.shards import gather, store

gather.ENOUGH_PLACES = 1
setattr(store.Store, sys.argv[2], lambda self: os._exit(9))
entry = Entry(2, "https://a.example/2", "a.example", "", "", 0, None, "abafazi")
Index(Path(sys.argv[1]), Language.find("xho")).put("p", "2", [entry])
"""


@pytest.mark.parametrize("at, word", [("finish", "abantu"), ("clean", "abafazi")])
def test_what_a_killed_process_left_is_deleted_and_the_index_is_whole(tmp_path, at, word):
    index = Index(tmp_path / "c.sqlite", XHOSA)
    index.put("p", "1", [entry(1, "abantu apha")])
    ended = subprocess.run([sys.executable, "-c", KILLED, str(index.path), at], check=False)
    assert ended.returncode == 9 and len(list(index.folder.iterdir())) == 2
    index.must_be_current()
    index.mend()
    assert len(list(index.folder.iterdir())) == 1
    assert [line.match for line in kwic(index, "aba*")] == [word]


def test_nothing_is_swept_while_another_writes(tmp_path):
    index = Index(tmp_path / "c.sqlite", XHOSA)
    index.put("p", "1", [entry(1, "abantu")])
    (index.folder / "0123.shard").touch()
    with index.writing():
        index.mend()
        assert (index.folder / "0123.shard").exists()
    index.mend()
    assert not (index.folder / "0123.shard").exists()


def test_an_index_that_lost_a_file_is_made_again_and_says_so_until_then(tmp_path):
    index = Index(tmp_path / "c.sqlite", XHOSA)
    index.put("p", "1", [entry(1, "abantu")])
    for file in index.folder.iterdir():
        file.rename(tmp_path / file.name)
    with pytest.raises(UserError, match="lacks a file"):
        find(index, parse("abafazi", XHOSA))
    index.must_be_current()
    assert not index.path.exists()


def test_more_values_than_two_bytes_can_number(tmp_path):
    values = [f"{n:06d}".encode() for n in range(70_000)]
    numbers = np.arange(70_000, dtype=np.uint32)[::-1].copy()
    column = Column(**column_of(values, numbers, np.array([0, 40_000, 70_000])))
    assert column.numbers(np.array([0, 69_999])).tolist() == [69_999, 0]
    assert column.value(69_999) == "069999" and column.number("069999") == 69_999
    assert column.number("x") is None and column.beginning("0699") == range(69_900, 70_000)
    assert column.held_by(column.asked(["000000"])).tolist() == [1]
    assert column.held_by(column.asked(["0", "1"], prefix=True)).tolist() == [0, 1]


@pytest.mark.parametrize("documents", [0, 1, 30])
def test_a_column_is_the_same_whoever_sorts_it(monkeypatch, documents):
    chance = np.random.default_rng(1)
    values = [f"{n:03d}".encode() for n in range(50)]
    starts = np.cumsum([0, *chance.integers(0, 40, documents)])
    numbers = chance.integers(0, 45, starts[-1], dtype=np.uint32)  # some values are in no document
    few = column_of(values, numbers, starts)
    monkeypatch.setattr(columns, "FEW_NUMBERS", -1)
    many = column_of(values, numbers, starts)
    assert few.keys() == many.keys()
    for name, array in few.items():
        assert array.dtype == many[name].dtype and array.tolist() == many[name].tolist(), name


def test_collocates_in_a_limit_are_weighed_by_what_the_limit_holds(tmp_path):
    """On site a: 6 words, x 2, y 2, both times beside each other; what site b has does not count."""
    index = Index(tmp_path / "c.sqlite", XHOSA)
    index.put("p", "1", [entry(1, "x y\nx y\nz z"), entry(2, "y y y y\nx z", "b.example")])
    found = find(index, parse("x", XHOSA), Only(site="a.example"))
    (y,) = collocations(index, found)
    assert (y.word, y.together, y.count) == ("y", 2, 2)
    assert y.mutual_information == pytest.approx(np.log2(2 * 6 / (2 * 2))) and y.log_dice == 14
    (y,) = collocations(index, find(index, parse("x", XHOSA)))
    assert y.count == 6


def test_what_a_large_limit_holds_is_estimated_from_a_sample_of_it(tmp_path, monkeypatch):
    monkeypatch.setattr("corpulyzer.search.lexicon.MOST_DOCUMENTS", 50)
    index = Index(tmp_path / "c.sqlite", XHOSA)
    texts = ["x z" if n % 3 else "x y z\nz z" for n in range(420)]
    index.put("p", "1", [entry(n, text) for n, text in enumerate(texts)] + [entry(999, "y y y", "b.example")])
    found = find(index, parse("x", XHOSA), Only(site="a.example"))
    rows = {row.word: row for row in collocations(index, found)}
    assert (rows["y"].together, rows["z"].together) == (140, 420)
    assert rows["y"].count == pytest.approx(140, rel=0.2) and rows["z"].count == pytest.approx(700, rel=0.2)


@pytest.mark.parametrize("order", ["before", "after", "match"])
def test_a_page_of_sorted_lines_is_the_beginning_of_all_of_them_sorted(tmp_path, monkeypatch, order):
    monkeypatch.setattr(gather, "ENOUGH_PLACES", 40)
    chance, index = random.Random(6), Index(tmp_path / "c.sqlite", XHOSA)
    index.put("p", "1", [document(chance, number) for number in range(120)])
    for query in ("aba*", "abantu *", '[lc="aba.*|kude"] []{0,2}'):
        every = kwic(index, query, order=order, limit=10**6).lines
        assert len(every) > 30
        for offset in (0, 7, 20, len(every) - 3):
            shown = kwic(index, query, order=order, limit=10, offset=offset).lines
            assert shown == every[offset : offset + 10]


def test_ranks_follow_the_index_and_go_with_a_removed_document(tmp_path):
    index = Index(tmp_path / "c.sqlite", XHOSA)
    index.put("p", "1", [entry(1, "b a b imfihlelo"), entry(2, "a c")])
    assert [(row.value, row.count) for row in listed(index, Wanted()).rows[:2]] == [("a", 2), ("b", 2)]
    index.remove([1])
    assert not index.ranks.exists()
    assert [(row.value, row.count, row.documents) for row in listed(index, Wanted()).rows] == [
        ("a", 1, 1),
        ("c", 1, 1),
    ]
