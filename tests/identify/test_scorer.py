"""Scores of texts: compiled and not, the same numbers."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from corpulyzer.identify.ensemble import groups, wide
from corpulyzer.identify.ngrams import hashed, letters_of, lower_letters
from corpulyzer.identify.scorer import MAX_WORDS, Scorer, WordMemory
from corpulyzer.identify.table import Table

pytest.importorskip("corpulyzer.identify._score", reason="it was not compiled here")

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


@settings(deadline=None, max_examples=500)
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


@settings(deadline=None, max_examples=100)
@given(texts)
def test_so_are_those_of_the_tables_that_ship(given):
    for own in (*groups(), wide("Latn"), wide("other")):
        assert Scorer(own)(given).tolist() == uncompiled(own, given, [MAX_WORDS] * len(given))


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
    from corpulyzer.identify._score import Scores

    own = Scores(lower_letters(), table().packed, 7, 5, (0, 3), 10, [])
    for wrong in (([1], [5], 0), (["a"], [-1], 0), (["a"], [1 << 40], 0), (["a"], ["5"], 0), (["a"], [], 0)):
        with pytest.raises((ValueError, TypeError, OverflowError), match=r"."):
            own.scores(*wrong)
    with pytest.raises(ValueError, match="no table"):
        Scores.__new__(Scores).scores(["a"], [1], 0)


@pytest.mark.parametrize("wrong", [(8, 5, (0, 3), 10), (7, 9, (0,), 10), (7, 5, (41,), 10), (7, 5, (0,), 11)])
def test_a_table_whose_parts_do_not_fit_is_refused(wrong):
    from corpulyzer.identify._score import Scores

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


def test_memory_does_not_grow():
    """Tables made, used and refused by the thousand in a process of their own leave nothing behind."""
    subprocess.run([sys.executable, "-c", _GROWTH], check=True, timeout=120)


_GROWTH = """
import resource
import numpy as np
from corpulyzer.identify._score import Scores
from corpulyzer.identify.ngrams import lower_letters
rows, stems = np.zeros((1 << 12, 2), np.uint64), [(f"a{'b' * n}", True, (1,) * 5) for n in range(30)]
def work():
    for _ in range(3000):
        own = Scores(lower_letters(), rows, 7, 5, (0, 3), 12, stems)
        own.scores(["tjedan " * 100] * 3, [120] * 3, 0)
        try:
            Scores(lower_letters(), rows, 7, 5, (0, 3), 12, [*stems, ("", True, (1,) * 5)])
        except ValueError:
            pass
work()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
work()
grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
assert grown < 4000, grown
"""
