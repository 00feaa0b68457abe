"""Scores of texts, and what is decided by them: compiled and not, the same numbers."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from corpulyzer.page.identify.ensemble import groups, wide
from corpulyzer.page.identify.group import Decider, Decision
from corpulyzer.page.identify.ngrams import hashed, letters_of, lower_letters
from corpulyzer.page.identify.scorer import MAX_WORDS, Scorer, WordMemory
from corpulyzer.page.identify.table import Table

Scores = pytest.importorskip("corpulyzer.native._compiled", reason="it was not compiled here").Scores

# All planes, halves of surrogate pairs, all that parts words.
texts = st.lists(
    st.text(st.characters(codec=None), max_size=60)
    | st.text(st.sampled_from("aBč \n\u2028\u3000İΣς-'\u0301\u200c\U00020000\ud800"), max_size=200)
    | st.sampled_from(
        ["tjedna tjedan Tjedn-x", "x" * 100, "", " ", "ภาษาไทย" * 30, "a" * 39 + " b", "ko*", "aba abc AB"]
    ),
    max_size=4,
)


def table(orders=(0, 3), columns=7, bits=10):
    rng = np.random.default_rng(1)
    labels = tuple(f"{chr(97 + n)}aa-Latn" for n in range(5))
    weights = rng.integers(-127, 128, (1 << bits, columns), dtype=np.int8)
    stems = {"tjed*": [5, 0, 0, 0, 1], "tjedan": [0, 7, 0, 0, -1], "tjedn*": [9, 0, 0, 0, 0], "ab*": [1] * 5}
    return Table("test", labels, orders, bits, weights, np.zeros(5), np.ones(5), stems=stems)


def uncompiled(own, given, limits, skip=0):
    return WordMemory(own)(given, limits, skip).tolist()


@given(
    texts,
    st.sampled_from([(0, 3), (0, 4), (1, 2), (5,), (0, 1, 2, 3)]),
    st.sampled_from([5, 7, 8, 9]),
    st.integers(0, MAX_WORDS),
    st.sampled_from([0, 1, 16]),
)
@example(["ΣΑΣ İi " * 200], (0, 3), 7, MAX_WORDS, 0)
def test_compiled_scores_are_those_of_arrays(given, orders, columns, limit, skip):
    own = table(orders, columns)
    found = Scorer(own)(given, [limit] * len(given), skip)
    assert found.tolist() == uncompiled(own, given, [limit] * len(given), skip)


@given(texts)
def test_so_are_those_of_the_tables_that_ship(given):
    for own in (*groups(), wide("Latn"), wide("other")):
        assert Scorer(own)(given).tolist() == uncompiled(own, given, [MAX_WORDS] * len(given))


def uncompiled_decisions(decider, given, first):
    """What is decided in Python."""
    scorer = decider.scorer
    compiled, scorer._compiled = scorer._compiled, None
    try:
        return decider(given, first)
    finally:
        scorer._compiled = compiled


words = st.sampled_from("a ab abc tjedan tjedna kuća Schule ہے č - x1".split())
rivals = st.lists(
    st.tuples(
        st.text(st.characters(codec=None), max_size=150)
        | st.lists(words, max_size=40).map(" ".join)
        | st.lists(words, min_size=5, max_size=40).map(lambda some: " ".join(some * 12)),
        st.sampled_from(["aaa", "baa", "caa", "zzz", "", "hrv", "srp", "ind"]),
    ),
    max_size=6,
)


@given(
    rivals,
    st.booleans(),
    st.sampled_from(
        [("aaa-Latn", "baa", "aaa-Cyrl", "caa"), ("aaa",), ("baa", "baa-Cyrl"), ("zzz", "caa", "baa")]
    ),
    st.sampled_from([1, 2]),
    st.integers(0, 1 << 16),
)
def test_compiled_decisions_are_those_of_plain_numbers(given, with_first, labels, times, seed):
    rng = np.random.default_rng(seed)
    weights = rng.integers(-20, 20, (1 << 8, times * len(labels)), dtype=np.int8)
    usual, spread = rng.normal(0, 2, len(labels)), rng.random(len(labels)) * 3
    numbers = {"steepness": rng.random() * 2, "shift": rng.normal(0, 2), "notes": {"seldom_sure": ["caa"]}}
    decider = Decider(Table("test", labels, (0, 3), 8, weights, usual, spread, **numbers))
    found = [text for text, _ in given]
    first = [code for _, code in given] if with_first else []
    assert decider(found, first) == uncompiled_decisions(decider, found, first)


@given(rivals)
def test_so_are_decisions_by_the_tables_that_ship(given):
    found = [text for text, _ in given]
    for own in (*groups(), wide("Latn"), wide("other")):
        decider = Decider(own)
        for first in ([], [code for _, code in given]):
            assert decider(found, first) == uncompiled_decisions(decider, found, first)


def test_decisions_on_long_and_short_texts_in_many_languages_are_the_same(prose):
    deciders = [Decider(own) for own in (*groups(), wide("Latn"), wide("Arab"))]
    met = set()
    for language in ("hrv", "eng", "urd", "fas", "xho", "zul"):
        sentences = prose(language)
        given = [
            sentence[:size] for sentence, size in zip(sentences, (10, 60, 400, 99, 100, 5000), strict=False)
        ]
        for decider in deciders:
            found = decider(given, [language] * len(given))
            assert found == uncompiled_decisions(decider, given, [language] * len(given))
            met |= {(each.fits, each.confidence > 0.99) for each in found}
    assert met == {(True, True), (True, False), (False, True), (False, False)}


def test_what_does_not_fit_the_table_is_not_decided_on():
    decider = Decider(table())
    compiled, rules = decider.scorer.decisions, decider._rules
    assert decider(["", "abc"])[0] == Decision("und", 0.0, False)
    numbers = rules[3]
    for wrong in (
        (["a"], [5], [5], *rules),
        (["a"], [5], [-2], *rules),
        (["a"], [5], ["x"], *rules),
        (["a"], [5], [], *rules),
        (["a"], [], [-1], *rules),
        ([1], [5], [-1], *rules),
        (["a"], [-1], [-1], *rules),
        (["a"], [5], [-1], rules[0][:4], *rules[1:]),
        (["a"], [5], [-1], rules[0], rules[1][:4], *rules[2:]),
        (["a"], [5], [-1], *rules[:2], rules[2][:4], numbers),
        (["a"], [5], [-1], *rules[:3], (*numbers[:-1], 1 << 20)),
    ):
        with pytest.raises(ValueError, match=r"fit together|texts are needed"):
            compiled(*wrong)


def test_every_code_point_scores_the_same():
    own = table((0, 2))
    for start in range(0, 0x110000, 4096):
        text = " ".join(f"{chr(point)}A{chr(point)}" for point in range(start, start + 4096))
        limits = [5000]
        assert Scorer(own)([text], limits).tolist() == uncompiled(own, [text], limits), hex(start)


def test_scores_are_the_sums_of_rows_however_many_they_are():
    own = table((1,))
    text = "bcdefghija" * 4 + " "
    expected = np.zeros(7, int)
    for buckets, _ in hashed(letters_of(text.split() * 1000), own.orders, own.bits):
        expected += own.weights[buckets].sum(axis=0)
    assert Scorer(own)([text * 1000], [1000])[0].tolist() == [*expected.tolist(), 40_000]


def test_what_is_no_text_or_no_limit_is_refused():
    own = Scores(lower_letters(), table().packed, 7, 5, (0, 3), 10, [])
    for wrong in (([1], [5], 0), (["a"], [-1], 0), (["a"], [1 << 40], 0), (["a"], ["5"], 0), (["a"], [], 0)):
        with pytest.raises((ValueError, TypeError, OverflowError), match=r"."):
            own.scores(*wrong)
    with pytest.raises(ValueError, match="no table"):
        Scores.__new__(Scores).scores(["a"], [1], 0)


@pytest.mark.parametrize("wrong", [(8, 5, (0, 3), 10), (7, 9, (0,), 10), (7, 5, (41,), 10), (7, 5, (0,), 11)])
def test_a_table_whose_parts_do_not_fit_is_refused(wrong):
    columns, labels, orders, bits = wrong
    with pytest.raises(ValueError, match=r"fit together|columns|order"):
        Scores(lower_letters(), table(columns=9).packed, columns, labels, orders, bits, [])
    for stem in (
        ("", True, (1,) * 5),
        ("x" * 41, True, (1,) * 5),
        ("a", True, (1,)),
        ("a", True, (1 << 20,) * 5),
    ):
        with pytest.raises(ValueError, match="stem"):
            Scores(lower_letters(), table().packed, 7, 5, (0,), 10, [stem])


def test_memory_does_not_grow(grown):
    """Tables made, used and refused by the hundred leave nothing behind."""
    rows, stems = np.zeros((1 << 12, 2), np.uint64), [(f"a{'b' * n}", True, (1,) * 5) for n in range(30)]
    codes, ones, numbers = (
        np.arange(5, dtype=np.int32),
        np.ones(5),
        (1.0, 0.0, 0.9, 0.6, 100, 330, 8, 16, 400),
    )

    def work():
        for _ in range(200):
            own = Scores(lower_letters(), rows, 7, 5, (0, 3), 12, stems)
            own.scores(["tjedan " * 100] * 3, [120] * 3, 0)
            own.decisions(["tjedan " * 100] * 3, [16] * 3, [-1, 0, 4], codes, ones, ones, numbers)
            with pytest.raises(ValueError, match="stem"):
                Scores(lower_letters(), rows, 7, 5, (0, 3), 12, [*stems, ("", True, (1,) * 5)])

    assert grown(work) < 20_000
