"""With tantivy the concordance finds what it finds with FTS5, and the two files never part for long."""

import json
import random
import shutil
import sys
import threading
import time
from contextlib import suppress

import pytest
from lasting import engine_of

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.errors import UserError
from corpulyzer.jobs.remove import remove
from corpulyzer.jobs.search.refresh import index_of, refresh, stale
from corpulyzer.lab.demo.prose import LANGUAGES, Prose
from corpulyzer.language import Language
from corpulyzer.search.index import Index
from corpulyzer.search.kwic import kwic
from corpulyzer.search.matches import Only, find
from corpulyzer.search.query import parse
from corpulyzer.search.rows import Entry
from corpulyzer.search.tantivy_index import discard
from corpulyzer.search.units import units_of

pytest.importorskip("tantivy", reason="the extra `tantivy` is not installed")
XHOSA = Language.find("xho")
SPACELESS = {
    "tha": "ภาษาไทยเป็นภาษาที่มีระดับเสียง",
    "jpn": "日本語の文章とPython言語。日本の本",
    "khm": "ភាសាខ្មែរ",
}


def entry(number, text, language, **fields):
    """A document of which every word has its beginning as a lemma and its length as a tag."""
    words = units_of(text, language).words
    made = {
        "lemmas": [word[:3] for word in words],
        "tags": [f"L{len(word)}" for word in words],
        "xtags": [f"X.{len(word)}*{word[-1]}" for word in words],
    }
    site = f"s{number % 3}.example"
    return Entry(
        number, f"https://{site}/{number}", site, "", "cc-by", number * 86_400, number / 50, text, **made
    )


def both(folder, language):
    return [Index(folder / kind / "c.sqlite", language, kind) for kind in ("fts5", "tantivy")]


def answer(index, query, only):
    found = find(index, parse(query, index.language), only)
    places = [(place.id, place.matches) for place in found.places]
    return places, found.documents, found.hits, found.exact


def queries(words, rng):
    """Every form of query, out of a text."""
    for _ in range(8):
        place = rng.randrange(len(words) - 3)
        one, two, three = words[place : place + 3]
        yield from (one, f"{one} {two}", f"{one} {two} {three}", f"{one[:2]}*", f"{one} {two[:1]}*")
        yield from (
            f"{one} * {three}",
            f"{one}|{three}",
            f"{one[:1]}*|{two[:2]}*",
            f"{one}|{two} {three[:2]}*",
        )
        yield from (
            f"lemma:{one[:3]}",
            f"lemma:{one[:2]}* {two}",
            f"{one} tag:L{len(two)}",
            f"tag:L{len(one)}|L1",
        )
        yield from (f"xpos:X.{len(one)}*", f"xpos:X.{len(one)}*{one[-1]} lemma:{two[:3]}", f"tag:L* {two}")
    yield from (
        "nothinglikeit",
        "nothing like*",
        "lemma:nothing",
        "a.c*",
        "[a",
        "(",
        "a|(b",
        "tag:.",
        "xpos:X.[*",
    )


@pytest.mark.parametrize("code", [*LANGUAGES, *SPACELESS])
def test_it_answers_every_query_as_fts5_does(code, tmp_path):
    language, rng = Language.find(code), random.Random(code)
    if code in SPACELESS:
        texts = [(SPACELESS[code] * rng.randint(2, 4))[rng.randrange(4) :] for _ in range(24)]
    else:
        texts = ["\n".join(Prose(code).paragraph(rng) for _ in range(2)) for _ in range(24)]
    entries = [entry(number, text, language) for number, text in enumerate(texts, 1)]
    fts5, tantivy = both(tmp_path, language)
    for index in (fts5, tantivy):
        index.put("one", "1", entries[:10])
        index.put("two", "1", entries[10:])
        index.put("one", "2", entries[3:10])
    words, met = units_of(texts[5], language).words, 0
    limits = [Only(), Only(site="s1.example"), Only(since="1970-01-09", min_quality=0.3), Only(license="cc0")]
    for number, query in enumerate(queries(words, rng)):
        try:
            parse(query, language)
        except UserError:
            continue
        only = limits[number % 4] if number % 3 == 0 else limits[0]
        expected = answer(fts5, query, only)
        assert answer(tantivy, query, only) == expected, query
        met += bool(expected[0])
    assert met > 60


def test_a_beginning_that_very_many_words_have_is_found_after_a_word(tmp_path):
    text = " ".join(f"b{number}" for number in range(17_000))
    for index in both(tmp_path, XHOSA):
        index.put("p", "1", [entry(1, f"abantu {text}", XHOSA), entry(2, "abantu x b1", XHOSA)])
        assert [line.match for line in kwic(index, "abantu b*")] == ["abantu b0"]
        assert kwic(index, "b*").documents == 2


def test_a_word_without_end_is_found(tmp_path):
    endless = "q" * 70_000
    for index in both(tmp_path, XHOSA):
        index.put("p", "1", [entry(1, f"abantu {endless} apha", XHOSA)])
        found = [
            kwic(index, query).hits for query in (endless, f"{endless} apha", f"abantu {endless[:9000]}*")
        ]
        assert found == [1, 1, 1]


def texts_of(*names):
    text = "Abantu baseMzantsi Afrika bathetha isiXhosa kwaye bayasifunda esikolweni. " * 12
    return "".join(
        json.dumps({"url": f"https://{name}.example/1", "text": f"{text} igama{name}"}) + "\n"
        for name in names
    )


SETTINGS = {"engine.workers": 1, "filter.document": [], "concordance.index": "tantivy"}


def bring(corpus, file, *names):
    file.write_text(texts_of(*names), "utf-8")
    engine = engine_of(corpus)
    corpus.import_(str(file), engine=engine)


@pytest.fixture
def corpus(tmp_path):
    create("xho", tmp_path / "c")
    corpus = open_corpus(tmp_path / "c", SETTINGS)
    bring(corpus, tmp_path / "one.jsonl", "a", "b")
    return corpus


def mentions(folder, word):
    """The documents that the files tell of, deleted ones included."""
    import tantivy

    return tantivy.Index.open(str(folder)).searcher().doc_freq("words", word)


@pytest.mark.smoke
def test_it_follows_the_documents_and_a_takedown_leaves_nothing(corpus, tmp_path):
    assert corpus.search("abantu").hits == 24
    bring(corpus, tmp_path / "two.jsonl", "c")
    assert stale(corpus).parts == 1
    assert [line.site for line in corpus.search("igamac")] == ["c.example"] and corpus.search(
        "abantu"
    ).hits == 36
    folder = index_of(corpus).folder
    before = {file.name for file in folder.glob("*.term")}
    assert mentions(folder, "igamab") == 1
    engine = engine_of(corpus)
    remove(corpus, engine, "https://b.example/1")
    assert mentions(folder, "igamab") == 0 and mentions(folder, "igamaa") == 1
    assert before.isdisjoint(file.name for file in folder.glob("*.term"))
    assert corpus.search("igamab").hits == 0 and corpus.search("abantu bas*").hits == 24


def test_another_setting_makes_the_index_again(corpus):
    assert corpus.search("abantu").hits == 24 and index_of(corpus).folder.exists()
    plain = open_corpus(corpus.storage.root, SETTINGS | {"concordance.index": "fts5"})
    assert stale(plain).parts == 1
    assert plain.search("abantu").hits == 24 and not index_of(plain).folder.exists()
    assert stale(corpus).parts == 1
    assert corpus.search("abantu").hits == 24 and index_of(corpus).folder.exists()


def test_a_takedown_after_the_setting_was_changed_throws_the_index_away(corpus):
    refresh(corpus)
    plain = open_corpus(corpus.storage.root, SETTINGS | {"concordance.index": "fts5"})
    engine = engine_of(plain)
    remove(plain, engine, "https://b.example/1")
    assert not index_of(corpus).folder.exists() and not index_of(corpus).path.exists()
    assert plain.search("igamab").hits == 0 and plain.search("abantu").hits == 12


@pytest.mark.parametrize("ahead", ["tantivy", "sqlite"])
def test_a_change_that_was_cut_short_between_the_two_is_found_and_mended(corpus, tmp_path, ahead):
    index = refresh(corpus)
    kept = tmp_path / "kept"
    shutil.copytree(index.path.parent, kept)
    bring(corpus, tmp_path / "two.jsonl", "c")
    refresh(corpus)
    if ahead == "tantivy":
        (kept / index.path.name).replace(index.path)
    else:
        shutil.rmtree(index.folder)
        shutil.copytree(kept / index.folder.name, index.folder)
    assert not index.in_step() and stale(corpus).parts == 2
    assert corpus.search("igamac").hits == 1 and corpus.search("abantu").hits == 36
    assert index.in_step() and len(corpus.search("abantu", limit=100)) == 36


def test_a_folder_that_is_gone_or_damaged_is_made_again(corpus):
    index = refresh(corpus)
    shutil.rmtree(index.folder)
    assert corpus.search("igamaa").hits == 1
    for file in index.folder.iterdir():
        file.unlink()  # a thread of tantivy may have the file in its memory, and dies if that is cut
        file.write_bytes(b"")
    assert len(corpus.search("igamaa")) == 1


def test_an_error_amid_a_change_leaves_both_as_they_were(tmp_path):
    _, index = both(tmp_path, XHOSA)
    index.put("one", "1", [entry(1, "abantu apha", XHOSA)])

    def broken():
        yield entry(2, "abantu phaya", XHOSA)
        raise OSError("the disk")

    with pytest.raises(OSError, match="the disk"):
        index.put("two", "1", broken())
    assert index.in_step() and kwic(index, "abantu").hits == 1
    index.put("two", "1", [entry(2, "abantu phaya", XHOSA)])
    assert kwic(index, "abantu").hits == 2


def test_a_missing_package_is_named_and_the_old_index_stays(corpus, monkeypatch):
    plain = open_corpus(corpus.storage.root, SETTINGS | {"concordance.index": "fts5"})
    refresh(plain)
    monkeypatch.setitem(sys.modules, "tantivy", None)
    with pytest.raises(UserError, match=r"pip install 'corpulyzer\[tantivy\]'"):
        corpus.search("abantu")
    with pytest.raises(UserError, match="package tantivy"):
        stale(corpus)
    assert stale(plain).parts == 0


def test_a_wrong_value_names_the_choices(corpus):
    with pytest.raises(UserError, match=r"(?s)'fts5' or 'tantivy'.*corpulyzer\[tantivy\]"):
        open_corpus(corpus.storage.root, {"concordance.index": "lucene"})


def test_a_folder_into_which_files_still_come_is_thrown_away(tmp_path):
    folder = tmp_path / "index"
    folder.mkdir()
    end = time.monotonic() + 0.5

    def write():
        number = 0
        while time.monotonic() < end:
            number += 1
            with suppress(FileNotFoundError):
                (folder / f"{number % 500}").touch()

    thread = threading.Thread(target=write)
    thread.start()
    while not any(folder.iterdir()):
        time.sleep(0.001)
    discard(folder)
    thread.join()
    assert not folder.exists()
