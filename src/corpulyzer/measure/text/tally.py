"""The words, runs of words and characters of many passages, counted in C where that was built.

`TallyInPython` says what is counted; `CompiledTally` counts the same at a quarter of the cost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Protocol

from corpulyzer.language import Language
from corpulyzer.measure.text.grams import Grams, counted_runs, hashes_of
from corpulyzer.measure.text.passage import MAX_WORD_CHARACTERS, Passage, words_of
from corpulyzer.measure.text.variety import Variety, variety_of
from corpulyzer.native import compiled
from corpulyzer.text.census import kinds_of_characters

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from corpulyzer.measure.text.grams import Counts

    WordColumns = tuple[pa.Array[Any], NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]


class Tally(Protocol):
    """Counts as they grow; a group of words is a number from 0 up, in the order in which groups came."""

    def add(self, sentences: tuple[str, ...], group: int) -> Variety:
        """Count the folded sentences of a document; what its words are like."""

    def count(self, text: str, group: int) -> None:
        """Count the words of a text alone."""

    def add_characters(self, text: str) -> None:
        """Count the characters of a text."""

    def words(self) -> WordColumns:
        """The words of each group after the other: word, group, tokens, documents."""

    def runs(self) -> Iterator[tuple[str, Counts]]:
        """The kinds of runs, each with its keys and how often each occurs."""

    def characters(self) -> Counts:
        """Each code point and its number."""


def tally_of(language: Language, one_in: int) -> Tally:
    """An empty tally of a language; of the distinct runs of words, one in `one_in` is counted."""
    return TallyInPython(language, one_in) if compiled is None else CompiledTally(language, one_in)


class TallyInPython:
    """The specification."""

    def __init__(self, language: Language, one_in: int) -> None:
        self._language = language
        self._grams = Grams(one_in)
        self._words: dict[int, tuple[Counter[str], Counter[str]]] = {}

    def add(self, sentences: tuple[str, ...], group: int) -> Variety:
        cut = tuple(words_of(sentence, self._language) for sentence in sentences)
        self._count([word for words in cut for word in words], group)
        self._grams.add(Passage("", sentences, cut))
        return variety_of(cut)

    def count(self, text: str, group: int) -> None:
        self._count(words_of(text, self._language), group)

    def _count(self, words: list[str], group: int) -> None:
        tokens, documents = self._words.setdefault(group, (Counter(), Counter()))
        tokens.update(words)
        documents.update(set(words))

    def add_characters(self, text: str) -> None:
        self._grams.add_characters(text)

    def words(self) -> WordColumns:
        import numpy as np
        import pyarrow as pa

        rows = [
            (word, group, count, documents[word])
            for group, (tokens, documents) in sorted(self._words.items())
            for word, count in tokens.items()
        ]
        words, groups, tokens, documents = zip(*rows, strict=True) if rows else ((),) * 4
        uses, pages = (np.array(column, np.int64) for column in (tokens, documents))
        return pa.array(words, pa.string()), np.array(groups, np.int32), uses, pages

    def runs(self) -> Iterator[tuple[str, Counts]]:
        return self._grams.runs()

    def characters(self) -> Counts:
        return self._grams.characters()


class CompiledTally:
    """The same in C."""

    def __init__(self, language: Language, one_in: int) -> None:
        assert compiled is not None
        self._one_in = one_in
        self._counted = compiled.Tally(kinds_of_characters(), language.word_internal, MAX_WORD_CHARACTERS)

    def add(self, sentences: tuple[str, ...], group: int) -> Variety:
        return Variety(*self._counted.add(sentences, group))

    def count(self, text: str, group: int) -> None:
        self._counted.count(text, group)

    def add_characters(self, text: str) -> None:
        self._counted.add_characters(text)

    def words(self) -> WordColumns:
        import numpy as np
        import pyarrow as pa

        ends, letters = map(pa.py_buffer, self._counted.words())
        distinct = pa.StringArray.from_buffers(ends.size // 4 - 1, ends, letters)
        columns = zip(self._counted.uses(), (np.int32, np.int32, np.int64, np.int64), strict=True)
        numbers, groups, tokens, documents = (np.frombuffer(column, kind) for column, kind in columns)
        order = np.argsort(groups, kind="stable")
        words = distinct.take(pa.array(numbers[order]))
        return words, groups[order], tokens[order], documents[order]

    def runs(self) -> Iterator[tuple[str, Counts]]:
        import numpy as np

        ends, letters = self._counted.words()
        places = np.frombuffer(ends, np.int32).tolist()
        hashes = hashes_of([letters[start:end] for start, end in pairwise(places)])
        # The end of a sentence has the number -1, which is the last hash, 0.
        by_number = np.append(hashes, np.uint64(0))
        said = by_number[np.frombuffer(self._counted.sentences(), np.int32)]
        yield from counted_runs(said, self._one_in)
        yield "char3", _in_order(self._counted.triples())

    def characters(self) -> Counts:
        return _in_order(self._counted.codes())


def _in_order(pairs: tuple[bytes, bytes]) -> Counts:
    import numpy as np

    keys, counts = (np.frombuffer(column, np.int64) for column in pairs)
    order = np.argsort(keys)
    return keys[order], counts[order]
