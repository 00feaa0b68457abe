"""What one document's text is like, in whole numbers: length, variety, noise, traces of people.

Shares and scores are integers in thousandths or millionths, so that both engines sum and group them alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import regex

from corpulyzer.measure.text.variety import Variety
from corpulyzer.native.scan import marked
from corpulyzer.page.filter.quality import broken_characters
from corpulyzer.text.census import census
from corpulyzer.text.marks import marks_of

MILLE = 1000
MIN_LONG_SEGMENT = 100
MAX_SHORT_SEGMENT = 25
_URL = regex.compile(r"(?:https?://|www\.)\S++", regex.I)
_DIGITS = r"\p{Nd}"
_ODD = r"[\p{So}\p{Sk}\p{Sm}\p{Co}\p{Cn}\ufffd]"


@dataclass(frozen=True, slots=True)
class TextFacts:
    """The facts of a kept document's target text; `…_mille` is in thousandths.

    `key` is the document's place in the seeded shuffle. `language_mille` is the target's share of the
    page's characters. A document of one sentence has no overlap, and one of few words no MTLD: -1.
    """

    id: int
    site: str
    key: int
    characters: int
    words: int
    types: int
    sentences: int
    words_per_sentence_mille: int
    characters_per_word_mille: int
    mtld_mille: int
    entropy_mille: int
    overlap_mille: int
    language_mille: int
    long_segments_mille: int
    longest_segment: int
    short_segments_mille: int
    urls_mille: int
    numbers_mille: int
    punctuation_mille: int
    odd_mille: int
    repetition_mille: int
    compression_mille: int
    broken: int
    emails: int
    phones: int
    addresses: int
    cards: int


def text_facts(text: str, other: str, said: Variety) -> dict[str, int]:
    """The facts of a text with its words, from a page whose text in other languages is `other`."""
    sentences = len(said.lengths)
    return {
        "words": said.words,
        "types": said.types,
        "sentences": sentences,
        "words_per_sentence_mille": mille(said.words, sentences),
        "characters_per_word_mille": mille(said.letters, said.words),
        "mtld_mille": _mille_or_none(said.mtld),
        "entropy_mille": round(said.entropy * MILLE),
        "overlap_mille": _mille_or_none(said.overlap),
        "language_mille": mille(len(text), len(text) + len(other)),
        "repetition_mille": mille(said.repeated, said.runs),
        **_segments(text.split("\n")),
        **_noise(text),
    }


def mille(part: int, whole: int) -> int:
    """A share in thousandths, rounded to the nearest; 0 of nothing.

    >>> mille(1, 3), mille(0, 0)
    (333, 0)
    """
    return (2 * MILLE * part + whole) // (2 * whole) if whole else 0


def _mille_or_none(value: float | None) -> int:
    return -1 if value is None else round(value * MILLE)


def _segments(segments: Sequence[str]) -> dict[str, int]:
    sizes = [len(segment) for segment in segments if segment]
    short = sum(1 for size in sizes if size <= MAX_SHORT_SEGMENT)
    long = sum(size for size in sizes if size >= MIN_LONG_SEGMENT)
    return {
        "long_segments_mille": mille(long, sum(sizes)),
        "longest_segment": max(sizes, default=0),
        "short_segments_mille": mille(short, len(sizes)),
    }


def _noise(text: str) -> dict[str, int]:
    import zlib

    counted, raw = census(text), text.encode("utf-8", "surrogatepass")
    urls = sum(map(len, _URL.findall(text))) if "://" in text or "www." in text.lower() else 0
    return {
        "characters": counted.visible,
        "urls_mille": mille(urls, counted.visible),
        "numbers_mille": mille(_number_of(_DIGITS, text), counted.visible),
        "punctuation_mille": mille(counted.punctuation, counted.visible),
        "odd_mille": mille(_number_of(_ODD, text), counted.visible),
        "compression_mille": mille(len(zlib.compress(raw, 6)), len(raw)),
        "broken": broken_characters(text),
    }


def _number_of(characters: str, text: str) -> int:
    """How many characters of a class a text has."""
    return len(regex.findall(characters, text) if marked is None else marked(text, marks_of(characters)))


def prepare() -> None:
    """Make the tables of characters, before workers are forked that share them."""
    for characters in (_DIGITS, _ODD) if marked is not None else ():
        marks_of(characters)
