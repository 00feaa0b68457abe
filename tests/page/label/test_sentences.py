"""Sentences counted one by one (XH-3)."""

from dataclasses import dataclass

import pytest

from corpulyzer.page.identify.cld2 import Cld2
from corpulyzer.page.label.sentences import CountSentences
from corpulyzer.records import Page


@dataclass
class Told:
    language: str
    confidence: float


def told(pieces):
    """`xho` for what begins with X, as sure as the number after it says; `eng` for all else."""
    (piece,) = pieces
    return [Told("xho", float(piece[1:4])) if piece.startswith("X") else Told("eng", 1.0)]


def counts(text, identify=told, **settings):
    page = CountSentences(**settings)(Page("https://a.za/", text=text), target="xho", identify=identify)
    return page.scores["target_sentences"], page.scores["sentences"]


@pytest.mark.parametrize("confidence, found", [("0.49", 0), ("0.50", 1), ("0.90", 1)])
def test_a_sentence_counts_from_a_confidence_of_one_half_xh_3(confidence, found):
    assert counts(f"X{confidence} abc") == (found, 1)


def test_long_sentences_are_looked_at_in_pieces_of_300_characters_xh_3():
    words = "X0.9 " * 100
    assert counts(words.strip()) == (2, 2), "500 characters"
    assert counts(words.strip(), max_characters=100) == (5, 5)


def test_every_sentence_of_every_paragraph_is_counted_xh_3():
    assert counts("X0.9 abc. Another one. X0.9 def!\nA third") == (2, 4)


def test_lines_without_a_full_stop_are_one_sentence_with_what_follows_xh_3():
    """Fifteen menu links and five sentences: by line 5 of 20 would be the target, joined it is 4 of 5."""
    menu = "\n".join(f"Item {number}" for number in range(15))
    assert counts(f"{menu}\n" + "\n".join(["X0.9 abc."] * 5)) == (4, 5)
    assert counts("Home\nNews\nContact") == (0, 1)


def test_a_page_without_text_has_no_sentences():
    assert counts("") == (0, 0)


def test_scores_from_before_stay():
    page = Page("https://a.za/", text="X0.9", scores={"other_bytes": 3.0})
    assert CountSentences()(page, target="xho", identify=told).scores == {
        "other_bytes": 3.0, "sentences": 1.0, "target_sentences": 1.0
    }  # fmt: skip


def test_a_real_identifier_tells_isixhosa_from_english():
    text = (
        "Abantwana besikolo bafunda iincwadi ezininzi kwithala leencwadi ledolophu yabo.\n"
        "The children of the school read many books in the library of their town."
    )
    assert counts(text, Cld2()) == (1, 2)
