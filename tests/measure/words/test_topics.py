"""Topics: found where there are some, named by hand, matched, and honest about their words."""

import random
import sys
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import simplemma

sys.path.append(str(Path(__file__).parent.parent))

from made_corpus import Made, bench_of, document

from corpulyzer.engine import Dataset
from corpulyzer.errors import UserError
from corpulyzer.language import Language
from corpulyzer.measure.compare.topics import compare_topics, read_pairs
from corpulyzer.measure.text.counts import text_counts
from corpulyzer.measure.words import topic_fits
from corpulyzer.measure.words.topic_fits import ITERATIONS, FitTopics, Topic, fit, fits, lda
from corpulyzer.measure.words.topic_words import (
    MOST_FREQUENT,
    dictionary_of,
    lemma_of,
    lemmatizer,
    topic_words,
    without_function_words,
)
from corpulyzer.measure.words.topics import (
    is_same,
    match_topics,
    measure,
    named,
    read_names,
    same_name,
    sample_size,
    similarity,
)
from corpulyzer.records.annotation import Annotation, Sentence, Token
from corpulyzer.records.columns import batch_of, schema_of

SPORT = [f"lopta{n}" for n in range(12)]
FAITH = [f"crkva{n}" for n in range(12)]


def documents_of_two_topics(count=150):
    rng = random.Random(1)
    return [[rng.choice(SPORT if n % 3 else FAITH) for _ in range(30)] for n in range(count)]


@pytest.mark.smoke
def test_two_topics_are_found_and_sized_by_their_words():
    found = lda(documents_of_two_topics(), seed=1, topics=2)
    assert [set(topic.words) <= set(words) for topic, words in zip(found, (SPORT, FAITH), strict=True)] == [
        True,
        True,
    ]
    assert found[0].share == pytest.approx(2 / 3, abs=0.02)
    assert sum(topic.share for topic in found) == pytest.approx(1)


def test_the_same_seed_gives_the_same_topics():
    documents = documents_of_two_topics()
    assert lda(documents, seed=5, topics=4) == lda(documents, seed=5, topics=4)


def test_no_words_have_no_topics():
    assert lda([], seed=1) == lda([[], []], seed=1) == []


def test_words_that_no_two_documents_share_have_no_topics_and_nothing_is_printed(capfd):
    assert lda([["kuća"], ["voda", "voda"], ["zrak"]], seed=1) == []
    assert capfd.readouterr() == ("", "")


def test_topics_are_matched_one_to_one_by_their_words():
    a, b = Topic(1, 0.6, tuple("abc")), Topic(2, 0.4, tuple("xyz"))
    c, d = Topic(1, 0.5, tuple("xyw")), Topic(2, 0.5, tuple("abd"))
    assert [(one.number, two.number, value) for one, two, value in match_topics([a, b], [c, d])] == [
        (1, 2, 0.5),
        (2, 1, 0.5),
    ]
    assert match_topics([], [c]) == []


def test_topics_of_two_languages_are_matched_by_names():
    sport, games = Topic(1, 0.5, ("lopta",), "sport"), Topic(4, 0.5, ("ibhola",), "sport")
    assert same_name(sport, games) == similarity(sport, games) == 1
    assert not same_name(sport, Topic(4, 0.5, ("lopta",))) and not same_name(
        Topic(1, 1.0, ()), Topic(2, 1.0, ())
    )


def test_names_from_a_file_go_to_the_topics_with_their_words(tmp_path):
    file = tmp_path / "names.tsv"
    file.write_text("# by hand\nsport\tlopta1 lopta2 lopta3 gol\nvjera\tcrkva1 crkva2 crkva3\n", "utf-8")
    found = named(lda(documents_of_two_topics(), seed=1, topics=2), read_names(str(file)))
    assert {topic.name for topic in found} <= {"sport", "vjera", ""}
    topic = Topic(1, 1.0, ("lopta1", "lopta2", "lopta3"))
    assert named([topic, topic], read_names(str(file)))[0].name == "sport"
    assert named([topic, topic], read_names(str(file)))[1].name == "", "a name is given once"


def test_a_tenth_is_taken_of_a_large_corpus_and_enough_of_a_small_one():
    assert sample_size(100_000, 1_000_000) == 10_000
    assert sample_size(5_000, 1_000_000) == 2_000
    assert sample_size(300, 1_000_000) == 300
    assert sample_size(1_000_000, 20_000) == 10_000


def test_without_a_tagger_frequent_and_short_words_are_left_out():
    frequent = [f"često{'abcdefghij'[n % 10] * (n // 10 + 1)}" for n in range(MOST_FREQUENT)]
    documents = [[*frequent, "rijetka", "oko", "2021"]] + [frequent] * 3
    assert without_function_words(documents, Language.find("hrv"))[0] == ["rijetka"]


@pytest.mark.smoke
def test_lemmas_are_used_where_there_is_a_dictionary_and_the_result_says_what_it_is_made_of(engine, tmp_path):
    assert dictionary_of(Language.find("hrv")) == "hbs" and dictionary_of(Language.find("xho")) == ""
    bench = bench_of(tmp_path, engine, ["Kućama kućom kuće."])
    found = topic_words(bench, text_counts(bench), 10)
    assert found.method.startswith("lemmas") and "No tagger" in found.warnings[0]


def test_one_dictionary_is_held_at_a_time_and_lemmas_are_those_of_simplemma():
    for word, dictionary in (("kućama", "hbs"), ("mestih", "sl"), ("kućama", "hbs")):
        assert lemma_of(word, dictionary) == simplemma.lemmatize(word, lang=dictionary).lower()
    assert lemmatizer.cache_info().currsize == 1 and lemmatizer("sl") is not lemmatizer("hbs")


def test_noun_lemmas_are_taken_from_annotations(engine, tmp_path):
    page = document("Velike kuće stoje", 0, "hrv")
    tokens = (
        Token(0, 6, "Velike", "velik", "ADJ"),
        Token(7, 11, "kuće", "Kuća", "NOUN"),
        Token(12, 17, "stoje", "stajati", "VERB"),
    )
    found = Annotation(page.id, "", "made", (Sentence(0, 17, 0, tokens),))
    path = tmp_path / "annotations.parquet"
    pq.write_table(pa.Table.from_batches([batch_of([found], Annotation)]), path)
    annotations = Dataset((str(path),), schema_of(Annotation))
    bench = bench_of(tmp_path, engine, ["Velike kuće stoje"], annotations=annotations)
    words = topic_words(bench, text_counts(bench), 10)
    assert (words.documents, words.method, words.warnings) == ([["kuća"]], "noun lemmas", ())


def two_topic_pages(count=90):
    """Pages about two things; the hundred most frequent words are fillers that both have."""
    fillers = [f"{a}{b}{c}ovo" for a in "klmnp" for b in "aeio" for c in "rstvz"]
    rng = random.Random(2)
    return [
        Made(
            [
                " ".join(
                    [
                        *fillers,
                        *fillers,
                        *(rng.choice(SPORT if n % 2 else FAITH).replace("1", "i") for _ in range(25)),
                    ]
                )
            ]
        )
        for n in range(count)
    ]


def test_topics_and_their_stability_of_a_corpus(engine, tmp_path):
    pages = [
        Made([p.paragraphs[0].translate(str.maketrans("0123456789", "abcdefghij"))])
        for p in two_topic_pages()
    ]
    topics, stability = measure(bench_of(tmp_path, engine, pages, "xho"))
    assert topics.rows.num_rows > 1 and topics.svg()
    assert sum(topics.rows.column("share").to_pylist()) == pytest.approx(1)
    assert stability.rows.column("documents").to_pylist() == [45]
    assert "found again" in stability.summary


def test_corpora_with_the_same_texts_have_the_same_topics(engine, tmp_path):
    pages = [
        Made([p.paragraphs[0].translate(str.maketrans("0123456789", "abcdefghij"))])
        for p in two_topic_pages(40)
    ]
    first, second = (bench_of(tmp_path / name, engine, pages, "xho") for name in "ab")
    found = compare_topics({"a": first, "b": second})
    assert all(found.rows.column("same").to_pylist()) and not found.warnings
    assert found.rows.num_rows and "topics of a are in b too" in found.summary


def test_corpora_in_two_languages_need_names_for_their_topics(engine, tmp_path):
    """They share every word of these pages, and yet no topic: what two languages share are names and fillers."""
    first = bench_of(tmp_path / "a", engine, two_topic_pages(40), "xho", topics=3)
    second = bench_of(tmp_path / "b", engine, two_topic_pages(40), "zul", topics=3)
    found = compare_topics({"a": first, "b": second})
    assert "names" in found.warnings[0] and "lemma_pairs" in found.warnings[0]
    assert not found.rows.num_rows
    empty = bench_of(tmp_path / "c", engine, [], "xho")
    assert "too little text" in compare_topics({"a": first, "c": empty}).summary


def in_letters(page):
    return Made([page.paragraphs[0].translate(str.maketrans("0123456789", "abcdefghij"))])


@pytest.mark.parametrize("turns", [False, True])
def test_topics_of_two_languages_are_matched_by_pairs_of_lemmas(engine, tmp_path, turns):
    """Each word of one corpus stands backwards in the other, and in the list beside it."""
    pages = [in_letters(page) for page in two_topic_pages(40)]
    backwards = [Made([" ".join(word[::-1] for word in page.paragraphs[0].split())]) for page in pages]
    words = sorted({word for page in pages for word in page.paragraphs[0].split()})
    pairs = [("xho", "zul"), *((word, word[::-1]) for word in words)]
    rows = ["\t".join(reversed(pair) if turns else pair) for pair in pairs]
    (tmp_path / "pairs.tsv").write_text("# by hand\n" + "\n".join(rows), "utf-8")
    first = bench_of(tmp_path / "a", engine, pages, "xho", topics=2, lemma_pairs=str(tmp_path / "pairs.tsv"))
    second = bench_of(tmp_path / "b", engine, backwards, "zul", topics=2)
    found = compare_topics({"a": first, "b": second})
    assert not found.warnings and found.summary == "2 of the 2 topics of a are in b too."
    for row in found.rows.to_pylist():
        # The words of a topic begin with the same letters, and end with them in the other language.
        assert row["topic"][:3] == row["other_topic"].split(", ")[0][::-1][:3] and row["by"] == "lemma pairs"


def test_a_list_of_lemma_pairs_needs_two_languages_and_two_columns(tmp_path):
    (tmp_path / "pairs.tsv").write_text("hrv\tslv\nškola šola\n", "utf-8")
    with pytest.raises(UserError, match="no list of lemma pairs"):
        read_pairs(str(tmp_path / "pairs.tsv"))


def planted(topics, documents, seed):
    """Documents of which four in five words are of one topic of fifteen words, the larger the earlier it stands."""
    rng = random.Random(seed)
    sizes = [(n + 1) ** -0.5 for n in range(topics)]
    chances = [(n + 1) ** -0.7 for n in range(15)]

    def words():
        own = rng.choices(range(topics), sizes)[0]
        for _ in range(60):
            topic = own if rng.random() < 0.8 else rng.choices(range(topics), sizes)[0]
            yield f"topic{topic}:{rng.choices(range(15), chances)[0]}"

    return [list(words()) for _ in range(documents)]


@pytest.mark.parametrize("topics, documents, seed", [(8, 150, 0), (8, 150, 2), (20, 300, 0)])
def test_planted_topics_come_back_none_split_and_none_merged_hr_13(topics, documents, seed):
    """Started at random, a topic came in two halves and two in one, and stayed so for 1,000 iterations."""
    texts = planted(topics, documents, seed)
    found = lda(texts, seed=1, topics=topics, iterations=120)
    homes = [{word.partition(":")[0] for word in topic.words} for topic in found]
    assert all(len(home) == 1 for home in homes), homes
    assert set.union(*homes) == {f"topic{n}" for n in range(topics)}
    counted = Counter(word.partition(":")[0] for text in texts for word in text)
    for topic, (home,) in zip(found, homes, strict=True):
        assert topic.share == pytest.approx(counted[home] / counted.total(), abs=0.01)


def test_the_number_of_topics_is_a_setting(engine, tmp_path):
    pages = [in_letters(page) for page in two_topic_pages(40)]
    topics, _ = measure(bench_of(tmp_path, engine, pages, "xho", topics=2))
    assert topics.rows.num_rows == topics.parameters["topics"] == 2
    for words in topics.rows.column("words").to_pylist():  # two of the fillers are not frequent enough to go
        assert len({word[:5] for word in words if not word.endswith("ovo")}) == 1, words


def test_a_model_says_how_far_it_still_moved():
    short, long = (fit(documents_of_two_topics(), seed=1, topics=2, iterations=n) for n in (2, 200))
    assert long.end > short.end and abs(long.end - long.halfway) < 0.05
    assert fit([], seed=1).topics == ()


def test_fits_side_by_side_give_what_each_gives_alone(engine, tmp_path):
    """The first two run in a worker, since there are many documents; the third here."""
    documents = documents_of_two_topics(210)
    bench = bench_of(tmp_path, engine, [], "xho", topics=2)
    expected = [fit(documents[:size], seed=bench.seed, topics=2) for size in (105, 210, 40)]
    assert fits(bench, documents, [105, 210]) == expected[:2]
    assert fits(bench, documents[:40], [40]) == expected[2:]
    assert not list(Path(bench.folder).rglob("*.parquet")), "nothing stays behind"


def test_a_fit_ends_when_it_has_converged_with_the_topics_of_all_iterations(monkeypatch):
    documents = planted(8, 150, 3)
    short = fit(documents, seed=1, topics=8)
    monkeypatch.setattr(topic_fits, "LEAST_GAIN", float("-inf"))
    long = fit(documents, seed=1, topics=8)
    assert short.iterations < long.iterations == ITERATIONS
    assert len(long.likelihoods) == ITERATIONS / 50 and short.end == pytest.approx(long.end, abs=0.01)
    pairs = match_topics(short.topics, long.topics)
    assert len(pairs) == 8 and all(is_same(value) for *_, value in pairs)


def test_a_fit_that_fails_is_told(tmp_path):
    step = FitTopics(str(tmp_path / "none.parquet"), 1, 2)
    (row,) = step.failed(pa.RecordBatch.from_pydict({"documents": [7]}), "it took too long")[
        "fits"
    ].to_pylist()
    assert row["failure"] == "it took too long" and not row["topics"]


@pytest.mark.parametrize("pages", [[], ["Jedna."]])
def test_too_little_text_is_said_to_be_so(engine, tmp_path, pages):
    topics, stability = measure(bench_of(tmp_path, engine, pages))
    assert topics.rows.num_rows == stability.rows.num_rows == 0
    assert "too little" in topics.summary
