"""The quality of documents: facts, scores, fences, thresholds."""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parent.parent))

from made_corpus import Made, bench_of

from corpulyzer.language import Language
from corpulyzer.measure.quality.documents import measure
from corpulyzer.measure.quality.score import NOISE, WEIGHTS, Fence, fence, scores_of
from corpulyzer.measure.statistics.distribution import quantile, share_at, spread
from corpulyzer.measure.text.facts import mille, text_facts
from corpulyzer.measure.text.passage import passage
from corpulyzer.measure.text.readability import measure as readability
from corpulyzer.measure.text.variety import variety_of
from corpulyzer.page.filter import Filters
from corpulyzer.page.filter.quality import Length

HRV = Language.find("hrv")
PROSE = (
    "Stara kuća stoji na brijegu iznad rijeke, a oko nje rastu jabuke i šljive koje nitko više ne bere. " * 2
)


def facts(text, other=""):
    return text_facts(text, other, variety_of(passage(text, HRV).words))


def said(*words):
    return variety_of([words])


def test_facts_by_hand():
    found = facts("Ja sam tu. Ti si tu!", other="x" * 20)
    assert (found["words"], found["types"], found["sentences"]) == (6, 5, 2)
    assert found["words_per_sentence_mille"] == 3000
    assert found["characters_per_word_mille"] == mille(13, 6)
    assert found["language_mille"] == 500
    assert found["punctuation_mille"] == mille(2, 15)
    assert found["overlap_mille"] == 200  # one word of five


def test_shares_of_noise():
    found = facts("vidi https://a.hr/x 1234\n" + "a" * 75)
    assert found["urls_mille"] == mille(14, 97)
    assert found["numbers_mille"] == mille(4, 97)
    assert (found["short_segments_mille"], found["longest_segment"]) == (500, 75)
    assert facts("☃☃ab")["odd_mille"] == 500
    assert facts("cafÃ© je tu")["broken"] == 2


def test_repetition_is_the_share_of_runs_said_before():
    assert said(*"abcdef").repeated == 0
    again = said(*"abcdeabcde")
    assert (again.repeated, again.runs) == (1, 6)
    assert said(*["a"] * 100).repeated == 95
    assert (said().repeated, said().runs) == (0, 0)


def test_mtld_by_hand():
    # a b a: types per token fall to 2/3 at the third word, so that every three words end a run.
    assert said(*"ababab").mtld == pytest.approx(3)
    assert said(*["a"] * 10).mtld == pytest.approx(2)
    assert said(*"abcde").mtld is None and said().mtld is None


def test_mtld_hardly_changes_with_length_and_types_per_token_do():
    words = [f"w{(n * n) % 37}" for n in range(2000)]
    short, long = said(*words[:500]).mtld, said(*words).mtld
    assert short == pytest.approx(long, rel=0.1)


def test_entropy_of_equal_words_is_the_logarithm_of_their_number():
    assert said(*"abcdefgh").entropy == pytest.approx(3)
    assert said(*"aaaa").entropy == 0 and said().entropy == 0


def test_overlap_of_one_sentence_is_none():
    assert said("a", "b").overlap is None and variety_of([]).overlap is None
    assert variety_of([["a"], [], ["a"]]).overlap == 1


def test_quantiles_and_shares_of_counted_values():
    counts = {1: 1, 2: 1, 3: 1, 4: 1}
    assert [quantile(counts, share) for share in (0.25, 0.5, 1)] == [1, 2, 4]
    assert share_at({}, 1, above=True) is None
    assert spread({500: 1, 1500: 1}, 1000)["mean"] == 1.0
    assert spread({}, 1)["median"] is None


def test_fences_follow_what_is_usual():
    values = dict.fromkeys(range(100, 201), 1)
    found = fence("urls_mille", values)
    assert (found.inner, found.outer) == (175 + 1.5 * 50, 175 + 6 * 50)
    assert fence("compression_mille", values).outer == 125 - 6 * 50
    assert fence("urls_mille", {0: 10}).inner == 30, "where all are alike a little noise is none"


def test_the_score_is_the_basis_where_there_is_no_noise_and_nothing_beyond_a_fence():
    clean = dict.fromkeys([*WEIGHTS, *(name.removesuffix("_mille") for name in NOISE)], 1.0)
    cases = {"as it is": {}, "half": {"language": 0.5}, "links": {"urls": 0.0}, "some": {"urls": 0.5}}
    parts = {name: np.array([case.get(name, 1.0) for case in cases.values()]) for name in clean}
    assert scores_of(parts).tolist() == pytest.approx([1, 0.6, 0, 0.5**1.5])
    assert Fence("x", 10, 20).scores(np.array([5])).tolist() == [1]


def test_a_page_of_addresses_scores_lower_than_prose(engine, tmp_path):
    pages = [Made([PROSE + f"Broj {n}."], site="dobro.hr") for n in range(60)]
    pages += [Made(["https://primjer.hr/stranica/a/b/c " * 8], site="lose.hr")] * 10
    score, parts, sites, thresholds = measure(bench_of(tmp_path, engine, pages))
    by_site = {row["site"]: row["mean_score"] for row in sites.rows.to_pylist()}
    assert next(iter(by_site)) == "lose.hr" and by_site["dobro.hr"] > by_site["lose.hr"]
    assert sum(score.rows.column("documents").to_pylist()) == 70
    assert {row["part"] for row in parts.rows.to_pylist()} >= {"urls", "repetition", "compression"}
    assert all(result.svg() for result in (score, parts, sites, thresholds))


def test_thresholds_stand_beside_what_documents_have(engine, tmp_path):
    pages = [Made(["riječ " * n]) for n in (10, 50, 100, 200)]
    filters = replace(Filters(), length=Length(min_words=60))
    rows = measure(bench_of(tmp_path, engine, pages, filters=filters))[3].rows.to_pylist()
    length = next(row for row in rows if row["filter"] == "length")
    assert (length["threshold"], length["beyond"], length["median"]) == (60, 0.5, 50)


def test_readability_of_documents(engine, tmp_path):
    (found,) = readability(
        bench_of(tmp_path, engine, ["Ja sam tu. Ti si tamo.", "Jedan dva tri četiri pet."])
    )
    rows = {row["measure"]: row for row in found.rows.to_pylist()}
    assert rows["words per sentence"]["mean"] == 4
    assert rows["overlap of neighbouring sentences"]["documents"] == 1
    assert found.svg()


def test_order_and_copies_of_documents_leave_the_spread_alone(engine, tmp_path):
    pages = [Made([PROSE * (n % 3 + 1)], name=f"p{n}") for n in range(9)]
    copies = [replace(page, name=f"{page.name}-2") for page in pages]
    (one,) = readability(bench_of(tmp_path / "1", engine, pages))
    (two,) = readability(bench_of(tmp_path / "2", engine, [*copies, *pages[::-1]], files=2))
    assert one.table.drop("documents").equals(two.table.drop("documents"))


@pytest.mark.parametrize("pages", [[], ["Jedna stranica."]])
def test_no_page_and_one_page_are_no_error(engine, tmp_path, pages):
    bench = bench_of(tmp_path, engine, pages)
    for result in [*measure(bench), *readability(bench)]:
        assert result.summary
        drawn = result.svg()
        assert drawn is None or drawn.startswith("<svg")
