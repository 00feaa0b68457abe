"""The words of the documents in an index of tantivy, in place of FTS5's table: for large corpora.

All else stays in SQLite. A change is committed here first, under a new mark, and then in SQLite together with
that mark. Where the marks differ, a change was cut short, and this index is made again of the texts there.
Whoever writes here holds SQLite's lock, so there is one at a time.
"""

from __future__ import annotations

import secrets
import shutil
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import regex

from corpulyzer.errors import UserError
from corpulyzer.search.rows import BLOBS, taken_of

if TYPE_CHECKING:
    import tantivy

    from corpulyzer.language import Language
    from corpulyzer.search.conditions import Clause

FIELDS = ("words", "lemmas", "tags", "xtags")
PENDING_BYTES = 64 << 20
PATIENCE_SECONDS = 10
LONGEST = 5_000
"""Characters of a word that count: tantivy leaves out a word of 64 KiB. A closer look sees all of it."""
LONGEST_PREFIX = 200
"""Characters of the beginning of a word that count: its automaton has a limit."""
_SPECIAL = regex.compile(r"[\\.+*?()|\[\]{}^$]")
_MARK = "tantivy"


@dataclass(frozen=True, slots=True)
class Writer:
    """Takes documents in and out; nothing of that can be found before the change is committed."""

    schema: tantivy.Schema
    writer: tantivy.IndexWriter

    def add(self, number: int, streams: Sequence[str]) -> None:
        """Take in the words, lemmas and tags of a document."""
        import tantivy

        document = tantivy.Document()
        document.add_unsigned("number", number)
        for name, stream in zip(FIELDS, streams, strict=True):
            if stream:
                document.add_text(name, " ".join(word[:LONGEST] for word in stream.split(" ")))
        self.writer.add_document(document)

    def take_out(self, number: int, _streams: Sequence[str]) -> None:
        """Forget a document."""
        self._delete("number", number)

    def mark(self, old: str, new: str) -> None:
        """Put a new mark in the place of the old one."""
        import tantivy

        self._delete("mark", old)
        document = tantivy.Document()
        document.add_text("mark", new)
        self.writer.add_document(document)

    def _delete(self, field: str, value: Any) -> None:
        import tantivy

        # Not by its term: tantivy finds no unsigned numbers that way.
        self.writer.delete_documents_by_query(tantivy.Query.term_query(self.schema, field, value))


def must_be_installed() -> None:
    """Guarantee that tantivy can be imported."""
    try:
        import tantivy  # noqa: F401
    except ImportError:
        raise UserError(
            'The setting concordance.index = "tantivy" needs the package tantivy.',
            "Install it with: pip install 'corpulyzer[tantivy]', or set concordance.index to \"fts5\".",
        ) from None


@contextmanager
def changing(folder: Path, connection: sqlite3.Connection, language: Language) -> Iterator[Writer]:
    """A writer in a transaction of SQLite, which is to be committed next; made anew if it is out of step."""
    import tantivy

    anew = _in_step(folder, connection) is None
    if anew:
        discard(folder)
    folder.mkdir(parents=True, exist_ok=True)
    schema = _schema()
    writer = Writer(schema, tantivy.Index(schema, str(folder)).writer(PENDING_BYTES, 1))
    try:
        if anew:
            _add_all(writer, connection, language)
        yield writer
        old, new = _mark(connection), secrets.token_hex(16)
        writer.mark(old, new)
        connection.execute("insert or replace into meta values (?, ?)", (_MARK, new))
        writer.writer.commit()
    finally:
        writer.writer.wait_merging_threads()  # also gives the lock of the folder back


def in_step(folder: Path, connection: sqlite3.Connection) -> bool:
    """Whether the index is of the documents that SQLite has."""
    return _in_step(folder, connection) is not None


def discard(folder: Path) -> None:
    """Throw the index away, though a thread of tantivy that merges may still put a file into it."""
    end = time.monotonic() + PATIENCE_SECONDS
    while folder.exists():
        try:
            shutil.rmtree(folder)
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.01)


def numbers(folder: Path, connection: sqlite3.Connection, clauses: Sequence[Clause]) -> list[int]:
    """At least every document with a match, and few others, in the order in which they came in."""
    import tantivy

    index = _waited_for(folder, connection)
    try:
        parts = [_clause(index.schema, clause) for clause in clauses]
        return _numbers(index, tantivy.Query.boolean_query([(tantivy.Occur.Must, part) for part in parts]))
    except ValueError:
        # A beginning that some 16,000 words have is found by itself, but not at the end of a phrase.
        parts = [part for clause in clauses for part in _loosely(index.schema, clause)]
        return _numbers(index, tantivy.Query.boolean_query([(tantivy.Occur.Must, part) for part in parts]))


def _numbers(index: tantivy.Index, asked: tantivy.Query) -> list[int]:
    import tantivy

    searcher: Any = index.searcher()  # its published types lack the count
    # It makes room for as many as the limit says, so they are counted first.
    count = searcher.search(asked, limit=1).count
    if not count:
        return []
    found = searcher.search(asked, limit=count, count=False, order_by_field="number", order=tantivy.Order.Asc)
    return [number for number, _ in found.hits]


def _clause(schema: tantivy.Schema, clause: Clause) -> tantivy.Query:
    """Any of the phrases of a clause."""
    import tantivy

    of_phrase = _beginning if clause.prefix else _phrase
    asked = [of_phrase(schema, clause.stream, [word[:LONGEST] for word in each]) for each in clause.phrases]
    return tantivy.Query.boolean_query([(tantivy.Occur.Should, each) for each in asked])


def _loosely(schema: tantivy.Schema, clause: Clause) -> Iterator[tantivy.Query]:
    """The same, without asking that the beginning of a word stands right after the words before it."""
    phrase = [word[:LONGEST] for word in clause.phrases[0]]
    if not clause.prefix or len(phrase) == 1:
        yield _clause(schema, clause)
    else:
        yield _phrase(schema, clause.stream, phrase[:-1])
        yield _beginning(schema, clause.stream, phrase[-1:])


def _phrase(schema: tantivy.Schema, stream: str, words: list[str]) -> tantivy.Query:
    import tantivy

    if len(words) == 1:
        return tantivy.Query.term_query(schema, stream, words[0])
    return tantivy.Query.phrase_query(schema, stream, [*words])


def _beginning(schema: tantivy.Schema, stream: str, words: list[str]) -> tantivy.Query:
    """A phrase whose last word is a prefix."""
    import tantivy

    *before, last = words
    patterns = [*map(_literal, before), f"{_literal(last[:LONGEST_PREFIX])}.*"]
    if not before:
        return tantivy.Query.regex_query(schema, stream, patterns[0])
    return tantivy.Query.regex_phrase_query(schema, stream, [*patterns])


def _literal(word: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", word)


def _waited_for(folder: Path, connection: sqlite3.Connection) -> tantivy.Index:
    """The index, as soon as its mark equals SQLite's; each try reads the newest state of both."""
    until = time.monotonic() + PATIENCE_SECONDS
    while (index := _in_step(folder, connection)) is None:
        if time.monotonic() > until:
            raise UserError(f"The index {folder} is being made.", "Search again in a while.")
        connection.rollback()
        time.sleep(0.05)
        connection.execute("begin")
    return index


def _in_step(folder: Path, connection: sqlite3.Connection) -> tantivy.Index | None:
    """The index, if it has the mark that SQLite has."""
    must_be_installed()
    import tantivy

    mark = _mark(connection)
    if not mark or not folder.exists():
        return None
    try:
        index = tantivy.Index.open(str(folder))
        asked = tantivy.Query.term_query(index.schema, "mark", mark, "basic")
        return index if index.searcher().search(asked, limit=1).hits else None
    except (ValueError, OSError):  # cut short while it was made, or damaged
        return None


def _mark(connection: sqlite3.Connection) -> str:
    row = connection.execute("select value from meta where name = ?", (_MARK,)).fetchone()
    return row[0] if row else ""


def _schema() -> tantivy.Schema:
    import tantivy

    builder = tantivy.SchemaBuilder().add_unsigned_field("number", indexed=True, fast=True)
    builder.add_text_field("mark", tokenizer_name="raw", index_option="basic")
    for name in FIELDS:
        builder.add_text_field(name, tokenizer_name="whitespace", index_option="position")
    return builder.build()


def _add_all(writer: Writer, connection: sqlite3.Connection, language: Language) -> None:
    for number, *blobs in connection.execute(f"select number, {BLOBS} from texts order by number"):
        writer.add(number, taken_of(blobs, language).for_finder())
