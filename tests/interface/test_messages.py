"""Messages that Python has put together are said in the language that a reader has chosen."""

import pytest

from corpulyzer.interface.catalogue import speaking
from corpulyzer.interface.messages import END_OF_ISOLATE, ISOLATE, filled, said, side


@pytest.mark.parametrize(
    "message, other",
    [
        ("There is no report yet.", "Es gibt noch keinen Bericht."),
        ("There is no subcorpus 'x'.", "Es gibt kein Teilkorpus 'x'."),
        (
            "There is no subcorpus 'x'. See the list of subcorpora.",
            "Es gibt kein Teilkorpus 'x'. Siehe die Liste der Teilkorpora.",
        ),
        (
            "Write a mail or web address, or make the corpus without starting.",
            "Eine Mail- oder Webadresse schreiben, oder das Korpus machen, ohne zu starten.",
        ),
        ("Nobody has said this before.", "Nobody has said this before."),
    ],
)
def test_a_message_is_said_as_its_sentence_is_translated(message, other):
    assert said(message) == message, "in English nothing changes"
    with speaking("de"):
        assert said(message) == other


def test_values_are_read_from_left_to_right_within_urdu():
    with speaking("ur"):
        told = said("fetched 2026-01-31 10:00:00 UTC: ok")
        assert f"{ISOLATE}2026-01-31 10:00:00 UTC: ok{END_OF_ISOLATE}" in told
        assert side("There is no report yet.") == "rtl" and side("Something else.") == "auto"


def test_a_word_of_the_corpus_is_not_translated():
    with speaking("de"):
        assert said("Clusters of news") == "Wortgruppen mit news"


def test_a_value_that_a_text_does_not_have_stays():
    assert filled("%(a)s and %(b)s", {"a": "1"}) == "1 and %(b)s"
