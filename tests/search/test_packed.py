"""A text is put together again letter by letter, of its words and what is stored beside them."""

import random

import pytest

from corpulyzer.language import Language
from corpulyzer.search.packed import packed_rest, packed_spans, spans_of, text_of
from corpulyzer.search.units import units_of

PIECES = (
    *(
        "abantu",
        "Abantu",
        "ABANTU",
        "aBantu",
        "ng'ombe",
        "Straße",
        "İstanbul",
        "ǅ",
        "ﬁn",
        "日本語",
        "ไทย",
        "ہے",
    ),
    *(
        " ",
        "  ",
        "\n",
        "\n\n",
        ", ",
        ".",
        "…",
        "\t",
        "-",
        "\u200c",
        "\xa0",
        "\0",
        "\1",
        "\2x\3",
        "\4",
        "\udc80",
        "😀",
        "",
    ),
)


@pytest.mark.parametrize("code", ["xho", "tur", "tha"])
def test_random_texts_come_back(code):
    language, chance = Language.find(code), random.Random(3)
    for turn in range(600):
        # Few texts have characters that serve as marks; each other one is stored in the short form.
        pieces = [piece for piece in PIECES if turn % 3 == 0 or not set(piece) & set("\0\1\2\3\4")]
        text = "".join(chance.choices(pieces, k=chance.randint(0, 25)))
        units = units_of(text, language)
        assert text_of(packed_rest(text, units), units.words, language) == (text, units.spans), repr(text)


def test_plain_prose_takes_little_beside_its_words():
    text = "Abantu base Afrika bathi abantu base. " * 40
    assert len(packed_rest(text, units_of(text))) < len(text) / 20


def test_places_of_tokens_come_back_whatever_their_order():
    for spans in ([(0, 1)], [(0, 3), (3, 4), (5, 900_000)], [(4, 9), (4, 6), (6, 9), (2, 3)]):
        assert spans_of(packed_spans(spans)) == spans
    assert packed_spans([]) is None
