"""One reading of all texts: what it counts, what it leaves out, and that the parts add up."""

import os
import random
import sys
from pathlib import Path

import pyarrow as pa
import pytest

sys.path.append(str(Path(__file__).parent.parent))

from made_corpus import Made, bench_of, bench_with, document

from corpulyzer.corpus.settings.config import merge
from corpulyzer.dedup.passages import FindPassages
from corpulyzer.engine.local import LocalEngine
from corpulyzer.language import Language
from corpulyzer.measure.text.basics import measure as basics
from corpulyzer.measure.text.counts import sampled_texts, text_counts
from corpulyzer.measure.text.grams import CODE_BITS, Grams, character_keys
from corpulyzer.measure.text.one_reading import CountText
from corpulyzer.measure.text.passage import MAX_WORD_CHARACTERS, passage
from corpulyzer.page.identifier import identifier_by
from corpulyzer.page.target_sentences import target_sentences
from corpulyzer.records import Document, Page
from corpulyzer.records.columns import batch_of

HRV = Language.find("hrv")
PAGES = [
    Made(["Kuća je velika. Kuća je lijepa.", ("The house is big", "eng")], site="a.hr"),
    Made(["Kuća stoji. Kuća je velika."], site="b.hr", confidence=0.42),
    Made(["Nitko ovo ne čita"], site="c.hr", reason="length"),
]


@pytest.fixture(scope="module")
def engine():
    with LocalEngine(workers=2) as engine:
        yield engine


def rows(bench, dataset, name="t"):
    columns = ", ".join(dataset.schema.names)
    found = bench.engine.query(f"select {columns} from {name}", {name: dataset}).to_pylist()
    return sorted((tuple(row.values()) for row in found), key=repr)


def everything(bench):
    """All that was counted, in an order that files cannot change."""
    counts = text_counts(bench)
    pooled = {name: rows(bench, counts[name]) for name in ("words", "all_words", "runs", "sampled")}
    sums = {
        name: bench.engine.query(sql, {name: counts.parts[name]}).to_pylist()
        for name, sql in {
            "sentences": "select key, sum(copies) as n, max(words) as w from sentences group by key order by key nulls last",
            "characters": "select code, sum(characters) as n from characters group by code order by code nulls last",
            "languages": "select site, kept, language, sum(documents) as d, sum(bytes) as n from languages "
            "group by site, kept, language order by site nulls last, kept nulls last, language nulls last",
            "margins": "select site, band, sum(paragraphs) as n from margins group by site, band "
            "order by site nulls last, band nulls last",
            "facts": "select * from facts order by id nulls last",
        }.items()
    }
    return pooled, sums, (counts.documents, counts.words, counts.sentences, counts.characters)


def test_words_of_kept_target_paragraphs_are_counted_with_their_documents(engine, tmp_path):
    bench = bench_of(tmp_path, engine, PAGES)
    counts = text_counts(bench)
    assert rows(bench, counts["words"]) == sorted(
        [("kuća", 4, 2), ("je", 3, 2), ("velika", 2, 2), ("lijepa", 1, 1), ("stoji", 1, 1)], key=repr
    )
    assert (counts.documents, counts.words, counts.sentences) == (2, 11, 4)


def test_text_in_other_languages_is_among_all_words_alone(engine, tmp_path):
    counts = text_counts(bench := bench_of(tmp_path, engine, PAGES))
    own, every = dict(row[:2] for row in rows(bench, counts["words"])), dict(rows(bench, counts["all_words"]))
    assert set(every) - set(own) == {"the", "house", "is", "big"}
    assert "nitko" not in every


def test_the_most_frequent_word_comes_first_and_ties_go_by_the_alphabet(engine, tmp_path):
    bench = bench_of(tmp_path, engine, ["b a c c"])
    table = engine.query("select word, tokens from w", {"w": text_counts(bench)["words"]})
    assert table.column("word").to_pylist() == ["c", "a", "b"]


def test_sentences_are_counted_with_their_copies_whatever_their_case(engine, tmp_path):
    bench = bench_of(tmp_path, engine, PAGES)
    found = everything(bench)[1]["sentences"]
    assert sorted((row["n"], row["w"]) for row in found) == [(1, 2), (1, 3), (2, 3)]


def test_languages_of_dropped_pages_are_counted_apart(engine, tmp_path):
    found = everything(bench_of(tmp_path, engine, PAGES))[1]
    sites = {(row["site"], row["kept"], row["language"]): row["d"] for row in found["languages"]}
    assert sites == {
        ("a.hr", 1, "eng"): 1,
        ("a.hr", 1, "hrv"): 1,
        ("b.hr", 1, "hrv"): 1,
        ("c.hr", 0, "hrv"): 1,
    }
    assert {(row["site"], row["band"]) for row in found["margins"]} == {("a.hr", 9), ("b.hr", 4), ("c.hr", 9)}


def test_order_and_files_change_nothing(engine, tmp_path):
    documents = [
        document(Made([f"Riječ broj {n % 7}. Kuća je tu."], site=f"{n % 3}.hr"), n, "hrv") for n in range(40)
    ]
    one = everything(bench_with(tmp_path / "one", engine, documents, "hrv"))
    mixed = documents[:]
    random.Random(5).shuffle(mixed)
    assert everything(bench_with(tmp_path / "three", engine, mixed, "hrv", files=3)) == one


def test_a_corpus_twice_over_has_twice_the_words_and_no_new_ones(engine, tmp_path):
    once = text_counts(a := bench_of(tmp_path / "1", engine, PAGES))
    twice = text_counts(b := bench_of(tmp_path / "2", engine, [*PAGES, *PAGES]))
    assert [(word, 2 * n, 2 * d) for word, n, d in rows(a, once["words"])] == rows(b, twice["words"])
    assert twice.words == 2 * once.words


def test_more_documents_than_are_counted_at_once_go_through_workers(engine, tmp_path):
    bench = bench_of(tmp_path, engine, [f"Kuća broj {n}." for n in range(250)], files=2)
    counts = text_counts(bench)
    assert (counts.documents, counts.words, counts.failures) == (250, 750, 0)


def test_counts_are_made_once_and_again_when_documents_change(engine, tmp_path):
    bench = bench_of(tmp_path, engine, PAGES)
    made = Path(text_counts(bench)["words"].files[0])
    before = made.stat().st_mtime_ns
    assert Path(text_counts(bench)["words"].files[0]).stat().st_mtime_ns == before
    changed = bench_of(tmp_path, engine, [*PAGES, "Sasvim nova riječ."])
    os.utime(changed.documents.files[0])
    assert text_counts(changed).words == 14
    assert not made.exists()


def test_an_empty_corpus_and_one_with_nothing_kept_have_no_words(engine, tmp_path):
    for pages in ([], [Made(["Nitko"], reason="length")], [Made([("English only", "eng")])]):
        bench = bench_of(tmp_path / str(len(pages)), engine, pages)
        counts = text_counts(bench)
        assert (counts.documents, counts.words) == (0, 0)
        assert sampled_texts(bench, counts) == []


def test_a_document_that_cannot_be_counted_leaves_its_id_and_the_reason():
    batch = batch_of([document("Kuća.", 1, "hrv")], Document)
    outputs = CountText("hrv", 1, 1, 0).failed(batch, "it took too long")
    assert outputs["failures"].to_pylist() == [
        {"id": batch.column("id")[0].as_py(), "why": "it took too long"}
    ]
    assert outputs["words"].num_rows == outputs["facts"].num_rows == 0


def test_the_sample_is_drawn_by_the_seed_and_its_beginning_is_a_sample_too(engine, tmp_path):
    pages = [f"Stranica {n}." for n in range(60)]
    first = bench_of(tmp_path / "1", engine, pages, seed=1, sample=20)
    other = bench_of(tmp_path / "3", engine, pages, seed=2, sample=20)
    drawn = sampled_texts(first, text_counts(first))
    assert len(drawn) == 20 and drawn == sampled_texts(first, text_counts(first))
    assert sampled_texts(first, text_counts(first), 5) == drawn[:5]
    assert drawn != sampled_texts(other, text_counts(other))


def test_one_kind_of_word_pair_in_four_is_counted_exactly():
    text = passage(" ".join(f"w{n % 50} v{n % 7}" for n in range(2000)), HRV)
    whole, part = Grams(), Grams(one_in=4)
    whole.add(text)
    part.add(text)
    of_all, of_some = (
        dict(zip(*map(list, dict(grams.runs())["word2"]), strict=True)) for grams in (whole, part)
    )
    assert of_some.items() <= of_all.items()
    assert 0.15 < len(of_some) / len(of_all) < 0.35


def test_runs_of_words_stay_within_a_sentence():
    grams = Grams()
    grams.add(passage("Ja sam tu. Ti si tamo daleko.", HRV))
    runs = {kind: int(counts.sum()) for kind, (_, counts) in grams.runs()}
    assert (runs["word2"], runs["word3"]) == (2 + 3, 1 + 2)


def test_equal_runs_have_one_key_and_different_ones_have_two():
    grams = Grams()
    grams.add(passage("a b\na b\nb a", HRV))
    assert sorted(dict(grams.runs())["word2"][1].tolist()) == [1, 2]


def characters_of(key):
    mask = (1 << CODE_BITS) - 1
    return "".join(chr(key >> (CODE_BITS * place) & mask) for place in (2, 1, 0))


def test_character_triples_can_be_read_back_and_cross_no_line():
    assert [characters_of(key) for key in character_keys("abc\ncd\nचाय  𞤀!").tolist()] == [
        "abc",
        "चाय",
        "ाय ",
        "य 𞤀",
        " 𞤀!",
    ]


def test_a_run_of_text_without_spaces_is_counted_under_its_beginning():
    (words,) = passage("x" * 5000, HRV).words
    assert words == ["x" * MAX_WORD_CHARACTERS]


def test_words_are_small_as_their_language_writes_them():
    assert passage("IRMAK", Language.find("tur")).words == (["ırmak"],)


@pytest.mark.slow
def test_spark_counts_the_same(engine, spark, tmp_path):
    pages = [
        Made(
            [f"Riječ {n % 11} je ovdje. Kuća s vratima {n % 5}!", ("some English", "eng")], site=f"{n % 9}.hr"
        )
        for n in range(300)
    ]
    here = everything(bench_of(tmp_path / "local", engine, pages, files=3))
    assert everything(bench_of(tmp_path / "spark", spark, pages, files=3)) == here


def test_outputs_have_the_types_that_both_engines_share():
    allowed = {pa.int64(), pa.string()}
    assert all(set(schema.types) <= allowed for schema in CountText("hrv", 1, 1, 0).outputs.values())


def test_table_1_of_the_isixhosa_paper_is_one_table_xh_12(tmp_path, engine):
    """Two kept pages of two sites: kuća je velika, kuća je lijepa, kuća stoji, kuća je velika."""
    (found,) = basics(bench_of(tmp_path, engine, PAGES))
    assert found.rows.to_pydict() == {
        "what": [
            *("pages", "total words", "unique words"),
            *("total sentences", "unique sentences", "websites"),
        ],
        "number": [2, 11, 5, 4, 3, 2],
    }


def test_a_corpus_of_nothing_has_a_table_of_zeros(tmp_path, engine):
    (found,) = basics(bench_of(tmp_path, engine, PAGES[2:]))
    assert found.rows.column("number").to_pylist() == [0] * 6


XHOSA = (
    "Abantwana besikolo bafunda iincwadi ezininzi kwithala leencwadi ledolophu yabo.",
    "Amafama avuna umbona nezinye izityalo ngexesha lasehlotyeni kwiindawo zasemaphandleni.",
    "Urhulumente uthembise ukwakha iindlela ezintsha kunye nezikolo kweli phondo.",
)
ENGLISH = "The minister spoke to the people of the town about water and roads for an hour."


def test_table_1_has_the_sentences_that_the_save_rule_counts_xh_12(engine, tmp_path):
    """Two lines that are one sentence, one inside an English paragraph, and the same page in capitals.

    By paragraph there would be five lines, and none of the English paragraph. By hand: three sentences a page,
    of 9, 10 and 10 words, and three different ones in all.
    """
    config, _ = merge('preset = "isixhosa"\ncorpus.language = "xho"\n', "x.toml", {}, {})
    cut = target_sentences(config)
    lines = ["Iindaba zesikolo", XHOSA[0], XHOSA[1], (f"{ENGLISH} {XHOSA[2]} {ENGLISH}", "eng")]
    loud = [(each[0].upper(), "eng") if isinstance(each, tuple) else each.upper() for each in lines]
    documents = [document(Made(each), number, "xho") for number, each in enumerate((lines, loud))]
    count, identify = config.identify.sentences, identifier_by(config.identify, "xho")
    judged = [count(Page("", text=each.text), target="xho", identify=identify) for each in documents]
    saved = sum(page.scores["target_sentences"] for page in judged)

    (found,) = basics(bench_with(tmp_path, engine, documents, "xho", sentences=cut))
    words = sum(len(each.split()) for each in (lines[0], *XHOSA))
    assert found.facts["total_sentences"] == saved == 6 and found.facts["unique_sentences"] == 3
    assert found.facts["total_words"] == 2 * words and "as the filter counts them" in found.definition

    step = FindPassages("xho", sentences=cut)
    passages = step(batch_of(documents, Document), lambda _: None)["sentences"].to_pylist()
    assert len(passages) == 6 and len({each["key"] for each in passages}) == 3
    assert sum(each["words"] for each in passages) == 2 * words
    first = passages[0]
    assert documents[0].text[first["begins"] : first["stops"]] == f"{lines[0]}\n{XHOSA[0]}"
