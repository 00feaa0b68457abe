"""N-grams, tables and their files."""

from dataclasses import replace

import numpy as np
import pytest

from corpulyzer.errors import UserError
from corpulyzer.page.identify.ngrams import buckets_of, hashed, letters_of, tokens_of
from corpulyzer.page.identify.scorer import Scorer, WordMemory
from corpulyzer.page.identify.table import Table, head, load, save

TEXTS = ["Dobar dan, svijete!", "", "Ovo je 12. rečenica", "اردو زبان", "ภาษาไทยไม่มีช่องว่าง" * 9, "a"]


def table(labels=("aaa-Latn", "bbb-Latn"), orders=(0, 3), bits=12, stems=None):
    rng = np.random.default_rng(1)
    weights = rng.integers(-127, 128, (1 << bits, len(labels)), dtype=np.int8)
    blank = np.zeros(len(labels))
    return Table("test", labels, orders, bits, weights, blank, blank + 1, stems=stems or {})


def grams(text, order):
    (found,) = [len(ids) for ids, _ in hashed(letters_of(text.split()), (order,), 12)]
    return found


def test_an_n_gram_lies_in_one_word_with_its_borders():
    assert grams("abc de", 0) == 2
    assert grams("abc de", 1) == 5
    assert grams("abc de", 3) == 3 + 2, "_ab abc bc_ _de de_"
    assert grams("abc de", 4) == 2 + 1
    assert grams("12 !? 3", 3) == 0


def test_words_are_told_apart_by_what_is_no_letter_and_marks_are_letters():
    assert grams("i-Afrika ng'ombe", 0) == 4
    assert grams("किताब", 0) == 1
    assert grams("ABC", 3) == grams("abc", 3)


def test_buckets_are_those_of_the_text():
    ((of_text, _),) = hashed(letters_of(["abc"]), (3,), 12)
    assert list(of_text) == list(buckets_of([" ab", "abc", "bc "], 3, 12))


def test_a_long_token_is_cut_and_a_limit_holds():
    pieces = tokens_of("x" * 100 + " y", 10)
    assert [len(piece) for piece in pieces] == [40, 40, 20, 1]
    assert tokens_of("a b c d", 2) == ["a", "b"]


def test_the_score_of_a_text_is_the_sum_of_its_words():
    own = table()
    whole = Scorer(own)(["Dobar dan svijete"])[0]
    parts = Scorer(own)(["Dobar", "dan", "svijete"]).sum(axis=0)
    assert whole.tolist() == parts.tolist()
    assert whole[-1] > 0


def test_scores_are_the_sums_of_the_weights():
    own = table()
    expected = np.zeros(2, int)
    for buckets, _ in hashed(letters_of("Dobar dan".split()), own.orders, own.bits):
        expected += own.weights[buckets].sum(axis=0)
    assert Scorer(own)(["Dobar dan"])[0][:2].tolist() == expected.tolist()


def test_texts_score_the_same_together_alone_and_again():
    own = table()
    together = Scorer(own)(TEXTS)
    scorer = Scorer(own)
    for _ in range(2):
        for text, row in zip(TEXTS, together, strict=True):
            assert scorer([text])[0].tolist() == row.tolist()


def test_a_full_memory_changes_nothing():
    own = table()
    memory, limits = WordMemory(own), [120] * len(TEXTS)
    before = memory(TEXTS, limits).tolist()
    memory._capacity = 3
    assert memory([f"riječ{i}" for i in range(50)], [120] * 50).shape == (50, 3)
    assert memory(TEXTS, limits).tolist() == before


def test_the_longest_stem_counts_and_a_whole_word_first():
    own = table(orders=(0,), stems={"tjed*": [5, 0], "tjedan": [0, 7], "tjedn*": [9, 0]})
    plain = table(orders=(0,))
    gained = Scorer(own)(["tjedni,", "tjedan", "Tjeda", "tje"]) - Scorer(plain)(
        ["tjedni,", "tjedan", "Tjeda", "tje"]
    )
    assert gained[:, :2].tolist() == [[9, 0], [0, 7], [5, 0], [0, 0]]


def test_a_file_gives_back_what_was_saved(tmp_path):
    own = replace(
        table(stems={"ko": [1, 2]}),
        calls=frozenset({"hrv"}),
        base=np.arange(1 << 12, dtype=np.uint8),
        notes={"a": 1},
    )
    save(own, tmp_path / "x.table")
    again = load(tmp_path / "x.table")
    assert np.array_equal(again.weights, own.weights) and np.array_equal(again.base, own.base)
    assert (again.labels, again.calls, again.stems, again.notes) == (
        own.labels,
        own.calls,
        {"ko": [1, 2]},
        {"a": 1},
    )
    assert head(tmp_path / "x.table")["labels"] == ["aaa-Latn", "bbb-Latn"]
    assert Scorer(again)(TEXTS).tolist() == Scorer(own)(TEXTS).tolist()


@pytest.mark.parametrize("content", [b"", b"no model", b"\x28\xb5\x2f\xfd"])
def test_a_file_that_is_no_model_is_named(tmp_path, content):
    (tmp_path / "bad.table").write_bytes(content)
    with pytest.raises(UserError, match=r"bad\.table is no model"):
        load(tmp_path / "bad.table")


def test_a_new_label_replaces_an_old_one_of_its_name():
    old, new = table(), table(("bbb-Latn", "ccc-Latn"))
    both = old.with_columns([new])
    assert both.labels == ("aaa-Latn", "bbb-Latn", "ccc-Latn")
    assert np.array_equal(both.weights, np.stack([old.weights[:, 0], *new.weights.T], axis=1))
