"""Keywords and ranks of words: against a list, and between corpora."""

import math
import random
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent.parent))

from made_corpus import Made, bench_of

from corpulyzer.errors import UserError
from corpulyzer.measure.compare.words import compare_words
from corpulyzer.measure.words.keywords import measure
from corpulyzer.measure.words.list_pairs import keyness, keywords, read_word_list, top_n_spearman


def test_keyness_by_hand():
    found = keyness("x", 30, 1_000, 10, 2_000)
    expected = 40 / 3_000
    likelihood = 2 * (30 * math.log(30 / (1_000 * expected)) + 10 * math.log(10 / (2_000 * expected)))
    assert found.log_likelihood == pytest.approx(likelihood)
    assert found.log_ratio == pytest.approx(math.log2(0.030 / 0.005))


def test_a_word_that_the_other_side_lacks_counts_as_half_a_use():
    assert keyness("x", 8, 100, 0, 100).log_ratio == pytest.approx(4)


def test_equal_shares_make_no_keyword():
    assert keywords({"a": 500, "b": 500}, 1_000, {"a": 1_000, "b": 1_000}, 2_000, 10) == []
    assert keywords({}, 0, {"a": 1}, 1, 10) == []


def test_only_sure_differences_are_keywords_and_the_largest_come_first():
    own = {"naša": 100, "rijetka": 4, "svima": 900, "malo": 50}
    other = {"svima": 990, "malo": 10}
    assert [each.word for each in keywords(own, 1_054, other, 1_000, 10)] == ["naša", "malo"]


def test_equal_ranks_correlate_wholly_and_reversed_ones_wholly_against():
    words = list("abcdefgh")
    assert top_n_spearman(words, {word: n for n, word in enumerate(words)}, 8).rho == pytest.approx(1)
    assert top_n_spearman(words, {word: -n for n, word in enumerate(words)}, 8).rho == pytest.approx(-1)


def test_missing_words_are_last_together_and_counted():
    found = top_n_spearman(list("abcd"), {"a": 0, "b": 1}, 4)
    # Ranks 1, 2 and twice 3.5 against 1, 2, 3, 4.
    assert found.missing == 2 and found.rho == pytest.approx(0.9486832980505138)


def test_the_measure_is_not_symmetric():
    one, two = list("abcdef"), list("badcxy")
    ranks = [{word: n for n, word in enumerate(words)} for words in (one, two)]
    assert top_n_spearman(one, ranks[1], 4).rho != top_n_spearman(two, ranks[0], 6).rho


def test_rho_and_p_are_those_of_scipy():
    from scipy.stats import spearmanr

    rng = random.Random(7)
    words = [f"w{n}" for n in range(60)]
    ranks = {word: rng.randrange(20) for word in words}
    found = top_n_spearman(words, ranks, 60)
    theirs = spearmanr(range(60), [ranks[word] for word in words])
    assert (found.rho, found.p) == pytest.approx((theirs.statistic, theirs.pvalue))


def test_word_lists_are_read_in_either_order(tmp_path):
    file = tmp_path / "list.tsv"
    file.write_text("word\tfrequency\nKuća\t10\n7 more\nkuća,5\n\n", "utf-8")
    assert read_word_list(str(file)) == {"kuća": 15, "more": 7}
    file.write_text("a 1\nb\n", "utf-8")
    with pytest.raises(UserError, match="line 2"):
        read_word_list(str(file))


def test_a_corpus_beside_a_reference_list(engine, tmp_path):
    file = tmp_path / "list.tsv"
    file.write_text("je 500\nkuća 2\nselo 100\ni 400\n", "utf-8")
    pages = [Made(["kuća je kuća i kuća 2021"])] * 20
    assert measure(bench_of(tmp_path / "none", engine, pages)) == []
    found, ranks = measure(bench_of(tmp_path / "own", engine, pages, reference=str(file)))
    sides = {(row["side"], row["word"]) for row in found.rows.to_pylist()}
    assert ("corpus", "kuća") in sides and ("reference", "selo") in sides and ("corpus", "je") not in sides
    rows = {(row["gold"], row["n"]): row for row in ranks.rows.to_pylist()}
    assert (rows["corpus", 100]["missing"], rows["corpus", 100]["no_word_examples"]) == (1, ["2021"])
    assert found.svg() and ranks.svg()


def text(words, count, seed):
    rng = random.Random(seed)
    return [
        Made([" ".join(rng.choices(words, [1 / n for n in range(1, len(words) + 1)], k=40))])
        for _ in range(count)
    ]


def test_corpora_are_compared_both_ways_and_at_equal_size(engine, tmp_path):
    words = [a + b for a in ("ku", "se", "mo", "ri") for b in ("ća", "lo", "re", "ka")]
    benches = {
        "mali": bench_of(tmp_path / "mali", engine, text(words, 5, 1)),
        "veliki": bench_of(tmp_path / "veliki", engine, text(["drugo", *words[:12]], 50, 2)),
    }
    found = {result.name: result for result in compare_words(benches)}
    ranks = {(row["gold"], row["other"]): row for row in found["word_ranks"].rows.to_pylist()}
    assert ranks["veliki", "mali"]["missing"] == 1 and ranks["mali", "veliki"]["missing"] >= 1
    assert 0.4 < ranks["mali", "veliki"]["rho"] < 1
    equal = {row["corpus"]: row for row in found["at_equal_size"].rows.to_pylist()}
    assert equal["mali"]["words"] == equal["veliki"]["words"] == 200
    assert "drugo" in {row["word"] for row in found["keywords"].rows.to_pylist() if row["side"] == "veliki"}
    assert all(result.svg() for result in found.values())


def test_a_corpus_agrees_with_itself_and_with_itself_twice_over(engine, tmp_path):
    pages = text(["kuća", "selo", "more", "grad"], 10, 1)
    benches = {
        "a": bench_of(tmp_path / "a", engine, pages),
        "b": bench_of(tmp_path / "b", engine, [*pages, *pages]),
    }
    found = compare_words(benches)[0].rows.to_pylist()
    assert [row["rho"] for row in found] == [1.0, 1.0] and [row["missing"] for row in found] == [0, 0]


def test_empty_corpora_are_compared_without_an_error(engine, tmp_path):
    benches = {name: bench_of(tmp_path / name, engine, []) for name in "ab"}
    assert all(result.rows.num_rows in (0, 2) for result in compare_words(benches))
