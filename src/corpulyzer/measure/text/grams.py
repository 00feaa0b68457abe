"""Word and character n-grams as integers, counted in NumPy arrays: one by one would be too slow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import xxhash

from corpulyzer.measure.text.passage import Passage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Counts = tuple[NDArray[np.int64], NDArray[np.int64]]

# A code point has 21 bits, so that three of them fit a signed 64-bit number.
CODE_BITS = 21
_MULTIPLIER = 0x9E3779B97F4A7C15
_SENTENCES = 10_000
_SPREAD = 0xBF58476D1CE4E5B9


class _Hashes(dict[str, int]):
    """The hash of each word, made when it is first asked for: never 0, which ends a sentence."""

    def __missing__(self, word: str) -> int:
        made = self[word] = hash_of(word.encode("utf-8", "surrogatepass"))
        return made


def hash_of(word: bytes) -> int:
    """The hash of a word in UTF-8."""
    return xxhash.xxh3_64_intdigest(word) | 1


def hashes_of(words: Sequence[bytes]) -> NDArray[np.uint64]:
    """The hashes of many words, at half the cost of one by one."""
    import numpy as np

    digests = map(xxhash.xxh3_64_intdigest, words)
    return np.fromiter(digests, np.uint64, len(words)) | np.uint64(1)


class Grams:
    """Word pairs and triples within sentences, character triples within sentences, and characters.

    The key of a run of words is a hash: of ten million kinds, two share one with a chance of one in 300,000.
    Of the distinct runs of words, one in `one_in` (a power of two) is counted.
    """

    def __init__(self, one_in: int = 1) -> None:
        self._one_in = one_in
        self._hashes = _Hashes()
        self._runs: list[int] = []
        self._sentences: list[str] = []
        self._texts: list[str] = []

    def add(self, cut: Passage) -> None:
        """Take in the sentences of a passage."""
        hash_of, runs = self._hashes.__getitem__, self._runs
        for words in cut.words:
            runs.extend(map(hash_of, words))
            runs.append(0)
        self._sentences.extend(cut.sentences)

    def add_characters(self, text: str) -> None:
        """Take in a text of which only the characters are counted."""
        self._texts.append(text)

    def runs(self) -> Iterator[tuple[str, Counts]]:
        """The kinds of runs, each with its keys and how often each occurs."""
        import numpy as np

        yield from counted_runs(np.array(self._runs, dtype=np.uint64), self._one_in)
        yield "char3", self._character_triples()

    def _character_triples(self) -> Counts:
        """Counted a few sentences at a time: as numbers, text takes many times its memory."""
        import numpy as np

        parts = [
            _counted(character_keys("\n".join(self._sentences[start : start + _SENTENCES])))
            for start in range(0, len(self._sentences), _SENTENCES)
        ]
        keys = np.concatenate([np.zeros(0, np.int64), *(keys for keys, _ in parts)])
        counts = np.concatenate([np.zeros(0, np.int64), *(counts for _, counts in parts)])
        values, places = np.unique(keys, return_inverse=True)
        return values, np.bincount(places, weights=counts, minlength=len(values)).astype(np.int64)

    def characters(self) -> Counts:
        """Each code point and its number."""
        import numpy as np

        return _counted(_codes("".join(self._texts)).astype(np.int64))


def counted_runs(hashes: NDArray[np.uint64], one_in: int) -> Iterator[tuple[str, Counts]]:
    """The runs of two and three words, each with its keys and how often each occurs."""
    import numpy as np

    for length in (2, 3):
        keys = word_keys(hashes, length)
        keys = keys[keys % np.uint64(one_in) == 0]
        yield f"word{length}", _counted(keys.view(np.int64))


def word_keys(hashes: NDArray[np.uint64], length: int) -> NDArray[np.uint64]:
    """The key of every run of words; a 0 among the hashes ends a sentence, and no run crosses it."""
    import numpy as np

    if len(hashes) < length:
        return np.zeros(0, dtype=np.uint64)
    size = len(hashes) - length + 1
    keys = np.full(size, length, dtype=np.uint64)
    whole = np.ones(size, dtype=bool)
    for place in range(length):
        part = hashes[place : place + size]
        whole &= part != 0
        keys = (keys ^ part) * np.uint64(_MULTIPLIER)
        keys ^= keys >> np.uint64(29)
    keys = keys * np.uint64(_SPREAD)
    result: NDArray[np.uint64] = (keys ^ (keys >> np.uint64(32)))[whole]
    return result


def character_keys(text: str) -> NDArray[np.int64]:
    """Every three characters of a line as one number, with white space as a single space."""
    import numpy as np

    codes = _codes("\n".join(" ".join(line.split()) for line in text.split("\n"))).astype(np.int64)
    if len(codes) < 3:
        return np.zeros(0, dtype=np.int64)
    first, second, third = codes[:-2], codes[1:-1], codes[2:]
    whole = (first != 10) & (second != 10) & (third != 10)
    keys = (first << (2 * CODE_BITS)) | (second << CODE_BITS) | third
    result: NDArray[np.int64] = keys[whole]
    return result


def _codes(text: str) -> NDArray[np.uint32]:
    import numpy as np

    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


def _counted(keys: NDArray[np.int64]) -> Counts:
    import numpy as np

    values, counts = np.unique(keys, return_counts=True)
    return values, counts.astype(np.int64)
