"""A few words hashed one by one, and many at once: the same buckets."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from corpulyzer.identify.ensemble import groups
from corpulyzer.identify.few import FewWords, is_plain
from corpulyzer.identify.ngrams import hashed, letters_of
from corpulyzer.identify.table import FEW, Scorer

words = st.text(st.characters(codec=None), max_size=12) | st.sampled_from(
    ["İstanbul", "ΟΔΟΣ", "3d-Druck", "e\u0301te\u0301", "क्षेत्र", "ab", "a", "", "اردو،", "ჰ", "\U00020000"]
)


def by_arrays(token, orders, bits):
    return sorted(int(b) for buckets, _ in hashed(letters_of([token]), orders, bits) for b in buckets)


@settings(deadline=None, max_examples=300)
@given(words.map(lambda text: "".join(text.split())), st.sampled_from([(0, 3), (0, 4), (5,)]))
@example("ΣΑΣ", (0, 4))
def test_buckets_are_those_of_arrays(token, orders):
    if is_plain([token]):
        assert sorted(FewWords(orders, 15)(token)) == by_arrays(token, orders, 15)


def test_orders_that_it_does_not_know_are_left_to_arrays():
    assert FewWords((0, 4), 15).able and not FewWords((1, 2), 15).able


def test_letters_of_far_planes_and_long_tokens_are_left_to_arrays():
    assert is_plain(["dan", ""]) and is_plain([])
    assert not is_plain(["dan", "\U00020000"]) and not is_plain(["x" * 41])


@pytest.mark.parametrize("count", [1, FEW, FEW + 1, 200])
def test_a_text_scores_the_same_whichever_way_its_words_are_hashed(count):
    tokens = [f"riječ{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(count)]
    for table in groups():
        assert (Scorer(table)([" ".join(tokens)]) == table.score_tokens(tokens[:120]).sum(axis=0)).all()
