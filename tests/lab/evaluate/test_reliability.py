"""Reliability and short texts to measure on."""

import pytest

from corpulyzer.lab.evaluate.reliability import Reliability
from corpulyzer.lab.evaluate.short_texts import short_texts
from corpulyzer.page.identify.training.crops import to_learn, to_measure, to_tune
from corpulyzer.page.identify.training.samples import Sample

LINES = tuple(f"redak {number} ima nekoliko sasvim običnih riječi za mjerenje" for number in range(40))


def test_answers_that_keep_their_word_have_no_error():
    answers = [(0.9, number < 9) for number in range(10)] + [(0.5, number < 5) for number in range(10)]
    found = Reliability.of(answers)
    assert found.expected_error == pytest.approx(0.0)
    assert [each.answers for each in found.bins] == [10, 10]


def test_answers_that_boast_are_counted_by_how_many_they_are():
    found = Reliability.of([(1.0, False)] * 1 + [(0.25, True)] * 3)
    assert found.expected_error == pytest.approx((1 * 1.0 + 3 * 0.75) / 4)
    assert Reliability.of([]).expected_error == 0.0
    assert found.to_json()["bins"][-1] == {"answers": 1, "confidence": 1.0, "right": 0.0}


@pytest.mark.parametrize("level, words", [("word", (1, 1)), ("pair", (2, 2)), ("headline", (4, 8))])
def test_words_that_stand_together_are_drawn(level, words):
    texts = list(short_texts(Sample("hrv", "Latn", "some", LINES), level))
    assert len(texts) == len(LINES) and all(words[0] <= len(text.split()) <= words[1] for text in texts)
    plain = [" ".join(word for word in line.split() if not word.isdigit()) for line in LINES]
    assert all(text in line for text, line in zip(texts, plain, strict=True))
    assert texts == list(short_texts(Sample("hrv", "Latn", "some", LINES), level))


def test_cuts_have_fifteen_characters_and_mixed_texts_twenty_to_five_hundred():
    long = tuple(" ".join(LINES[number : number + 9]) for number in range(30))
    cuts = list(short_texts(Sample("hrv", "Latn", "some", LINES), "cut"))
    assert cuts and all(13 <= len(text) <= 15 for text in cuts)
    sizes = [len(text) for text in short_texts(Sample("hrv", "Latn", "some", long), "mixed")]
    assert min(sizes) >= 20 and max(sizes) <= 500 and max(sizes) > 200 and min(sizes) < 60


def test_scripts_without_spaces_are_cut_by_characters():
    sample = Sample("jpn", "Jpan", "some", ("これは日本語の文章です。とても短いです。",) * 5)
    assert all(4 <= len(text) <= 8 for text in short_texts(sample, "pair"))


def test_no_line_is_learned_and_measured():
    lines = [*LINES, LINES[0], LINES[1]]
    parts = [set(to_learn(lines)), set(to_tune(lines)), set(to_measure(lines))]
    assert all(parts) and not parts[0] & parts[1] and not parts[0] & parts[2] and not parts[1] & parts[2]
    assert set().union(*parts) <= set(lines)
