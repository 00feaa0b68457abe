"""The words of the documents in a table of SQLite's FTS5: the finder that needs nothing else.

FTS5 is handed words that are already cut and folded, joined by spaces, and splits only at spaces and at
characters that no word contains. So its words are those of the tokeniser, whatever the script and however
old the Unicode tables that SQLite was built with.
"""

from __future__ import annotations

import sqlite3
import string
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corpulyzer.search.conditions import Clause

PENDING_BYTES = 64 << 20
_ALL_MARKS = "".join(mark for mark in string.punctuation if mark not in "'\"")
TABLE = f"""
create virtual table streams using fts5(
    words, lemmas, tags, xtags, content='', columnsize=0, tokenize="ascii tokenchars '{_ALL_MARKS}'''"
);
insert into streams (streams, rank) values ('hashsize', {PENDING_BYTES});
"""


@dataclass(frozen=True, slots=True)
class Fts5:
    """The table in an open transaction."""

    connection: sqlite3.Connection

    def add(self, number: int, streams: Sequence[str]) -> None:
        """Take in the words, lemmas and tags of a document."""
        sql = "insert into streams (rowid, words, lemmas, tags, xtags) values (?,?,?,?,?)"
        self.connection.execute(sql, (number, *streams))

    def take_out(self, number: int, streams: Sequence[str]) -> None:
        """Delete a document; FTS5 needs the same words that it was given for it."""
        sql = "insert into streams (streams, rowid, words, lemmas, tags, xtags) values ('delete',?,?,?,?,?)"
        self.connection.execute(sql, (number, *streams))


def merge(connection: sqlite3.Connection) -> None:
    """Merge what was taken in piece by piece, which also forgets for good what was taken out."""
    connection.execute("insert into streams (streams) values ('optimize')")


def expression(clauses: Iterable[Clause]) -> str:
    """The clauses in FTS5's language."""
    return " AND ".join(map(_clause, clauses))


def _clause(clause: Clause) -> str:
    star = " *" if clause.prefix else ""
    return f"{clause.stream} : ({' OR '.join(_quoted(' '.join(each)) + star for each in clause.phrases)})"


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'
