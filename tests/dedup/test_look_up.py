"""A text is looked up in the corpus: its near-duplicates, and passages with where they stand (CZ-53)."""

import json

import pytest
from command_line import attempt
from made_corpora import corpus_of, document, edited, prose

from corpulyzer.dedup.reuse import MIN_WORDS, difference, shared_passages
from corpulyzer.errors import UserError
from corpulyzer.jobs.dedup.run import deduplicate
from corpulyzer.jobs.search.look_up import look_up

QUOTED = "یہ ایک جملہ ہے جو ایک جگہ سے دوسری جگہ لیا گیا ہے اور سب جانتے ہیں۔"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory, engine):
    documents = [document(f"https://a.pk/{n}", f"{prose(n)}\n{prose(n + 50)}") for n in range(10)]
    documents.append(document("https://b.pk/quotes", f"{prose(80)}۔ {QUOTED}\n{prose(81)}"))
    corpus = corpus_of(tmp_path_factory.mktemp("look") / "c", documents)
    deduplicate(corpus, engine, ["near", "sentence"])
    return corpus


def test_a_near_duplicate_is_found_with_its_similarity(corpus, engine):
    text = edited(f"{prose(3)} {prose(53)}", 1, 5)
    (match,) = look_up(corpus, engine, text)
    assert match.url == "https://a.pk/3" and match.similarity > 0.7 and match.share > 0.7


def test_a_reused_sentence_is_found_in_a_text_that_is_otherwise_new(corpus, engine):
    (match,) = look_up(corpus, engine, f"{prose(90)}۔ {QUOTED}\n{prose(91)}")
    assert match.url == "https://b.pk/quotes" and 0 < match.similarity < 0.4, (
        "no near-duplicate, but something"
    )
    stored = next(d for d in corpus.documents if d.url == match.url).text
    (passage,) = match.passages
    assert stored[passage.begins : passage.stops] == match.texts[0] == QUOTED.rstrip("۔")


def test_a_new_text_is_not_found(corpus, engine):
    assert look_up(corpus, engine, prose(1234)) == look_up(corpus, engine, "") == []


def test_a_corpus_that_was_never_deduplicated_says_what_to_do(engine, tmp_path):
    with pytest.raises(UserError, match="no table of sentences") as caught:
        look_up(corpus_of(tmp_path / "c", [document("https://a.pk/", prose(1))]), engine, prose(1))
    assert "corpulyzer dedup" in caught.value.hint


def test_passages_are_the_longest_runs_of_words_whatever_case_and_marks():
    query = "Zero. One two, THREE four five six seven eight nine; ten! Eleven"
    text = "before one two three four\nfive six seven eight nine ten after"
    (passage,) = shared_passages(query, text)
    assert text[passage.begins : passage.stops].startswith("one two") and passage.words == 10
    assert (
        query[passage.query_begins : passage.query_stops]
        == "One two, THREE four five six seven eight nine; ten"
    )
    assert shared_passages(" ".join("abcdefg"[: MIN_WORDS - 2]), "x a b c y") == []


def test_passages_of_a_long_text_take_one_pass():
    text = " ".join(f"w{n % 1000}" for n in range(200_000))
    assert sum(passage.words for passage in shared_passages(text, text)) == 200_000


def test_the_difference_names_each_place_and_stops_somewhere():
    kept = " ".join(f"w{n}" for n in range(200))
    assert difference(kept, kept) == ["the texts are equal"]
    assert difference(kept, kept.replace(" ", "\n")) == ["nothing but white space"]
    assert difference("a b c", "a b c d") == ["a b c {+d+}"]
    many = " ".join(f"w{n}" if n % 5 else "x" for n in range(200))
    assert len(difference(kept, many)) == 11 and difference(kept, many)[-1] == "and 30 more places"
    long = "w " * 30_000
    assert "too long" in difference(long, long + "x")[0]


def test_the_command_prints_matches_as_json(corpus):
    done = attempt("search", "--similar", "-", "--json", "--project", corpus.storage.root, stdin=QUOTED)
    (match,) = json.loads(done.stdout)["matches"]
    assert match["url"] == "https://b.pk/quotes" and match["share"] == 1.0
    assert match["passages"][0]["text"] in QUOTED
