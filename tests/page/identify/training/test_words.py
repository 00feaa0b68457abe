"""Common words that tell look-alikes apart, and Chinese by how it is written."""

import math

from corpulyzer.page.identify.training.learn import UNITS_PER_NAT
from corpulyzer.page.identify.training.samples import Sample, orthographies
from corpulyzer.page.identify.training.words import NO_WORDS, common_words, telling_words

WORDS = {
    "ind": {"yang": 0.03, "bisa": 0.009, "boleh": 0.0003, "karena": 2e-5, "e": 0.01, "rock'n": 0.01},
    "msa": {"yang": 0.02, "bisa": 5e-5, "boleh": 0.01, "karena": 4e-6, "awak": 1e-5},
}
SIDES = (("ind-Latn",), ("msa-Latn",))
LABELS = ("jav-Latn", "ind-Latn", "msa-Latn")


def test_a_word_that_one_side_has_counts_by_how_much_likelier_it_is():
    found = telling_words(SIDES, LABELS, WORDS)
    assert set(found) == {"bisa", "boleh", "karena", "awak"}, "neither shared words, nor letters, nor parts"
    assert found["bisa"] == [0, round(4 * UNITS_PER_NAT), 0], "at most four nats"
    nats = math.log((2e-5 + 5e-7) / (4e-6 + 5e-7))
    assert found["karena"] == [0, round(nats * UNITS_PER_NAT), 0]
    assert found["awak"][1] == 0 < found["awak"][2]


def test_labels_of_one_side_share_its_words():
    found = telling_words((("ind-Latn", "jav-Latn"), ("msa-Latn",)), LABELS, WORDS)
    assert found["bisa"] == [48, 48, 0]


def test_without_words_of_every_side_none_tells():
    assert telling_words(SIDES, LABELS, NO_WORDS) == telling_words(SIDES, LABELS, {"ind": WORDS["ind"]}) == {}


def test_a_word_that_is_far_commoner_elsewhere_is_no_word_of_ones_own():
    own = common_words(WORDS)
    assert "bisa" in own["ind"] and "bisa" not in own["msa"] and "yang" in own["msa"]


def test_chinese_is_parted_by_its_characters_and_what_is_misfiled_left_out():
    files = {
        "simplified": ("zho", "这是我们的国家", "Hans"),
        "traditional": ("zho", "這是我們的國家", "Hant"),
        "spoken": ("yue", "呢個係我哋嘅屋企", "Hant"),
        "formal, filed as Cantonese": ("yue", "這是我們的國家", None),
        "spoken, filed as Chinese": ("zho", "呢個係我哋嘅屋企", None),
    }
    samples = [Sample(code, "Hani", name, (line,)) for name, (code, line, _) in files.items()]
    found = {sample.source: sample.script for sample in orthographies(samples)}
    assert found == {name: script for name, (_, _, script) in files.items() if script}
