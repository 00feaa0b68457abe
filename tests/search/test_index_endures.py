"""What threads, damage, earlier versions and removals do to an index: answers stay right, and nothing is left."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from corpulyzer.corpus.settings.file import must_be_known
from corpulyzer.errors import UserError
from corpulyzer.language import Language
from corpulyzer.search import lexicon
from corpulyzer.search.index import Index
from corpulyzer.search.kwic import kwic
from corpulyzer.search.lists import Wanted, listed
from corpulyzer.search.matches import find
from corpulyzer.search.query import parse
from corpulyzer.search.rows import Entry
from corpulyzer.search.spread.groups import distribution

XHOSA = Language.find("xho")


def entry(number, text):
    place = {"site": "a.example", "url": f"https://a.example/{number}", "title": "", "license": ""}
    return Entry(id=number, text=text, date=0, quality=None, **place)


def test_threads_that_read_at_once_get_the_same_lines(tmp_path):
    index = Index(tmp_path / "c.sqlite", XHOSA)
    index.put("a", "1", [entry(n, f"{'kude apha ' * 500} abantu {n}") for n in range(30)])

    def lines(_):
        return [line.id for line in kwic(index, "abantu", limit=30).lines]

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(lines, range(24))) == [list(range(30))] * 24


DAMAGE = {
    "half of it": lambda data: data[: len(data) // 2],
    "nothing": lambda data: b"",
    "its end": lambda data: data[:-4],
    "zeros": lambda data: bytes(len(data)),
}


@pytest.mark.parametrize("kind", ["shard", "sqlite"])
@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_index_is_made_again_and_holds_up_no_removal(tmp_path, kind, damage):
    index = Index(tmp_path / "c.sqlite", XHOSA)
    index.put("a", "1", [entry(1, "abantu apha")])
    file = next(index.folder.iterdir()) if kind == "shard" else index.path
    file.write_bytes(DAMAGE[damage](file.read_bytes()))
    if kind == "shard":
        with pytest.raises(UserError, match="damaged"):
            kwic(index, "abantu")
    if (kind, damage) == ("sqlite", "its end"):
        return  # SQLite does not miss it
    assert index.remove([1]) == 0
    index.must_be_current()
    assert index.made() == {}
    index.put("a", "1", [entry(1, "abantu apha")])
    assert kwic(index, "abantu").hits == 1


@pytest.mark.parametrize("query", ['"kude apha"', '[lc="kude"] [lc="apha"]'])
def test_a_rare_phrase_of_frequent_words_is_found_however_many_documents_have_them(
    tmp_path, monkeypatch, query
):
    monkeypatch.setattr("corpulyzer.search.matches.MOST_COUNTED", 10)
    index = Index(tmp_path / "c.sqlite", XHOSA)
    index.put("a", "1", [entry(n, "abantu apha kude abantu") for n in range(400)])
    index.put("b", "1", [entry(n, "kude apha") for n in (1_000, 1_001)])
    for order in ("document", "after"):
        found = kwic(index, query, order=order, most=20)
        assert (found.hits, {line.id for line in found.lines}) == (2, {1_000, 1_001})


def test_a_number_is_not_given_again_when_nothing_is_left_of_its_document(tmp_path):
    index = Index(tmp_path / "c.sqlite", XHOSA)
    index.put("a", "1", [entry(1, "abantu apha"), entry(2, "kude abantu")])
    found = find(index, parse("abantu", XHOSA))
    index.remove([2])
    index.put("b", "1", [entry(3, "phaya kude")])
    with pytest.raises(UserError, match="changed meanwhile"):
        found.read(found.places)
    with pytest.raises(UserError, match="changed meanwhile"):
        distribution(index, found)


def test_ranks_of_before_a_removal_are_not_kept(tmp_path):
    index = Index(tmp_path / "c.sqlite", XHOSA)
    index.put("a", "1", [entry(1, "abantu apha"), entry(2, "imfihlo")])
    with index.reading() as connection:
        lexicon.state_of(connection)
        index.remove([2])
        lexicon.ranks_of(index, connection, "words")
    assert not index.ranks.exists()


def test_documents_without_words_part_those_around_them(tmp_path):
    index = Index(tmp_path / "c.sqlite", XHOSA)
    for name, text in (("a", "abantu apha"), ("b", ""), ("c", "kude phaya")):
        index.put(name, "1", [entry(ord(name), text)])
    assert {row.value for row in listed(index, Wanted(n=2)).rows} == {"abantu apha", "kude phaya"}
    listed(index, Wanted(stream="tags", n=2))


def test_what_an_earlier_version_kept_beside_the_index_goes_with_it(tmp_path):
    index = Index(tmp_path / "c.sqlite", XHOSA)
    index.put("a", "1", [entry(1, "abantu")])
    (tmp_path / "c.tantivy").mkdir()
    index.discard()
    assert list(tmp_path.iterdir()) == []


def test_a_setting_that_there_was_is_refused_with_what_to_do():
    with pytest.raises(UserError, match=r"line 2: there is no setting 'concordance.index'") as refused:
        must_be_known(["concordance.index"], "[concordance]\nindex = 'fts5'\n", "corpulyzer.toml", ["a.b"])
    assert "delete the line" in refused.value.hint
