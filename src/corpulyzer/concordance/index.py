"""The index on disk: one SQLite file, brought up to date part by part.

FTS5 is handed the words already cut and folded, a space between each two, and cuts at nothing but spaces and
what no word can hold. So its words are those of the tokeniser, whatever the script and however old the
tables of characters that SQLite was built with. Texts are stored beside the index, compressed, because a
line of a concordance needs a few of them at once and Parquet gives thousands.
"""

from __future__ import annotations

import sqlite3
import string
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpulyzer.concordance.units import plain, units_of
from corpulyzer.errors import UserError

if TYPE_CHECKING:
    from corpulyzer.language import Language

VERSION = "1"
CACHE_KIBIBYTES = 200_000
PENDING_BYTES = 64 << 20
LEVEL = 6
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
create table texts (number integer primary key, text blob, lemmas blob, tags blob);
create table words (word text primary key, count integer, documents integer) without rowid;
create virtual table streams using fts5(
    words, lemmas, tags, content='', columnsize=0, tokenize="ascii tokenchars '{_ALL_MARKS}'''"
);
insert into streams (streams, rank) values ('hashsize', {PENDING_BYTES});
"""
_COUNT_WORDS = """
insert into words values (?, ?, ?) on conflict (word) do update
set count = count + excluded.count, documents = documents + excluded.documents
"""
_COUNT_SITES = """
insert into sites (site, documents, words) values (?, ?, ?) on conflict (site) do update
set documents = documents + excluded.documents, words = words + excluded.words
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """A document as the index takes it. `lemmas` and `tags` are one for each unit of its text, or none."""

    id: int
    url: str
    site: str
    title: str
    license: str
    date: int
    quality: float | None
    text: str
    lemmas: Sequence[str] = ()
    tags: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Index:
    """The index of one corpus, in a file of its own."""

    path: Path
    language: Language

    def stale(self, parts: Mapping[str, str]) -> tuple[list[str], list[str]]:
        """The parts to be taken in (again), and those that are gone, told by their signatures."""
        if not self.path.exists():
            return list(parts), []
        with self._open() as connection:
            known = dict(connection.execute("select name, signature from parts"))
        changed = [name for name, signature in parts.items() if known.get(name) != signature]
        return changed, [name for name in known if name not in parts]

    def put(self, name: str, signature: str, entries: Iterable[Entry]) -> None:
        """Take in a part, in place of what there was of it; all of it or nothing."""
        with self.writing() as connection:
            _forget(connection, name, self.language)
            connection.execute("insert into parts (name, signature) values (?, ?)", (name, signature))
            (part,) = connection.execute("select last_insert_rowid()").fetchone()
            _add(connection, part, entries, self.language)

    def forget(self, name: str) -> None:
        """Take out a part."""
        with self.writing() as connection:
            _forget(connection, name, self.language)

    def remove(self, ids: Iterable[int]) -> int:
        """Take out single documents, so that nothing of them is left; return how many there were."""
        with self.writing() as connection:
            numbers = [
                number
                for key in ids
                for (number,) in connection.execute("select number from documents where id = ?", (key,))
            ]
            _take_out(connection, numbers, self.language)
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
        if not self.path.exists():
            return
        with self._open() as connection:
            try:
                found = connection.execute("select value from meta where name = 'made by'").fetchone()
            except sqlite3.DatabaseError:
                found = None
        if found is None or found[0] != self._made_by:
            for ending in ("", "-wal", "-shm"):
                Path(f"{self.path}{ending}").unlink(missing_ok=True)

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


@dataclass(frozen=True, slots=True)
class Streams:
    """A text out of the index, with what stands at each of its units."""

    text: str
    spans: list[tuple[int, int]]
    words: list[str]
    lemmas: list[str]
    tags: list[str]


def streams_of(row: Sequence[Any], language: Language) -> Streams:
    """The streams of a row of `texts`."""
    text, lemmas, tags = (unpack(blob) for blob in row)
    units = units_of(text, language)
    return Streams(text, units.spans, units.words, lemmas.split(), tags.split())


def pack(text: str) -> bytes | None:
    """A text as a blob; None if there is none."""
    return _compressor().compress(text.encode("utf-8", "surrogatepass")) if text else None


def unpack(blob: bytes | None) -> str:
    """The text of a blob."""
    return _decompressor().decompress(blob).decode("utf-8", "surrogatepass") if blob else ""


def _add(connection: sqlite3.Connection, part: int, entries: Iterable[Entry], language: Language) -> None:
    (last,) = connection.execute("select coalesce(max(number), 0) from documents").fetchone()
    counts: Counter[str] = Counter()
    spread: Counter[str] = Counter()
    sites: dict[str, list[int]] = {}
    known = {site: key for key, site in connection.execute("select number, site from sites")}
    for number, entry in enumerate(entries, last + 1):
        text = plain(entry.text)
        words = units_of(text, language).words
        counts.update(words)
        spread.update(set(words))
        if entry.site not in known:
            connection.execute("insert into sites (site, documents, words) values (?, 0, 0)", (entry.site,))
            (known[entry.site],) = connection.execute("select last_insert_rowid()").fetchone()
        tally = sites.setdefault(entry.site, [0, 0])
        tally[0], tally[1] = tally[0] + 1, tally[1] + len(words)
        row = (number, part, entry.id, known[entry.site], entry.license, entry.date, entry.quality)
        connection.execute(
            "insert into documents values (?,?,?,?,?,?,?,?,?,?)", (*row, len(words), entry.url, entry.title)
        )
        streams = (
            _stream(words),
            _stream(_aligned(entry.lemmas, words)),
            _stream(_aligned(entry.tags, words)),
        )
        connection.execute(
            "insert into texts values (?,?,?,?)", (number, pack(text), pack(streams[1]), pack(streams[2]))
        )
        connection.execute(
            "insert into streams (rowid, words, lemmas, tags) values (?,?,?,?)", (number, *streams)
        )
    connection.executemany(_COUNT_WORDS, ((w, counts[w], spread[w]) for w in sorted(counts)))
    connection.executemany(_COUNT_SITES, ((site, *tally) for site, tally in sites.items()))


def _forget(connection: sqlite3.Connection, name: str, language: Language) -> None:
    row = connection.execute("select number from parts where name = ?", (name,)).fetchone()
    if row is None:
        return
    numbers = [n for (n,) in connection.execute("select number from documents where part = ?", row)]
    _take_out(connection, numbers, language)
    connection.execute("delete from parts where number = ?", row)


def _take_out(connection: sqlite3.Connection, numbers: Sequence[int], language: Language) -> None:
    """Delete documents; FTS5 wants to be told the very words that it was given."""
    counts: Counter[str] = Counter()
    spread: Counter[str] = Counter()
    for number in numbers:
        row = connection.execute(
            "select text, lemmas, tags from texts where number = ?", (number,)
        ).fetchone()
        streams = streams_of(row, language)
        counts.subtract(streams.words)
        spread.subtract(set(streams.words))
        given = (_stream(streams.words), " ".join(streams.lemmas), " ".join(streams.tags))
        connection.execute(
            "insert into streams (streams, rowid, words, lemmas, tags) values ('delete',?,?,?,?)",
            (number, *given),
        )
        connection.execute(
            "update sites set documents = documents - 1, words = words - ?"
            " where number = (select site from documents where number = ?)",
            (len(streams.words), number),
        )
        connection.execute("delete from documents where number = ?", (number,))
        connection.execute("delete from texts where number = ?", (number,))
    connection.executemany(_COUNT_WORDS, ((w, counts[w], spread[w]) for w in sorted(counts)))
    connection.execute("delete from words where count <= 0")
    connection.execute("delete from sites where documents <= 0")


def _stream(values: Sequence[str]) -> str:
    return " ".join(values)


def _aligned(values: Sequence[str], words: Sequence[str]) -> list[str]:
    """Values of an annotation, one for each unit; none where they are not as many."""
    if len(values) != len(words) or not words:
        return []
    return [value.replace(" ", "_") or "_" for value in values]


@cache
def _compressor() -> Any:
    import zstandard

    return zstandard.ZstdCompressor(level=LEVEL)


@cache
def _decompressor() -> Any:
    import zstandard

    return zstandard.ZstdDecompressor()
