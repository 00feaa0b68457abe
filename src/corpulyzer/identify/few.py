"""The n-grams of a few words, one by one: for less than a page of new words that is quicker than arrays are.

The buckets are those of `ngrams.hashed`, to the last bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import mul

import regex

from corpulyzer.identify.ngrams import MAX_TOKEN, bucket_of, weights_of

_WORDS = regex.compile(r"[\p{L}\p{M}]+")
# Letters beyond are told by arrays alone.
_LAST = chr(0x1FFFF)
_REMEMBERED = 1 << 18


@dataclass(slots=True)
class FewWords:
    """The buckets of tokens for orders of n-grams; the bucket of an n-gram is worked out once."""

    orders: Sequence[int]
    bits: int
    _known: dict[str, int] = field(default_factory=dict)
    _weights: dict[int, tuple[int, ...]] = field(init=False)

    def __post_init__(self) -> None:
        self._weights = {order: weights_of(order) for order in self.orders}

    @property
    def able(self) -> bool:
        """Whether it knows these orders: below three, borders of words are another matter."""
        return all(order == 0 or order >= 3 for order in self.orders)

    def __call__(self, token: str) -> list[int]:
        """The buckets of a token's n-grams, in no order that matters."""
        lower = token.replace("İ", "i").lower()
        buckets: list[int] = []
        known = self._known
        for word in (lower,) if lower.isalpha() else _WORDS.findall(lower):
            bordered = f" {word} "
            for order in self.orders:
                if not order:
                    buckets.append(self._bucket(word, 0))
                    continue
                grams = [bordered[start : start + order] for start in range(len(bordered) - order + 1)]
                try:
                    buckets += [known[gram] for gram in grams]
                except KeyError:
                    buckets += self._learned(grams, order)
        return buckets

    def _learned(self, grams: list[str], order: int) -> list[int]:
        known = self._known
        if len(known) >= _REMEMBERED:
            known.clear()
        for gram in grams:
            if gram not in known:
                known[gram] = self._bucket(gram, order)
        return [known[gram] for gram in grams]

    def _bucket(self, gram: str, order: int) -> int:
        return bucket_of(sum(map(mul, map(ord, gram), self._weights[order])), order, self.bits)


def is_plain(tokens: Sequence[str]) -> bool:
    """Whether tokens are short and of common planes, so that both ways agree on what a letter is."""
    return max(map(len, tokens), default=0) <= MAX_TOKEN and max("".join(tokens), default="") <= _LAST
