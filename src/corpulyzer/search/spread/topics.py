"""The topic of each document, told from the words of topics.

A topic of the report is a list of words. A document belongs to the topic of which it has most of these words;
one that has fewer than two words of each topic belongs to none. The index names the documents of each word,
so no text is read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from corpulyzer.errors import UserError
from corpulyzer.search.finding.candidates import documents_of
from corpulyzer.search.finding.only import EVERYTHING
from corpulyzer.search.finding.vocabulary import Vocabulary
from corpulyzer.search.matches import candidates
from corpulyzer.search.query import parse

if TYPE_CHECKING:
    import sqlite3

    import numpy as np
    from numpy.typing import NDArray

    from corpulyzer.search.index import Index

LEAST_WORDS = 2


def topics_of(index: Index, topics: Mapping[str, Sequence[str]]) -> dict[int, str]:
    """The topic of each document by its number; `topics` are words by name, the largest topic first."""
    import numpy as np

    names = list(topics)
    with index.reading() as connection:
        every = documents_of(index.shards(connection), EVERYTHING).numbers()
        best, topic = np.full(len(every), LEAST_WORDS - 1), np.full(len(every), -1)
        for place, words in enumerate(topics.values()):
            counts = np.zeros(len(every), dtype=np.int64)
            for word in words:
                counts[np.searchsorted(every, _documents_with(index, connection, word))] += 1
            better = counts > best
            best[better], topic[better] = counts[better], place
    told = topic >= 0
    return {
        number: names[place] for number, place in zip(every[told].tolist(), topic[told].tolist(), strict=True)
    }


def _documents_with(index: Index, connection: sqlite3.Connection, word: str) -> NDArray[np.int64]:
    """The documents that have a word, or it as a lemma."""
    import numpy as np

    found = np.zeros(0, dtype=np.int64)
    for asked in (word, f"lemma:{word}"):
        try:
            query = parse(asked, index.language)
        except UserError:
            continue  # a topic may have words of marks alone
        found = np.union1d(
            found, candidates(index, Vocabulary(index, connection), query, EVERYTHING).numbers()
        )
    return found
