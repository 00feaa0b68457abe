"""The index on disk: a SQLite file and a folder of shards beside it, brought up to date part by part.

The shards have the words. SQLite has what is known of documents, and what words do not tell of a text: its
spaces, marks and capitals. A line of a concordance needs a few texts, which are put together again of both.
"""

from __future__ import annotations

import os
import secrets
import shutil
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from corpulyzer.engine.derived import orphans, stale
from corpulyzer.errors import UserError
from corpulyzer.search import rows
from corpulyzer.search.shards import store

if TYPE_CHECKING:
    from corpulyzer.language import Language

VERSION = "6"
CACHE_KIBIBYTES = 200_000
PATIENCE = 20
PAGE_BYTES = 16_384
"""Larger than SQLite's own, because of the texts: they fill small pages badly."""
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
create table texts (number integer primary key, rest blob, spans blob);
create table contents (number integer primary key, content blob);
{store.TABLES}"""


@dataclass(frozen=True, slots=True)
class Index:
    """The index of one corpus, in a file of its own."""

    path: Path
    language: Language

    @property
    def folder(self) -> Path:
        """Where the shards are."""
        return self.path.with_suffix(".shards")

    @property
    def company(self) -> Path:
        """Where the vectors of words are kept that tell which words are similar."""
        return self.path.with_suffix(".company.npz")

    @property
    def ranks(self) -> Path:
        """Where words, lemmas and tags are kept in the order of their frequency."""
        return self.path.with_suffix(".ranks")

    def stale(self, wanted: Mapping[str, str]) -> tuple[list[str], list[str]]:
        """The parts that are new or made of something else than wanted, and those whose inputs are gone."""
        made = self.made()
        return stale(made, wanted), orphans(made, wanted)

    def made(self) -> dict[str, str]:
        """What each part of the index was made of."""
        if not self.path.exists() or not self._is_current():
            return {}
        with self._open() as connection:
            return dict(connection.execute("select name, signature from parts"))

    def put(self, name: str, made_of: str, entries: Iterable[rows.Entry]) -> int:
        """Take in a part, in place of what there was of it; all of it or nothing."""
        return self.follow(name, made_of, map(rows.Offer.of, entries))

    def follow(self, name: str, made_of: str, offers: Iterable[rows.Offer]) -> int:
        """The same of documents that are offered; return how many went in or out."""
        with self._changing() as change:
            return rows.follow(change, rows.part(change, name, made_of), offers)

    def size(self) -> int:
        """How many documents there are."""
        with self._open() as connection:
            (count,) = connection.execute("select count(*) from documents").fetchone()
            return int(count)

    def restate(self, parts: Mapping[str, tuple[str, str]], scored_for: str) -> None:
        """Give parts other names, and note what they and the scores are made of; all of it or nothing."""
        with self.writing() as connection:
            sql = "update parts set name = ?, signature = ? where name = ?"
            connection.executemany(sql, ((*new, old) for old, new in parts.items()))
            connection.execute("insert or replace into meta values ('scored for', ?)", (scored_for,))

    def put_scores(self, state: str, scores: Iterable[tuple[int, float]]) -> None:
        """Store the quality of documents by their ids; `state` names the documents that were scored."""
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
        with self._changing() as change:
            rows.forget(change, name)

    def remove(self, ids: Iterable[int]) -> int:
        """Take out single documents, so that nothing of them is left; return how many there were."""
        if not self.path.exists() or not self._is_current():
            self.discard()
            return 0
        with self._changing() as change:
            sql = "select number from documents where id = ?"
            numbers = [number for key in ids for (number,) in change.connection.execute(sql, (key,))]
            rows.take_out(change, numbers)
            change.store.purge()
        self._forget_what_was_made()
        # What was deleted lies in free pages until these are written anew.
        with self._open() as connection:
            connection.execute("vacuum")
        return len(numbers)

    def mend(self) -> None:
        """Delete what a change that was cut short has left, unless one goes on."""
        if not self.path.exists() or not self.folder.exists() or not os.access(self.folder, os.W_OK):
            return
        with self._open() as connection:
            if not store.leftovers(self.folder, connection):
                return
            connection.execute("pragma busy_timeout = 0")
            with suppress(sqlite3.OperationalError):  # someone writes, and will do it
                connection.execute("begin immediate")
                store.Store(self.folder, connection).sweep()
                connection.rollback()

    def tidy(self) -> None:
        """Merge what was taken in piece by piece, which makes every search quicker."""
        with self._changing() as change:
            change.store.tidy()
            change.connection.execute("analyze documents")

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection that can only read, one state of the index; UserError if there is none."""
        if not self.path.exists():
            raise UserError(f"There is no index {self.path}.", "`corpulyzer search QUERY` makes it.")
        with self._open() as connection:
            connection.execute("pragma query_only = on")
            connection.execute("begin")
            yield connection

    def shards(self, connection: sqlite3.Connection) -> store.Store:
        """The shards of a connection that reads, all of them opened.

        Where they were merged since the connection has begun, it begins anew.
        """
        found = store.Store(self.folder, connection)
        for _ in range(PATIENCE):
            try:
                found.open()
                return found
            except FileNotFoundError:
                connection.rollback()
                connection.execute("begin")
            except (ValueError, KeyError):
                break
        hint = "Delete it; the next search makes it again."
        raise UserError(f"The index {self.path} lacks a file, or has a damaged one.", hint)

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
            connection.execute("insert or replace into meta values ('state', ?)", (secrets.token_hex(8),))
            try:
                yield connection
            except BaseException:
                connection.rollback()
                raise
            connection.commit()

    @contextmanager
    def _changing(self) -> Iterator[rows.Change]:
        """A change of documents; the shards follow it."""
        with self.writing() as connection:
            shards = store.Store(self.folder, connection)
            shards.sweep()
            try:
                yield rows.Change(connection, shards, self.language)
                shards.finish()
            except BaseException:
                shards.undo()
                raise
        shards.clean()

    @property
    def _made_by(self) -> str:
        return f"{VERSION} {self.language.code} {self.language.word_internal}"

    def must_be_current(self) -> None:
        """Delete an index that was made by other rules; it can be made again from the corpus."""
        if not self.path.exists() or not self._is_current():
            self.discard()

    def discard(self) -> None:
        """Throw the index away; the next search makes it again."""
        if self.path.exists() and not os.access(self.path.parent, os.W_OK):
            hint = f"Let this user write to {self.path.parent}, and search again."
            raise UserError(f"The index {self.path} is of another version, or damaged.", hint)
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.rmtree(self.path.with_suffix(".tantivy"), ignore_errors=True)  # of version 4
        self._forget_what_was_made()
        for ending in ("", "-wal", "-shm"):
            Path(f"{self.path}{ending}").unlink(missing_ok=True)

    def _forget_what_was_made(self) -> None:
        """Delete the files that were made of the index for some answers."""
        self.company.unlink(missing_ok=True)
        self.ranks.unlink(missing_ok=True)

    def _is_current(self) -> bool:
        try:
            with self._open() as connection:
                found = connection.execute("select value from meta where name = 'made by'").fetchone()
                if found is None or found[0] != self._made_by:
                    return False
                return store.Store(self.folder, connection).is_whole()
        except sqlite3.OperationalError as error:
            if "no such table" in str(error):  # of one that is made just now, or by other rules
                return False
            raise
        except sqlite3.DatabaseError:
            return False

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        writable = os.access(self.path.parent, os.W_OK)
        # SQLite writes beside the file even to read it, unless it is told that nobody changes the file.
        place = self.path.absolute().as_uri() + ("" if writable else "?immutable=1")
        connection = sqlite3.connect(
            place, uri=True, timeout=60, isolation_level=None, check_same_thread=False
        )
        try:
            if writable:
                connection.execute(f"pragma page_size = {PAGE_BYTES}")
                connection.execute("pragma journal_mode = wal")
            connection.execute("pragma synchronous = normal")
            connection.execute("pragma secure_delete = on")
            connection.execute(f"pragma cache_size = -{CACHE_KIBIBYTES}")
            yield connection
        finally:
            connection.close()
