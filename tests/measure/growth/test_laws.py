"""Zipf, Heaps, tokens per type: against ideal texts, another implementation, and the papers' numbers."""

import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parent.parent))

from made_corpus import Made, bench_of

from corpulyzer.language import Language
from corpulyzer.measure.growth.heaps import fit_heaps, growth_curve, running, shuffled, sizes_up_to
from corpulyzer.measure.growth.laws import curves, measure, tokens_per_type, whole_corpus
from corpulyzer.measure.growth.morph_cutter import morph_cutter
from corpulyzer.measure.growth.power_law import rank_points, regression, spectrum_of, tail
from corpulyzer.measure.growth.zipf import spectra_of_all, spectra_of_unique
from corpulyzer.measure.text.counts import text_counts
from corpulyzer.measure.text.passage import passage

HRV = Language.find("hrv")


def test_a_text_with_frequencies_of_one_by_rank_has_a_slope_of_one():
    ideal = Counter(round(1_000_000 / rank) for rank in range(1, 500))
    found = regression(*spectrum_of(ideal))
    assert found.exponent == pytest.approx(1, abs=0.001) and found.r_squared > 0.9999


def test_the_line_over_a_spectrum_is_the_line_over_all_its_ranks():
    frequencies = [100, 40, 40, 12, 7, 7, 7, 2, 1, 1, 1, 1]
    found = regression(*spectrum_of(Counter(frequencies)))
    slope, _ = np.polyfit(np.log(np.arange(1, 13)), np.log(frequencies), 1)
    assert found.exponent == pytest.approx(-slope)


def test_maximum_likelihood_agrees_with_the_powerlaw_package():
    powerlaw = pytest.importorskip("powerlaw")
    values = np.random.default_rng(3).zipf(2.2, 5_000)
    found = tail(*spectrum_of(Counter(values.tolist())))
    theirs = powerlaw.Fit(values, discrete=True, verbose=False)
    assert found.start == theirs.xmin and found.alpha == pytest.approx(theirs.alpha, abs=0.002)
    assert found.distance == pytest.approx(theirs.D, abs=0.002)
    ratio, p = theirs.distribution_compare("power_law", "lognormal", normalized_ratio=True)
    assert (found.lognormal_ratio, found.lognormal_p) == pytest.approx((ratio, p), abs=0.02)
    assert found.exponent == pytest.approx(1 / 1.2, abs=0.05)


@pytest.mark.smoke
def test_a_lognormal_text_is_told_from_a_power_law():
    values = np.round(np.random.default_rng(4).lognormal(3, 0.6, 5_000)).astype(int)
    spectrum = Counter(values[values > 0].tolist())
    frequencies, types = spectrum_of(spectrum)
    found = tail(frequencies, types)
    assert found.start > 20, "only the far end of it looks like a power law"


def test_too_few_types_have_no_tail_and_equal_ones_no_slope():
    assert tail(*spectrum_of({5: 3})) is None and regression(*spectrum_of({5: 3})) is None
    assert tail(*spectrum_of({})) is None and regression(*spectrum_of({})) is None
    assert rank_points(*spectrum_of({})) == []


def test_points_of_the_curve_have_the_frequency_of_their_rank():
    points = rank_points(*spectrum_of({10: 1, 3: 2, 1: 4}), scale=4)
    assert points == [
        {"rank": 4 * rank, "frequency": f}
        for rank, f in zip(range(1, 8), (10, 3, 3, 1, 1, 1, 1), strict=True)
    ]


def test_spectra_by_hand(engine, tmp_path):
    bench = bench_of(tmp_path, engine, ["a b a b", "a b c"])
    found = spectra_of_all(bench, text_counts(bench))
    assert found["word1"] == {3: 2, 1: 1}
    assert found["word2"] == {3: 1, 1: 2}  # a b three times, b a and b c
    assert found["word3"] == {1: 3}
    assert sum(n * types for n, types in found["char3"].items()) == 5 + 3


def test_each_sentence_once_leaves_copies_out():
    cut = [passage("a b\nc d", HRV), passage("A B\ne", HRV)]
    assert spectra_of_unique(cut)["word1"] == {1: 5}


def test_growth_by_hand():
    text = running([[("s1", "ab"), ("s2", "a")], [("s1", "ab"), ("s3", "cd")]])
    rng = np.random.default_rng(0)
    assert len(shuffled(text, rng, unique=False)) == 7
    assert len(shuffled(text, rng, unique=True)) == 5
    assert text.types == 4
    assert growth_curve(np.array([2, 2, 0, 1]), [1, 2, 3, 4]) == [1, 1, 2, 3]


def test_dropping_copies_loses_no_type_whatever_the_order():
    documents = [
        [(f"s{n % 4}", [n % 4, n % 3, n % 4]) for n in range(start, start + 5)] for start in range(9)
    ]
    documents = [[(str(units), units) for _, units in sentences] for sentences in documents]
    text = running(documents)
    for seed in range(5):
        rng = np.random.default_rng(seed)
        assert set(shuffled(text, rng, unique=True).tolist()) == set(range(text.types))


@pytest.mark.smoke
def test_heaps_is_recovered_and_its_residual_at_the_end_is_small():
    sizes = sizes_up_to(1_000_000)
    found = fit_heaps(sizes, [96 * size**0.46 for size in sizes])
    assert (found.k, found.beta) == pytest.approx((96, 0.46), rel=1e-4)
    assert (found.log_k, found.log_beta) == pytest.approx((96, 0.46), rel=1e-4)
    assert abs(found.end_residual) < 1e-6 and found.r_squared == pytest.approx(1)


def test_the_papers_values_do_not_reach_its_own_end():
    """XH-19: k = 96 and beta = .46 give 404,518 words, and there are 672,460."""
    assert round(96 * 75_807_261**0.46) == 404_518
    assert pytest.approx(-0.40, abs=0.005) == (96 * 75_807_261**0.46 - 672_460) / 672_460


def test_a_closed_inventory_bends_and_the_two_fits_differ():
    sizes = sizes_up_to(100_000)
    found = fit_heaps(sizes, [1000 * (1 - np.exp(-size / 5000)) for size in sizes])
    assert found.log_beta - found.beta > 0.1 and found.log_r_squared < 0.99


def test_tokens_per_type_are_the_papers():
    """XH-18: NCHLT 136,904 / 29,130; the whole corpus without copies 14.4 M / 672,460."""
    assert round(tokens_per_type(136_904, 29_130), 1) == 4.7
    assert round(tokens_per_type(14_400_000, 672_460), 1) == 21.4
    assert tokens_per_type(0, 0) is None


def test_the_whole_corpus_with_and_without_copies(engine, tmp_path):
    bench = bench_of(tmp_path, engine, ["a b c\nd e", "A b C\nf"])
    with_copies, without = whole_corpus(bench, text_counts(bench))
    assert (with_copies["size"], with_copies["types"]) == (9, 6)
    assert (without["size"], without["types"]) == (6, 6)


def test_a_corpus_twice_over_grows_the_same_without_copies(engine, tmp_path):
    pages = [f"Riječ{n % 13} broj{n % 7} ide tu{n}." for n in range(50)]
    found = []
    for times in (1, 2):
        bench = bench_of(tmp_path / str(times), engine, pages * times)
        found.append(whole_corpus(bench, text_counts(bench)))
    (once_all, once), (twice_all, twice) = found
    assert twice == once and twice_all["size"] == 2 * once_all["size"]


def test_curves_end_with_all_types_and_their_band_spans_the_mean():
    documents = [[(f"{n} {m}", [n % 17, m, n * m % 29]) for m in range(6)] for n in range(40)]
    points = list(curves("words", running(documents), seed=3))
    last = [point for point in points if point["text"] == "all sentences"][-1]
    assert last["lowest"] == last["highest"] == last["types"]
    assert all(point["lowest"] <= point["types"] <= point["highest"] for point in points)
    assert points == list(curves("words", running(documents), seed=3))
    assert points != list(curves("words", running(documents), seed=4))


@pytest.mark.smoke
def test_morphs_put_together_are_the_word():
    words = Counter(
        {stem + end: 3 for stem in ("kuć", "žen", "knjig", "rijek", "ruk") for end in ("a", "u", "ama", "e")}
    )
    cut = morph_cutter(words, seed=1)
    assert all("".join(cut(word)) == word for word in [*words, "nepoznato"])
    assert any(len(cut(word)) > 1 for word in words)
    assert [cut(word) for word in words] == [morph_cutter(words, seed=1)(word) for word in words]


def test_all_results_of_a_small_corpus_can_be_drawn(engine, tmp_path):
    pages = [
        Made([f"Riječ{n % 23} i riječ{n % 5} stoje ovdje. Kuća broj {n % 11} je naša."]) for n in range(120)
    ]
    found = {result.name: result for result in measure(bench_of(tmp_path, engine, pages))}
    assert list(found) == ["zipf", "zipf_fits", "heaps", "heaps_fits", "tokens_per_type"]
    assert all(found[name].svg() for name in ("zipf", "heaps", "tokens_per_type"))
    assert set(found["heaps"].rows.column("unit").to_pylist()) == {"words", "character triples", "morphs"}


@pytest.mark.parametrize("pages", [[], ["Jedna stranica."], ["x"]])
def test_a_corpus_of_no_page_and_of_one_is_no_error(engine, tmp_path, pages):
    for result in measure(bench_of(tmp_path, engine, pages)):
        assert result.summary or result.warnings
        drawn = result.svg()
        assert drawn is None or drawn.startswith("<svg")
