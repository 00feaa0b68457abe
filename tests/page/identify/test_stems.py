"""Words that tell look-alikes apart: the lists, and what their entries are worth."""

import pytest
import regex

from corpulyzer.page.identify.ngrams import MAX_TOKEN
from corpulyzer.page.identify.stems import read_stems
from corpulyzer.page.identify.training.chain import CODES
from corpulyzer.page.identify.training.learn import UNITS_PER_NAT
from corpulyzer.page.identify.training.recipe import MODELS, PLANS

LISTS = sorted((MODELS / "stems").glob("*.txt"))
LABELS = ("hrv-Latn", "srp-Latn", "srp-Cyrl")
FUNCTION_WORDS = "function-words"


def test_an_entry_is_worth_what_its_line_says(tmp_path):
    file = tmp_path / "a.txt"
    file.write_text("# of two\nhrv: tko tjed*\nsrp-Latn .5: da\nhrv srp 2: da sa\n", "utf-8")
    found = {
        word: [each / UNITS_PER_NAT for each in own] for word, own in read_stems(file, LABELS, 5.0).items()
    }
    assert found == {"tko": [5, 0, 0], "tjed*": [5, 0, 0], "da": [2, 2, 2], "sa": [2, 2, 2]}


@pytest.mark.parametrize("file", LISTS, ids=lambda file: file.stem)
def test_every_entry_can_be_met_in_a_text_and_tells_something(file):
    plans = {plan.name: plan.labels for plan in PLANS} | {FUNCTION_WORDS: tuple(CODES)}
    entries = read_stems(file, plans[file.stem], 5.0)
    assert len(entries) > (100 if file.stem in (FUNCTION_WORDS, "rwanda-rundi") else 200)
    for entry, weights in entries.items():
        word = entry.removesuffix("*")
        assert regex.fullmatch(r"[\p{L}\p{M}]+", word) and word == word.lower() and len(word) <= MAX_TOKEN
        assert len(set(weights)) > 1, f"{entry} is worth the same to all, or nobody's"
