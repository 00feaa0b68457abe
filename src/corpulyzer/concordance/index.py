"""The index on disk: one SQLite file, brought up to date part by part.

FTS5 is handed the words already cut and folded, a space between each two, and cuts at nothing but spaces and
what no word can hold. So its words are those of the tokeniser, whatever the script and however old the
tables of characters that SQLite was built with. Texts are stored beside the index, compressed, because a
line of a concordance needs a few of them at once and Parquet gives thousands.
"""

from __future__ import annotations

import sqlite3
import string
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from corpulyzer.concordance import rows
from corpulyzer.errors import UserError

if TYPE_CHECKING:
    from corpulyzer.language import Language

VERSION = "2"
CACHE_KIBIBYTES = 200_000
PENDING_BYTES = 64 << 20
_ALL_MARKS = "".join(mark for mark in string.punctuation if mark not in "'\"")
_TABLES = f"""
create table meta (name text primary key, value text) without rowid;
create table parts (number integer primary key, name text unique, signature text);
create table sites (number integer primary key, site text unique, documents integer, words integer);
create table documents (
    number integer primary key, part integer, id integer, site integer, license text, date integer,
    quality real, words integer, url text, title text
);
create index documents_part on documents (part);
create index documents_id on documents (id);
create index documents_site on documents (site);
create table texts (number integer primary key, text blob, lemmas blob, tags blob, xtags blob);
create table words (word text primary key, count integer, documents integer) without rowid;
create virtual table streams using fts5(
    words, lemmas, tags, xtags, content='', columnsize=0, tokenize="ascii tokenchars '{_ALL_MARKS}'''"
);
insert into streams (streams, rank) values ('hashsize', {PENDING_BYTES});
"""


@dataclass(frozen=True, slots=True)
class Index:
    """The index of one corpus, in a file of its own."""

    path: Path
    language: Language

    def stale(self, parts: Mapping[str, str]) -> tuple[list[str], list[str]]:
        """The parts to be taken in (again), and those that are gone, told by their signatures."""
        if not self.path.exists() or not self._is_current():
            return list(parts), []
        with self._open() as connection:
            known = dict(connection.execute("select name, signature from parts"))
        changed = [name for name, signature in parts.items() if known.get(name) != signature]
        return changed, [name for name in known if name not in parts]

    def put(self, name: str, signature: str, entries: Iterable[rows.Entry]) -> None:
        """Take in a part, in place of what there was of it; all of it or nothing."""
        with self.writing() as connection:
            rows.forget(connection, name, self.language)
            connection.execute("insert into parts (name, signature) values (?, ?)", (name, signature))
            (part,) = connection.execute("select last_insert_rowid()").fetchone()
            rows.add(connection, part, entries, self.language)

    def put_scores(self, state: str, scores: Iterable[tuple[int, float]]) -> None:
        """Give documents their quality, by their ids; `state` tells of which documents the scores are."""
        with self.writing() as connection:
            connection.execute("update documents set quality = null")
            sql = "update documents set quality = ? where id = ?"
            connection.executemany(sql, ((score, key) for key, score in scores))
            connection.execute("insert or replace into meta values ('scored for', ?)", (state,))

    def scored_for(self) -> str:
        """The state of the documents whose scores these are; empty if there are none."""
        if not self.path.exists() or not self._is_current():
            return ""
        with self._open() as connection:
            row = connection.execute("select value from meta where name = 'scored for'").fetchone()
        return row[0] if row else ""

    def forget(self, name: str) -> None:
        """Take out a part."""
        with self.writing() as connection:
            rows.forget(connection, name, self.language)

    def remove(self, ids: Iterable[int]) -> int:
        """Take out single documents, so that nothing of them is left; return how many there were."""
        with self.writing() as connection:
            numbers = [
                number
                for key in ids
                for (number,) in connection.execute("select number from documents where id = ?", (key,))
            ]
            rows.take_out(connection, numbers, self.language)
        if numbers:
            with self._open() as connection:
                # What was deleted lies in free pages of the file until it is written anew.
                connection.execute("insert into streams (streams) values ('optimize')")
                connection.commit()
                connection.execute("vacuum")
        return len(numbers)

    def tidy(self) -> None:
        """Merge what was taken in piece by piece, which makes every search quicker."""
        with self.writing() as connection:
            connection.execute("insert into streams (streams) values ('optimize')")
            connection.execute("analyze documents")

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection that can only read; UserError if there is no index."""
        if not self.path.exists():
            raise UserError(f"There is no index {self.path}.", "`corpulyzer search QUERY` makes it.")
        with self._open() as connection:
            connection.execute("pragma query_only = on")
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A connection in a transaction, in an index that is there from now on."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self._open() as connection:
            connection.execute("begin immediate")
            if not connection.execute("select 1 from sqlite_master where name = 'meta'").fetchone():
                for statement in _TABLES.split(";\n"):
                    connection.execute(statement)
                connection.execute("insert into meta values ('made by', ?)", (self._made_by,))
            try:
                yield connection
            except BaseException:
                connection.rollback()
                raise
            connection.commit()

    @property
    def _made_by(self) -> str:
        return f"{VERSION} {self.language.code} {self.language.word_internal}"

    def must_be_current(self) -> None:
        """Throw an index away that other rules made; nothing is in it that the corpus has not."""
        if self.path.exists() and not self._is_current():
            for ending in ("", "-wal", "-shm"):
                Path(f"{self.path}{ending}").unlink(missing_ok=True)

    def _is_current(self) -> bool:
        with self._open() as connection:
            try:
                found = connection.execute("select value from meta where name = 'made by'").fetchone()
            except sqlite3.DatabaseError:
                return False
        return found is not None and found[0] == self._made_by

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        connection = sqlite3.connect(self.path, timeout=60, isolation_level=None, check_same_thread=False)
        try:
            connection.execute("pragma journal_mode = wal")
            connection.execute("pragma synchronous = normal")
            connection.execute("pragma secure_delete = on")
            connection.execute(f"pragma cache_size = -{CACHE_KIBIBYTES}")
            yield connection
        finally:
            connection.close()
