"""Thresholds learned from a language's own documents."""

from random import Random

import numpy as np

from corpulyzer.measure.pages.learned_thresholds import (
    MAX_PUNCTUATION,
    MIN_BYTES,
    MIN_WORDS,
    learned_thresholds,
)


def documents(code, number, words, seed=1):
    random = Random(seed)
    for each in range(number):
        text = " ".join("riječ" for _ in range(random.randint(1, words))) + "!" * random.randint(0, 40)
        yield each, code, len(text.encode()), text


def test_each_language_gets_thresholds_from_where_its_documents_stand():
    found = [*documents("hrv", 400, 300), *documents("xho", 400, 80), *documents("slv", 99, 50)]
    Random(3).shuffle(found)
    learned = {each.language: each for each in learned_thresholds(found)}
    assert learned.keys() == {"hrv", "xho"}, "a language with fewer than a hundred documents has none"
    for code, it in learned.items():
        own = [(size, text) for _, language, size, text in found if language == code]
        sizes = np.array([size for size, _ in own])
        words = [len(text.split()) for _, text in own]
        kept = [t for t in (32, 64, 128, 256, 512) if sizes[sizes >= t].sum() >= 0.95 * sizes.sum()]
        assert it.values[MIN_BYTES] == max(kept)
        fifth = np.quantile(words, 0.05, method="inverted_cdf")
        assert it.values[MIN_WORDS] == max(10, fifth)
        marks = [text.count("!") / len(text.replace(" ", "")) for _, text in own]
        most = np.quantile(marks, 0.99, method="inverted_cdf")
        assert it.values[MAX_PUNCTUATION] == round(min(0.5, max(0.1, most)), 3)
        assert it.would_drop["length"] == sum(each < it.values[MIN_WORDS] for each in words)
        assert it.would_drop["content_size"] == (sizes < it.values[MIN_BYTES]).sum()


def test_the_order_of_documents_makes_no_difference_however_many_there_are():
    found = list(documents("hrv", 2500, 200))
    backwards = learned_thresholds(reversed(found))
    assert learned_thresholds(found) == backwards
    assert backwards[0].documents == 2500
