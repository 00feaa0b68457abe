"""Words by their company, keywords and topics, each counted another way."""

import math
from collections import Counter
from pathlib import Path

import pytest

from corpulyzer.errors import UserError
from corpulyzer.jobs.search.company import compared_in
from corpulyzer.jobs.search.concordance import matches_in
from corpulyzer.language import Language
from corpulyzer.search.company import thesaurus
from corpulyzer.search.company.sketch import JOINED
from corpulyzer.search.company.thesaurus import neighbours
from corpulyzer.search.finding.only import Only
from corpulyzer.search.index import Index
from corpulyzer.search.keywords import counts_of, keywords
from corpulyzer.search.kwic import kwic
from corpulyzer.search.matches import documents_with
from corpulyzer.search.measures import log_likelihood
from corpulyzer.search.query import parse
from corpulyzer.search.rows import Entry
from corpulyzer.search.spread.groups import distribution
from corpulyzer.search.spread.topics import topics_of
from corpulyzer.storage.temporary import ENDING

XHOSA = Language.find("xho")
FACTS = ("a.example", "", "", 0, None)


def index_of(folder, texts, **more):
    made = Index(folder / "c.sqlite", XHOSA)
    made.put(
        "p", "1", [Entry(n, f"https://a.example/{n}", *FACTS, text, **more) for n, text in enumerate(texts)]
    )
    return made


def tagged(folder, *sentences):
    """An index of sentences that are written as `word/lemma/TAG`, each a document."""
    made = Index(folder / "c.sqlite", XHOSA)
    entries = []
    for number, sentence in enumerate(sentences):
        words, lemmas, tags = zip(*(each.split("/") for each in sentence.split()), strict=True)
        ends = [len(" ".join(words[: n + 1])) for n in range(len(words))]
        spans = [(end - len(word), end) for word, end in zip(words, ends, strict=True)]
        annotated = {"tokens": spans, "sentences": [len(words) - 1], "lemmas": lemmas, "tags": tags}
        entries.append(Entry(number, f"https://a.example/{number}", *FACTS, " ".join(words), **annotated))
    made.put("p", "1", entries)
    return made


def test_a_sketch_by_tags_takes_the_nearest_word_of_a_kind_and_stops_at_marks(tmp_path):
    index = tagged(
        tmp_path,
        "old/old/ADJ dogs/dog/NOUN quickly/quickly/ADV bark/bark/VERB",
        "old/old/ADJ dog/dog/NOUN barked/bark/VERB ,/,/PUNCT ran/run/VERB",
        "cat/cat/NOUN and/and/CCONJ dog/dog/NOUN",
        "cats/cat/NOUN and/and/CCONJ dogs/dog/NOUN ,/,/PUNCT run/run/VERB",
    )
    sketch = matches_in(index, "lemma:dog", Only(), tokens=True).sketch()
    found = {name: {row.word: row.together for row in rows} for name, rows in sketch.relations().items()}
    assert (sketch.by, sketch.stream) == ("tags", "lemmas")
    assert found == {"adjectives before": {"old": 2}, "verbs after": {"bark": 2}, JOINED: {"cat": 2}}
    (row,) = sketch.relations()["verbs after"]
    assert row.log_dice == pytest.approx(14 + math.log2(2 * 2 / (4 + row.count)))


def test_a_word_is_sketched_among_tagged_tokens_too(tmp_path):
    index = tagged(tmp_path, *["big/big/ADJ dog/dog/NOUN"] * 2)
    assert matches_in(index, "dog", Only(), tokens=True).sketch().relations().keys() == {"adjectives before"}


def test_a_sketch_without_tags_is_by_position_within_the_paragraph(tmp_path):
    index = index_of(tmp_path, ["a b x c d\nb x c", "e\nx c"])
    sketch = matches_in(index, "x", Only(), tokens=True).sketch()
    found = {name: {row.word: row.together for row in rows} for name, rows in sketch.relations().items()}
    assert sketch.by == "positions"
    assert found == {"1 after": {"c": 3}, "1 before": {"b": 2}}


def test_words_that_stand_between_the_same_words_are_neighbours_with_their_reasons(tmp_path):
    frames = ["the {} sleeps here", "a {} eats fish", "my {} runs fast"]
    texts = [frame.format(word) for frame in frames for word in ("cat", "dog") for _ in range(6)]
    texts += ["stones fall down"] * 12
    index = index_of(tmp_path, texts)
    contexts = {"the …", "a …", "my …", "… sleeps", "… eats", "… runs"}
    first, *_ = rows = neighbours(index, "Cat")
    assert (first.word, first.count) == ("dog", 18)
    assert first.similarity == pytest.approx(1.0, abs=1e-5)
    assert len(first.shared) == 5 and set(first.shared) <= {*contexts, "… here", "… fish", "… fast"}
    assert "stones" not in {row.word for row in rows}
    assert index.company.exists() and neighbours(index, "cat") == rows
    with pytest.raises(UserError, match="10 times"):
        neighbours(index, "unicorn")


def test_vectors_are_learned_again_when_the_index_changes_and_go_when_documents_are_removed(tmp_path):
    index = index_of(tmp_path, ["a cat sleeps", "a dog sleeps"] * 10)
    neighbours(index, "cat")
    index.put("q", "1", [Entry(100 + n, "u", *FACTS, "a cow sleeps") for n in range(10)])
    assert {row.word for row in neighbours(index, "cat")} >= {"cow", "dog"}
    index.remove([100])
    assert not index.company.exists()


def test_vectors_of_an_index_that_changed_meanwhile_are_not_kept(tmp_path, monkeypatch):
    index = index_of(tmp_path, ["a cat sleeps", "a dog sleeps"] * 10)
    counted = thesaurus._counted

    def removed_meanwhile(*asked):
        found = counted(*asked)
        index.remove([0])
        return found

    monkeypatch.setattr(thesaurus, "_counted", removed_meanwhile)
    assert neighbours(index, "cat")
    assert [file.name for file in tmp_path.iterdir() if "npz" in file.name] == []


def test_what_a_killed_process_left_of_vectors_is_found_and_deleted(tmp_path, monkeypatch):
    index = index_of(tmp_path, ["a cat sleeps", "a dog sleeps"] * 10)
    names = []

    def killed(file, **_stored):
        names.append(file.name)
        raise KeyboardInterrupt

    monkeypatch.setattr("numpy.savez", killed)
    with pytest.raises(KeyboardInterrupt):
        neighbours(index, "cat")
    assert [Path(name).name.endswith(ENDING) for name in names] == [True]
    assert not Path(names[0]).exists()


def test_the_company_of_two_words_is_that_of_one_or_of_both(tmp_path):
    index = index_of(tmp_path, ["strong tea here", "powerful car here"] * 4)
    found = compared_in(index, "strong", "powerful", 5, Only())
    assert {row.word: row.belongs for row in found.rows} == {"tea": "first", "here": "both", "car": "second"}
    assert [row.word for row in found.rows] == ["tea", "here", "car"]
    assert found.rows[0].first_together == 4 and found.rows[0].second_log_dice == 0


def test_keywords_against_another_corpus_are_those_of_its_word_counts(tmp_path):
    (tmp_path / "a").mkdir(), (tmp_path / "b").mkdir()
    ours = index_of(tmp_path / "a", ["sea sea sea sea land"])
    theirs = index_of(tmp_path / "b", ["sea land land land land"])
    assert counts_of(theirs) == {"sea": 1, "land": 4}
    (row,) = keywords(ours, counts_of(theirs))
    assert (row.word, row.count, row.reference_count, row.log_ratio) == ("sea", 4, 1, pytest.approx(2))
    assert row.log_likelihood == pytest.approx(log_likelihood(4, 5, 5, 10))
    with pytest.raises(UserError, match="sorted"):
        keywords(ours, {}, by="luck")


def test_a_document_has_the_topic_of_which_it_has_most_words(tmp_path):
    index = index_of(tmp_path, ["goal match team", "vote law goal law", "vote", "team goal x x"])
    topics = {"sport": ["goal", "match", "team"], "politics": ["vote", "law"]}
    numbers = {key: number for number, key in documents_with(index, None, Only()).items()}
    told = topics_of(index, topics)
    assert {key: told.get(number) for key, number in numbers.items()} == {
        0: "sport",
        1: "politics",
        2: None,
        3: "sport",
    }
    met = matches_in(index, "goal", Only())
    rows = {row.name: row.hits for row in distribution(index, met.found, "topic", told)}
    assert rows == {"sport": 2, "politics": 1, "none": 0}
    with pytest.raises(UserError, match="no topics"):
        met.distribution("topic")


def test_all_documents_that_meet_a_query_are_named(tmp_path):
    index = index_of(tmp_path, ["a b", "b a", "c"])
    assert set(documents_with(index, parse("a b", XHOSA), Only()).values()) == {0}
    assert set(documents_with(index, parse("a", XHOSA), Only()).values()) == {0, 1}
    assert set(documents_with(index, None, Only(site="b.example")).values()) == set()


def test_lines_in_random_order_are_drawn_by_the_seed(tmp_path):
    index = index_of(tmp_path, [f"x{n} y" for n in range(40)])

    def drawn(seed, limit=10):
        return [line.id for line in kwic(index, "y", order="random", limit=limit, seed=seed)]

    assert drawn(1) == drawn(1) and drawn(1) != drawn(2)
    assert Counter(drawn(1, 40)) == Counter(range(40))
    assert drawn(1, 40)[:10] == drawn(1)
