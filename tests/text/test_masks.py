"""Traces of people: what is found is masked, nothing else is, and places stay true."""

from random import Random

from corpulyzer.text.masks import TOKENS, masked
from corpulyzer.text.traces import KINDS, Traces, find_traces, traces

PIECES = (
    *(
        "ime@primjer.hr",
        "+385 1 234-5678",
        "091/234-5678",
        "192.168.0.1",
        "4111 1111 1111 1111",
        "0",
        "1.",
        "2-",
    ),
    *(
        "2001:0db8:85a3:0000:0000:8a2e:0370:7334",
        "۰۹۱ ۲۳۴ ۵۶۷۸",
        " ",
        ", ",
        "\n",
        "riječ",
        "@",
        "12.05.2021.",
    ),
)


def made(seed):
    random = Random(seed)
    return "".join(random.choice(PIECES) for _ in range(random.randrange(40)))


def test_a_masked_text_counts_none_however_traces_touch():
    for seed in range(300):
        none_is_left(masked(made(seed), KINDS))


def none_is_left(found):
    assert traces(found.text) == Traces()
    assert sum(found.counts.values()) == len(found.tokens)
    assert [found.text[start:end] in TOKENS.values() for start, end in found.tokens] == [True] * len(
        found.tokens
    )


def test_what_is_no_trace_keeps_its_characters_and_its_place():
    for seed in range(100):
        places_are_true(made(seed))


def places_are_true(text):
    found = masked(text, KINDS, range(len(text) + 1))
    taken = [any(start <= place < end for start, end in found.tokens) for place in range(len(found.text))]
    rest = "".join(character for character, inside in zip(found.text, taken, strict=True) if not inside)
    kept = [place for place, new in enumerate(found.places[:-1]) if found.places[place + 1] == new + 1]
    same = [
        place
        for place in kept
        if text[place] == found.text[found.places[place]] and not taken[found.places[place]]
    ]
    assert "".join(text[place] for place in same) == rest
    assert found.places[-1] == len(found.text)


def test_only_what_is_asked_for_is_masked():
    text = "a@b.hr, +385 1 234 5678, 4111 1111 1111 1111, 192.168.0.1"
    for kind, token in TOKENS.items():
        found = masked(text, [kind])
        assert found.counts == {kind: 1} and found.text.count(token) == 1
        assert len(list(find_traces(found.text))) == 3
    assert masked(text, ()).text == text


def test_a_long_number_that_is_no_card_stays():
    assert masked("4111 1111 1111 1112", KINDS).counts == {}
