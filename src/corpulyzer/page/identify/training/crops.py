"""Pieces of lines of known language, from single words to sentences, to learn from and to measure on.

The last tenth of every file is kept out of learning. Of it, every other line sets what a score is worth, and
the rest is for measuring alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from random import Random

from corpulyzer.text import spaceless

# Shares of crops by their number of words; what is left are up to fourteen.
_SIZES = ((0.15, 1, 1), (0.37, 2, 2), (0.6, 3, 5), (0.8, 6, 10))
_LONGEST = 14
_CHARACTERS = (3, 5, 7, 10, 15, 20, 40, 80)
_WORDS_TOGETHER = (1, 1, 2, 2, 3)
# A common word fills most of a text; as an example it should not fill most of the lessons.
_FREQUENCY_POWER = 0.6


def to_learn(lines: Sequence[str]) -> Sequence[str]:
    """The lines to learn from."""
    return lines[: len(lines) * 9 // 10]


def to_tune(lines: Sequence[str]) -> list[str]:
    """The lines that set what a score is worth: none of those that were learned."""
    return _kept_out(lines)[::2]


def to_measure(lines: Sequence[str]) -> list[str]:
    """The lines to measure on: none of those that were learned or tuned on."""
    known = {*to_learn(lines), *to_tune(lines)}
    return [line for line in _kept_out(lines)[1::2] if line not in known]


def _kept_out(lines: Sequence[str]) -> list[str]:
    known = set(to_learn(lines))
    return [line for line in lines[len(lines) * 9 // 10 :] if line not in known]


@dataclass(frozen=True)
class Crops:
    """Pieces of the lines of one language, by source, and of its commonest words with their frequencies."""

    script: str
    sources: Mapping[str, Sequence[str]]
    words: Mapping[str, float] = field(default_factory=dict)

    def pieces(self, count: int, rng: Random) -> Iterator[str]:
        """So many pieces of lines at random; a source counts by the square root of its size."""
        sources = [lines for lines in self.sources.values() if lines]
        sizes = [len(lines) ** 0.5 for lines in sources]
        for _ in range(count):
            yield cropped(rng.choice(rng.choices(sources, sizes)[0]), self.script, rng)

    def common(self, count: int, rng: Random) -> Iterator[str]:
        """So many times one to three common words at random; none where no words are known."""
        words = list(self.words)
        sums = list(accumulate(share**_FREQUENCY_POWER for share in self.words.values()))
        between = "" if spaceless(self.script) else " "
        for _ in range(count if words else 0):
            yield between.join(rng.choices(words, cum_weights=sums, k=rng.choice(_WORDS_TOGETHER)))


def cropped(line: str, script: str, rng: Random) -> str:
    """A piece of a line: some words, or some characters where words are not parted."""
    if spaceless(script):
        size = rng.choice(_CHARACTERS)
        start = rng.randrange(max(1, len(line) - size))
        return line[start : start + size]
    words, kind = line.split(), rng.random()
    count = next((rng.randint(low, high) for share, low, high in _SIZES if kind < share), _LONGEST)
    start = rng.randrange(max(1, len(words) - count + 1))
    return " ".join(words[start : start + count])
