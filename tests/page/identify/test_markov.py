"""Markov chains with a function-word filter (HR-8)."""

import math

import pytest

from corpulyzer.lab.demo.prose import LANGUAGES
from corpulyzer.page.identify.markov import Markov, has_function_words
from corpulyzer.page.identify.table import load
from corpulyzer.page.identify.training.chain import CODES, chain_of

EUROPEAN = set(
    "bul ces dan deu ell eng est fin fra gle hrv hun ita lav lit mlt nld pol por ron slk slv".split()
)
FAMILIES = {"hrv", "slv", "bos", "srp", "mkd", "xho", "zul", "ssw", "nbl", "urd", "fas", "pnb", "eng"}


def test_it_knows_22_european_languages_and_the_families_of_the_targets_hr_8():
    known = Markov().languages
    assert len(EUROPEAN) == 22 and known >= EUROPEAN | FAMILIES
    assert known == set(CODES)


@pytest.mark.parametrize("code", LANGUAGES)
def test_prose_of_our_own_keeps_its_language(prose, code):
    found = [each.language for each in Markov()(prose(code, 8))]
    wanted = {"fas", "prs"} if code == "fas" else {code}
    assert sum(language in wanted for language in found) >= 6, found


def test_a_step_is_as_likely_as_it_was_frequent():
    steps = chain_of(["ab ab ab ac"])
    assert math.exp(steps[" ab"]) > math.exp(steps[" ac"])
    after = [math.exp(value) for step, value in steps.items() if step.startswith(" a")]
    assert sum(after) == pytest.approx(1)
    assert not any(step[1] == " " for step in steps), "no step goes over the border of a word"


def test_without_its_function_words_a_text_is_none(prose):
    (text,) = prose("eng", 1, 6)
    table = load(corpulyzer_models() / "markov.table")
    common = dict(table.notes["function_words"])["eng-Latn"][0].split()
    bare = " ".join(word for word in text.lower().split() if word not in common)
    assert has_function_words(text, "eng", table)
    assert not has_function_words(bare, "eng", table)
    assert Markov()([bare])[0].language == "und"


def test_what_is_no_language_of_its_own_is_none(invented):
    assert Markov()([" ".join(invented(8)), "", "123 456", "\ud800"])[0].language == "und"
    assert [each.language for each in Markov()(["", "123 456", "\ud800"])] == ["und"] * 3


def corpulyzer_models():
    from corpulyzer.page.identify.ensemble import MODELS

    return MODELS
