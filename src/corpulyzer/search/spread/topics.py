"""The topic of each document, told from the words of topics.

A topic of the report is a list of words. A document belongs to the topic of which it has most of these words;
one that has fewer than two words of each topic belongs to none. The index names the documents of each word,
so no text is read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from corpulyzer.errors import UserError
from corpulyzer.search.matches import Only, candidates
from corpulyzer.search.query import parse

if TYPE_CHECKING:
    import sqlite3

    from corpulyzer.search.index import Index

LEAST_WORDS = 2


def topics_of(index: Index, topics: Mapping[str, Sequence[str]]) -> dict[int, str]:
    """The topic of each document by its number; `topics` are words by name, the largest topic first."""
    best: dict[int, tuple[int, str]] = {}
    with index.reading() as connection:
        for name, words in topics.items():
            counts: Counter[int] = Counter()
            for word in words:
                counts.update(_documents_with(index, connection, word))
            for number, found in counts.items():
                if found >= LEAST_WORDS and found > best.get(number, (0, ""))[0]:
                    best[number] = (found, name)
    return {number: name for number, (_, name) in best.items()}


def _documents_with(index: Index, connection: sqlite3.Connection, word: str) -> set[int]:
    """The documents that have a word, or it as a lemma."""
    found: set[int] = set()
    for asked in (word, f"lemma:{word}"):
        try:
            query = parse(asked, index.language)
        except UserError:
            continue  # a topic may have words of marks alone
        found.update(candidates(index, connection, query, Only()))
    return found
