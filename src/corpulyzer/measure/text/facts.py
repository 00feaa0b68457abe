"""What one document's text is like, in whole numbers: length, variety, noise, traces of people.

Shares and scores are integers in thousandths or millionths, so that both engines sum and group them alike.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import regex

from corpulyzer.measure.text.passage import Passage
from corpulyzer.page.filter.prose import repeated_runs
from corpulyzer.page.filter.quality import broken_characters
from corpulyzer.text.census import census

MILLE = 1000
# McCarthy and Jarvis (2010): a factor ends where types per token fall to this.
MTLD_FLOOR = 0.72
MIN_LONG_SEGMENT = 100
MAX_SHORT_SEGMENT = 25
_URL = regex.compile(r"(?:https?://|www\.)\S++", regex.I)
_DIGITS = regex.compile(r"\p{Nd}++")
_ODD = regex.compile(r"[\p{So}\p{Sk}\p{Sm}\p{Co}\p{Cn}\ufffd]")


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


def text_facts(cut: Passage, other: str) -> dict[str, int]:
    """The facts of a passage, from a page whose text in other languages is `other`."""
    words = cut.all_words
    counted = Counter(words)
    return {
        "words": len(words),
        "types": len(counted),
        "sentences": len(cut.sentences),
        "words_per_sentence_mille": mille(len(words), len(cut.sentences)),
        "characters_per_word_mille": mille(sum(map(len, words)), len(words)),
        "mtld_mille": _mille_or_none(mtld(words)),
        "entropy_mille": round(entropy(counted) * MILLE),
        "overlap_mille": _mille_or_none(overlap(cut.words)),
        "language_mille": mille(len(cut.text), len(cut.text) + len(other)),
        **_segments(cut.text.split("\n")),
        **_noise(cut.text, words),
    }


def mille(part: int, whole: int) -> int:
    """A share in thousandths, rounded to the nearest; 0 of nothing.

    >>> mille(1, 3), mille(0, 0)
    (333, 0)
    """
    return (2 * MILLE * part + whole) // (2 * whole) if whole else 0


def _mille_or_none(value: float | None) -> int:
    return -1 if value is None else round(value * MILLE)


def mtld(words: Sequence[str]) -> float | None:
    """The mean length of runs of words that keep their variety (McCarthy, Jarvis 2010); None if no run ends.

    Unlike types per token it does not fall with the length of a text.
    """
    forward, backward = _factors(words), _factors(words[::-1])
    if not forward or not backward:
        return None
    return (len(words) / forward + len(words) / backward) / 2


def _factors(words: Sequence[str]) -> float:
    """How often types per token fall to the floor; an unfinished last run counts as a fraction."""
    seen: set[str] = set()
    count, factors = 0, 0
    for word in words:
        count += 1
        seen.add(word)
        if len(seen) <= MTLD_FLOOR * count:
            factors += 1
            count = 0
            seen.clear()
    return factors + (1 - len(seen) / count) / (1 - MTLD_FLOOR) if count else float(factors)


def entropy(counted: Counter[str]) -> float:
    """Shannon's entropy of the words in bits a word.

    >>> entropy(Counter("aabb")), entropy(Counter())
    (1.0, 0.0)
    """
    total = counted.total()
    if not total:
        return 0.0
    # One term for each number of uses instead of each word: about a twentieth of the terms.
    uses = Counter(counted.values()).items()
    return math.log2(total) - math.fsum(words * n * math.log2(n) for n, words in uses) / total


def overlap(sentences: Sequence[Sequence[str]]) -> float | None:
    """The mean Jaccard similarity of the words of neighbouring sentences; None where there are no two."""
    sets = [set(words) for words in sentences if words]
    pairs = [len(a & b) / len(a | b) for a, b in pairwise(sets)]
    return math.fsum(pairs) / len(pairs) if pairs else None


def _segments(segments: Sequence[str]) -> dict[str, int]:
    sizes = [len(segment) for segment in segments if segment]
    short = sum(1 for size in sizes if size <= MAX_SHORT_SEGMENT)
    long = sum(size for size in sizes if size >= MIN_LONG_SEGMENT)
    return {
        "long_segments_mille": mille(long, sum(sizes)),
        "longest_segment": max(sizes, default=0),
        "short_segments_mille": mille(short, len(sizes)),
    }


def _noise(text: str, words: Sequence[str]) -> dict[str, int]:
    import zlib

    counted, raw = census(text), text.encode("utf-8", "surrogatepass")
    urls = sum(map(len, _URL.findall(text))) if "://" in text or "www." in text.lower() else 0
    return {
        "characters": counted.visible,
        "urls_mille": mille(urls, counted.visible),
        "numbers_mille": mille(sum(map(len, _DIGITS.findall(text))), counted.visible),
        "punctuation_mille": mille(counted.punctuation, counted.visible),
        "odd_mille": mille(len(_ODD.findall(text)), counted.visible),
        "repetition_mille": repetition(words),
        "compression_mille": mille(len(zlib.compress(raw, 6)), len(raw)),
        "broken": broken_characters(text),
    }


def repetition(words: Sequence[str]) -> int:
    """In thousandths, the runs of five words that the document has said before."""
    return mille(*repeated_runs(words))
