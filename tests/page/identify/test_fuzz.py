"""Whatever the text, every identifier answers: it neither raises nor hangs, and no byte is made up or lost."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpulyzer.page.identify.cld2 import Cld2
from corpulyzer.page.identify.ensemble import Ensemble
from corpulyzer.page.identify.fasttext import FastText
from corpulyzer.page.identify.guess import BestGuess
from corpulyzer.page.identify.installed import install
from corpulyzer.page.identify.markov import Markov
from corpulyzer.page.identify.training.train import train

NAMES = (
    *("cld2", "cld2 with a hint", "markov", "ensemble", "ensemble for a language of one's own"),
    *("best guess", "fasttext"),
)
PIECES = [
    *(
        "Dobar dan svima, kako ste danas i što ima novo?",
        "اردو زبان پاکستان کی قومی زبان ہے",
        "Molo unjani namhlanje",
    ),
    *(
        "\x00",
        "\x85",
        "\ufffe",
        "\udc80",
        "&amp;<p>",
        "\u200f\u202e",
        "e\u0301" * 30,
        "\u0301" * 50,
        "🏳️‍🌈",
        "—",
    ),
]
ODD = [
    "x" * 300_000,
    "\u0301" * 100_000,
    "a " * 200_000,
    "\x00" * 100_000,
    "\udc80" * 50_000,
    "ڭ" * 100_000,
    "漢" * 100_000,
]
paragraphs = st.lists(
    st.lists(st.text(st.characters(codec=None)) | st.sampled_from(PIECES), max_size=5).map(" ".join),
    max_size=6,
)


@pytest.fixture(scope="module")
def identifier(prose, invented, tmp_path_factory):
    """A function from a name to the identifier."""
    folder = tmp_path_factory.mktemp("models")
    own = str(install(train("qaa", invented(150)).table, folder))
    known = dict(
        zip(
            NAMES,
            (Cld2(), Cld2("urd"), Markov(), Ensemble(), Ensemble("qaa", (own,)), BestGuess()),
            strict=False,
        )
    )

    def get(name):
        return known.get(name) or _fasttext(folder, prose)

    return get


def _fasttext(folder, prose):
    fasttext = pytest.importorskip("fasttext", reason="the fastText library is not installed")
    lines = [f"__label__{code} {text}" for code in ("hrv", "urd") for text in prose(code, 20)]
    (folder / "lines.txt").write_text("\n".join(lines), "utf-8")
    # Fewer than eleven threads leave a part of the matrix at whatever the memory held.
    model = fasttext.train_supervised(
        str(folder / "lines.txt"), dim=8, minn=2, maxn=3, bucket=2000, thread=11, verbose=0
    )
    model.save_model(str(folder / "model.bin"))
    return FastText(str(folder / "model.bin"))


def check(known, texts):
    found = known(texts)
    assert len(found) == len(texts)
    for text, each in zip(texts, found, strict=True):
        assert sum(each.languages.values()) == len(text.encode("utf-8", "surrogatepass"))
        assert all(size > 0 for size in each.languages.values())
        assert 0 <= each.confidence <= 1
        assert each.language == "und" or each.language in each.languages


@pytest.mark.parametrize("name", NAMES)
def test_no_text_raises_and_bytes_add_up(identifier, name):
    known = identifier(name)

    @given(paragraphs)
    def holds(texts):
        check(known, texts)

    holds()


@pytest.mark.parametrize("name", NAMES)
def test_nothing_hangs_on_what_is_huge_and_odd(identifier, name):
    known = identifier(name)
    begin = time.process_time()
    check(known, ODD)
    assert time.process_time() - begin < 60
