"""How much of a text was found, and how much of what was found belongs to it: five ways to count.

- `shingle`: runs of four words, as in the benchmark of Scrapinghub. The order of words counts, that of
  paragraphs hardly.
- `tokens`: words, whatever their order.
- `lcs`: the longest common subsequence of words (HR-6).
- `cleaneval`: the same over words in lower case, and F averaged over pages (C4-6).
- `snippets`: pieces of text that must be there, and pieces that must not.

A word is a run of letters, marks and digits; in scripts without spaces every character is one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import regex

Metric = Literal["shingle", "tokens", "lcs", "cleaneval", "snippets"]
METRICS: tuple[Metric, ...] = get_args(Metric)
SHINGLE_WORDS = 4

_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_WORD = regex.compile(rf"[{_UNSPACED}]|[\w--[{_UNSPACED}]]+", regex.V1)


@dataclass(frozen=True, slots=True)
class Score:
    """Units that are right, found though they are wrong, and missed, on one page or over many."""

    right: int
    wrong: int
    missed: int

    @property
    def precision(self) -> float:
        """1 where nothing is wrong and nothing missed: an empty page found empty is right."""
        return self._share(self.wrong)

    @property
    def recall(self) -> float:
        return self._share(self.missed)

    @property
    def f1(self) -> float:
        return harmonic(self.precision, self.recall)

    def _share(self, others: int) -> float:
        if not (self.wrong or self.missed):
            return 1.0
        return self.right / (self.right + others) if self.right else 0.0


def harmonic(precision: float, recall: float) -> float:
    """F1 of a precision and a recall."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def words_of(text: str) -> list[str]:
    """The words of a text.

    >>> words_of("Dobar dan! 你好")
    ['Dobar', 'dan', '你', '好']
    """
    return _WORD.findall(text)


def shingle(gold: str, found: str) -> Score:
    """Runs of four words, each as often as it occurs."""
    return _bags(_shingles(words_of(gold)), _shingles(words_of(found)))


def tokens(gold: str, found: str) -> Score:
    """Words, each as often as it occurs."""
    return _bags(Counter(words_of(gold)), Counter(words_of(found)))


def lcs(gold: str, found: str) -> Score:
    """Words in the same order, as many as can be."""
    return _in_order(words_of(gold), words_of(found))


def cleaneval(gold: str, found: str) -> Score:
    """Words in the same order, in lower case."""
    return _in_order(words_of(gold.lower()), words_of(found.lower()))


def snippets(wanted: Sequence[str], unwanted: Sequence[str], found: str) -> Score:
    """Pieces that must be in the text, and pieces that must not, white space aside."""
    text = " ".join(found.split())
    right = sum(" ".join(piece.split()) in text for piece in wanted)
    wrong = sum(" ".join(piece.split()) in text for piece in unwanted)
    return Score(right, wrong, len(wanted) - right)


TEXT_METRICS: Mapping[str, Callable[[str, str], Score]] = {
    "shingle": shingle,
    "tokens": tokens,
    "lcs": lcs,
    "cleaneval": cleaneval,
}


def common_length(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
    """The length of the longest common subsequence, a machine word of positions at a time (Hyyrö 2004).

    >>> common_length("abcbdab", "bdcaba")
    4
    """
    places: dict[Hashable, int] = {}
    for position, item in enumerate(one):
        places[item] = places.get(item, 0) | 1 << position
    everything = (1 << len(one)) - 1
    row = everything
    for item in other:
        if hits := row & places.get(item, 0):
            row = ((row + hits) | (row - hits)) & everything
    return len(one) - row.bit_count()


def _shingles(words: Sequence[str]) -> Counter[tuple[str, ...]]:
    count = max(1, len(words) - SHINGLE_WORDS + 1)
    return Counter(tuple(words[i : i + SHINGLE_WORDS]) for i in range(count) if words)


def _bags(gold: Counter[Any], found: Counter[Any]) -> Score:
    right = (gold & found).total()
    return Score(right, found.total() - right, gold.total() - right)


def _in_order(gold: Sequence[str], found: Sequence[str]) -> Score:
    right = common_length(gold, found)
    return Score(right, len(found) - right, len(gold) - right)
