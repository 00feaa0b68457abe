"""Main language, index rows, and paragraphs of other languages."""

import pytest

from corpulyzer.page.filter.language import MainLanguage, leading_language, listed
from corpulyzer.page.filter.paragraphs import TargetOnly, without
from corpulyzer.records import KEEP, Page, Paragraph
from corpulyzer.records.targets import targets

URL = "https://a.hr/"


def page(*paragraphs):
    """A page of (text, language, confidence) paragraphs, each wholly in its language, with target hrv."""
    text = "\n".join(words for words, _, _ in paragraphs)
    spans, start, languages = [], 0, {}
    for words, language, confidence in paragraphs:
        size = len(words.encode())
        spans.append(Paragraph(start, start + len(words), "p", language, confidence, {language: size}))
        languages[language] = languages.get(language, 0) + size
        start += len(words) + 1
    return Page(
        URL, text=text, paragraphs=tuple(spans), languages=languages, target_bytes=languages.get("hrv", 0)
    )


@pytest.mark.parametrize(
    "languages, any_rank, first, only",
    [
        (["urd"], True, True, True),
        (["urd", "eng"], True, True, False),
        (["eng", "urd"], True, False, False),
        (["eng", "ara", "urd"], True, False, False),
        (["eng", "fas"], False, False, False),
        ([], False, False, False),
    ],
)
def test_an_index_row_is_taken_that_lists_the_target_at_any_rank_cz_3(languages, any_rank, first, only):
    assert listed("urd", languages) is any_rank
    assert listed("urd", languages, "first") is first
    assert listed("urd", languages, "only") is only


def test_a_page_is_in_the_language_that_most_of_its_bytes_are_in():
    assert MainLanguage()(page(("a" * 60, "hrv", 1.0), ("b" * 40, "eng", 1.0))) == KEEP
    verdict = MainLanguage()(page(("a" * 40, "hrv", 1.0), ("b" * 60, "eng", 1.0)))
    assert (verdict.reason, verdict.detail, verdict.facts) == ("main_language", "eng", {"target_bytes": 40})


def test_a_page_in_no_known_language_is_dropped():
    assert MainLanguage()(page(("a" * 60, "und", 0.0))).detail == "und"
    assert MainLanguage()(Page(URL)).detail == "und"


@pytest.mark.parametrize("confidence, kept", [(0.79, False), (0.8, False), (0.81, True)])
def test_a_language_told_with_080_or_less_is_unknown_c4_21(confidence, kept):
    verdict = MainLanguage(min_confidence=0.8)(page(("a" * 100, "hrv", confidence)))
    assert verdict.kept is kept
    assert verdict.detail == ("" if kept else "unk")


@pytest.mark.parametrize("others, kept", [(19, True), (20, False)])
def test_text_in_another_language_lowers_the_confidence_c4_21(others, kept):
    verdict = MainLanguage(min_confidence=0.8)(
        page(("a" * (100 - others), "hrv", 1.0), ("b" * others, "eng", 1.0))
    )
    assert verdict.kept is kept


def test_ties_go_to_the_code_that_sorts_first():
    assert leading_language({"urd": 10, "eng": 10, "und": 50}) == "eng"


def test_paragraphs_in_other_languages_are_taken_out_hr_8():
    mixed = page(
        ("Dobar dan svima", "hrv", 1.0),
        ("Good morning", "eng", 1.0),
        ("Laku noć", "hrv", 1.0),
        ("12.5.", "und", 0.0),
    )
    left = TargetOnly(targets("hrv"))(mixed)
    assert left.text == "Dobar dan svima\nLaku noć"
    assert [left.text[p.start : p.end] for p in left.paragraphs] == ["Dobar dan svima", "Laku noć"]
    assert left.languages == {"hrv": 15 + 9} and left.target_bytes == 24 and left.target_characters == 23
    assert left.scores == {"other_paragraphs": 2.0, "other_bytes": 17.0}
    assert left.labels["language_before"] == "hrv"


def test_a_page_without_a_paragraph_of_the_target_says_what_it_was_in():
    left = TargetOnly(targets("hrv"))(page(("Good morning", "eng", 1.0)))
    assert left.text == "" and MainLanguage()(left).detail == "eng"


def test_a_page_in_the_target_alone_stays_as_it_is():
    whole = page(("Dobar dan", "hrv", 1.0))
    assert TargetOnly(targets("hrv"))(whole) is whole
    assert without(whole, [], targets("hrv")).text == whole.text
