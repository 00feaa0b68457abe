"""Types and tokens, of the language and not, by the paper's rule and by letters (CZ-23, CZ-47)."""

import random
import sys
from collections import Counter
from dataclasses import asdict
from pathlib import Path

import pyarrow as pa
import pytest

sys.path.append(str(Path(__file__).parent.parent))

from made_corpus import Made, bench_of

from corpulyzer.language import Language
from corpulyzer.measure.words.vocabulary import measure, table
from corpulyzer.measure.words.word_class import ClassifyWords, classify, mixed

URDU, CROATIAN, XHOSA = map(Language.find, ("urd", "hrv", "xho"))


def test_table_10_of_the_paper():
    """UrduWeb20: 8,453,207 and 4,646,231 types, 3,695,875,215 and 421,736,387 tokens."""
    classes = [
        {"strict": 1, "aware": 1, "types": 8_453_207, "tokens": 3_695_875_215},
        {"strict": 0, "aware": 0, "types": 4_646_231, "tokens": 421_736_387},
    ]
    own, other, total = table(classes, "whole pages", "strict")
    assert (total["types"], total["tokens"]) == (13_099_438, 4_117_611_602)
    assert [round(100 * row["types_share"], 2) for row in (own, other)] == [64.53, 35.47]


def split_by_script(words, language, rule="aware"):
    own = [word for word in words if getattr(classify(word, language), rule)]
    return own, [word for word in words if word not in own]


def test_one_joiner_digit_or_latin_letter_makes_a_word_foreign_by_the_strict_rule_alone():
    words = ["کتاب", "می\u200cخواہم", "سال2021", "book", "۱۲۳", "2021"]
    assert split_by_script(words, URDU, "strict") == (
        ["کتاب", "۱۲۳"],
        ["می\u200cخواہم", "سال2021", "book", "2021"],
    )
    assert split_by_script(words, URDU)[0] == ["کتاب", "می\u200cخواہم", "سال2021"]


def test_in_latin_letters_the_alphabet_of_the_language_decides():
    own, others = split_by_script(["kuća", "größe", "quiz", "đak"], CROATIAN, "strict")
    assert (own, others) == (["kuća", "đak"], ["größe", "quiz"])


def test_an_apostrophe_inside_a_word_does_not_make_it_foreign():
    assert classify("ng'ombe", Language.find("swa")).aware == 1


def test_combining_marks_belong_to_their_word():
    hindi = classify("हिन्दी", Language.find("hin"))
    assert (hindi.strict, hindi.aware, hindi.kind) == (1, 1, "")


def test_kinds_of_no_words():
    kinds = {
        word: classify(word, XHOSA).kind for word in ("abantu", "2021", "nbsp", "https", "mp3", "b2b", "вода")
    }
    assert kinds == {
        "abantu": "", "2021": "number", "nbsp": "markup", "https": "address", "mp3": "markup",
        "b2b": "letters_and_digits", "вода": "foreign_letters",
    }  # fmt: skip


def test_words_that_mix_scripts_are_told_and_japanese_is_not_one():
    assert mixed("сhоrus") and not mixed("食べる") and not mixed("chorus") and not mixed("カタカナ")


def test_whole_pages_have_words_that_target_paragraphs_have_not(engine, tmp_path):
    (found,) = measure(
        bench_of(tmp_path, engine, [Made(["یہ کتاب ہے 2021", ("this is a book", "eng")])], "urd")
    )
    rows = {(row["text"], row["rule"], row["tokens_are"]): row["tokens"] for row in found.rows.to_pylist()}
    assert rows["target paragraphs", "strict", "language"] == 3
    assert rows["target paragraphs", "letters", "other"] == 1
    assert rows["whole pages", "letters", "total"] == 8
    assert rows["whole pages", "letters", "language"] == 3
    assert found.svg()


def test_twice_the_corpus_has_the_same_shares(engine, tmp_path):
    pages = [Made(["یہ کتاب ہے 2021 book"])]
    (once,), (twice,) = (measure(bench_of(tmp_path / str(n), engine, pages * n, "urd")) for n in (1, 2))
    assert once.rows.column("tokens_share") == twice.rows.column("tokens_share")
    assert once.rows.column("types") == twice.rows.column("types")


def test_an_empty_corpus_has_no_shares_and_says_so(engine, tmp_path):
    (found,) = measure(bench_of(tmp_path, engine, [], "urd"))
    assert set(found.rows.column("tokens").to_pylist()) == {0}
    assert set(found.rows.column("tokens_share").to_pylist()) == {None}
    assert any("nothing to count" in warning for warning in found.warnings)


@pytest.mark.parametrize("tag", ["urd-Arab", "xho-Latn", "hrv-Latn", "jpn-Jpan", "hin-Deva", "kor-Kore"])
def test_words_together_have_the_classes_that_they_have_one_by_one(tag):
    pieces = [
        "کتاب",
        "می‌خواهم",
        "abantu",
        "čuđenje",
        "сhоrus",
        "カタカナ",
        "語",
        "हिन्दी",
        "한국",
        "2",
        "٣",
        "_",
        "'",
        "ß",
    ]
    chance = random.Random(3)
    words = [
        "http",
        "nbsp",
        "www",
        "㍿",
        "e\u0301",
        *("".join(chance.choices(pieces, k=n % 3 + 1)) for n in range(400)),
    ]
    counts = [(n, n % 3) for n in range(1, len(words) + 1)]
    batch = pa.RecordBatch.from_pydict(
        {"word": words, "tokens": [n for n, _ in counts], "target": [n for _, n in counts]}
    )
    expected = Counter()
    for word, (tokens, target) in zip(words, counts, strict=True):
        key = tuple(asdict(classify(word, Language.find(tag))).values())
        for name, number in (("types", 1), ("tokens", tokens), ("target", target > 0), ("of target", target)):
            expected[key, name] += number
    found = ClassifyWords(tag)(batch, lambda _row: None)["classes"]
    named = Counter()
    for *key, types, tokens, target, of_target in zip(*found.to_pydict().values(), strict=True):
        numbers = {"types": types, "tokens": tokens, "target": target, "of target": of_target}
        named.update({(tuple(key), name): number for name, number in numbers.items()})
    assert named == expected
    assert len({key for key, _ in named}) > 5
    assert ClassifyWords(tag)(batch.slice(0, 0), lambda _row: None)["classes"].num_rows == 0
