"""How varied the words of a passage are: in runs, from sentence to sentence, and as a whole."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from corpulyzer.page.filter.prose import RUN, repeated_runs

# McCarthy and Jarvis (2010): a factor ends where types per token fall to this.
MTLD_FLOOR = 0.72


@dataclass(frozen=True, slots=True)
class Variety:
    """What was counted in the words of a passage.

    `forward` and `backward` are how often types per token fall to the floor, from either end. `uses` says how
    many words are used how often, `overlaps` what neighbouring sentences share, `repeated` how many runs of
    five words were said before, and `lengths` the words of each sentence.
    """

    words: int
    types: int
    letters: int
    forward: float
    backward: float
    uses: Mapping[int, int]
    overlaps: Sequence[float]
    repeated: int
    lengths: Sequence[int]

    @property
    def mtld(self) -> float | None:
        """The mean length of runs that keep their variety (McCarthy, Jarvis 2010); None if no run ends.

        Unlike types per token it does not fall with the length of a text.
        """
        if not self.forward or not self.backward:
            return None
        return (self.words / self.forward + self.words / self.backward) / 2

    @property
    def entropy(self) -> float:
        """Shannon's entropy of the words in bits a word."""
        if not self.words:
            return 0.0
        # One term for each number of uses instead of each word: about a twentieth of the terms.
        terms = (words * n * math.log2(n) for n, words in self.uses.items())
        return math.log2(self.words) - math.fsum(terms) / self.words

    @property
    def overlap(self) -> float | None:
        """The mean Jaccard similarity of neighbouring sentences; None where there are no two."""
        return math.fsum(self.overlaps) / len(self.overlaps) if self.overlaps else None

    @property
    def runs(self) -> int:
        """How many runs of five words there are."""
        return max(0, self.words - RUN + 1)


def variety_of(sentences: Sequence[Sequence[str]]) -> Variety:
    """The variety of the words of some sentences.

    >>> variety_of([["ja", "sam", "tu"], ["ti", "si", "tu"]]).overlaps
    [0.2]
    """
    words = [word for sentence in sentences for word in sentence]
    counted = Counter(words)
    sets = [set(sentence) for sentence in sentences if sentence]
    repeated, _ = repeated_runs(words)
    return Variety(
        words=len(words),
        types=len(counted),
        letters=sum(map(len, words)),
        forward=_factors(words),
        backward=_factors(words[::-1]),
        uses=dict(Counter(counted.values())),
        overlaps=[len(a & b) / len(a | b) for a, b in pairwise(sets)],
        repeated=repeated,
        lengths=list(map(len, sentences)),
    )


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
