"""Thresholds learned from a language's own documents."""

from random import Random

import numpy as np

from corpulyzer.measure.pages.learned_thresholds import (
    MAX_PUNCTUATION,
    MAX_REPETITION,
    MIN_BYTES,
    MIN_PROSE,
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


def varied(code, number, seed):
    """Documents of lines, some of which end as sentences do, and some of which are said again."""
    random = Random(seed)
    for each in range(number):
        lines = [" ".join(random.choice("abcdefgh") * 3 for _ in range(8)) for _ in range(10)]
        ends = random.randint(0, 10)
        again = random.randint(0, 3) if random.random() < 0.1 else 0
        text = "\n".join([f"{line}۔" if n < ends else line for n, line in enumerate(lines + lines[:again])])
        yield each, code, len(text.encode()), text


def test_repetition_and_prose_stand_where_the_documents_of_a_language_stand():
    found = list(varied("urd", 300, 5))
    (it,) = learned_thresholds(found)
    said, prose = [], []
    for *_, text in found:
        words = text.replace("۔", "").split()
        runs = [tuple(words[n : n + 5]) for n in range(len(words) - 4)]
        said.append(1 - len(set(runs)) / len(runs))
        lines = text.split("\n")
        prose.append(sum(len(x) for x in lines if x.endswith("۔")) / sum(map(len, lines)))
    most = np.quantile(said, 0.99, method="inverted_cdf")
    assert 0.1 < most < 0.5 and it.values[MAX_REPETITION] == round(most, 3)
    least = np.quantile(prose, 0.05, method="inverted_cdf")
    assert it.values[MIN_PROSE] == int(1000 * min(0.5, least)) / 1000
    assert it.would_drop["repetition"] == sum(each > it.values[MAX_REPETITION] for each in said)
    assert it.would_drop["prose"] == sum(each < it.values[MIN_PROSE] for each in prose)
    (less,) = learned_thresholds(found, filters=("length",))
    assert MAX_REPETITION not in less.values and MIN_PROSE not in less.values
