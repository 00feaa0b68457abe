"""Nigerian Pidgin in a set: its pages are found, and English ones keep every answer."""

from corpulyzer.corpus.settings.config import merge
from corpulyzer.page.identifier import identifier_for
from corpulyzer.page.identify.ensemble import Ensemble
from corpulyzer.page.pidgin import OrPidgin
from corpulyzer.page.pipeline import fingerprints

PIDGIN = [
    "Di goment don tok say dem go build new road for di village before di year go end.",
    "Di pikin dem no gree go school because rain dey fall well well since morning.",
]
ENGLISH = [
    "The government has announced that a new road to the village will be built before the year ends.",
    "The children would not go to school because it had been raining heavily since the morning.",
    "Farmers in the region expect a better harvest than in the previous year.",
]


def identifier(*codes):
    settings, _ = merge("", "settings", {"corpus.languages": list(codes)}, {})
    return identifier_for(settings), settings


def test_a_page_of_pidgin_is_found_where_the_set_names_it():
    found, _ = identifier("eng", "pcm")
    assert isinstance(found, OrPidgin) and "pcm" in found.languages
    assert [each.language for each in found(PIDGIN)] == ["pcm", "pcm"]


def test_an_english_page_keeps_its_answers_whatever_it_quotes():
    found, _ = identifier("eng", "pcm")
    page = [*ENGLISH, PIDGIN[0], "یہ اردو کا ایک جملہ ہے جو انگریزی صفحے پر ہے۔"]
    assert found(page) == Ensemble()(page)
    assert found([]) == []


def test_a_set_without_it_is_as_it_was():
    without, settings = identifier("eng", "xho")
    assert isinstance(without, Ensemble)
    _, others = identifier("eng", "pcm")
    assert fingerprints(settings)["identify"] != fingerprints(others)["identify"]
