"""The rows of the index: how a document goes in and how it comes out again."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from operator import methodcaller
from typing import TYPE_CHECKING, Any, Protocol

import xxhash

from corpulyzer.search.ahead import ahead
from corpulyzer.search.units import fold, plain, units_of

if TYPE_CHECKING:
    from corpulyzer.language import Language

LEVEL = 6
_PARTED = methodcaller("partition", "-")
BLOBS = "text, tokens, lemmas, tags, xtags"
_COUNT_WORDS = """
insert into words values (?, ?, ?) on conflict (word) do update
set count = count + excluded.count, documents = documents + excluded.documents
"""
_COUNT_SITES = "update sites set documents = documents + ?, words = words + ? where number = ?"


@dataclass(frozen=True, slots=True)
class Entry:
    """A document as the index takes it. Annotations are one for each of its `tokens`, or none.

    `tokens` are where the tokens of the annotation stand in the text without soft hyphens; without them, they
    are the units of the text. `tags` are universal, `xtags` those of the language's own set.
    """

    id: int
    url: str
    site: str
    title: str
    license: str
    date: int
    quality: float | None
    text: str
    tokens: Sequence[tuple[int, int]] = ()
    lemmas: Sequence[str] = ()
    tags: Sequence[str] = ()
    xtags: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Streams:
    """A text out of the index, with what stands at each of its units."""

    text: str
    spans: list[tuple[int, int]]
    words: list[str]
    lemmas: list[str]
    tags: list[str]
    xtags: list[str]


@dataclass(frozen=True, slots=True)
class Offer:
    """A document that the index may have: a digest of all that it takes of it, and the way to get it."""

    id: int
    content: bytes
    entry: Callable[[], Entry]

    @staticmethod
    def of(entry: Entry) -> Offer:
        """An entry that is there already."""
        content = xxhash.xxh3_128_digest(repr(entry).encode("utf-8", "surrogatepass"))
        return Offer(entry.id, content, lambda: entry)


class Finder(Protocol):
    """What finds documents by their words; streams are words, lemmas, tags and own tags."""

    def add(self, number: int, streams: Sequence[str], /) -> None:
        """Take in a document."""

    def take_out(self, number: int, streams: Sequence[str], /) -> None:
        """Forget a document, of which these are the streams that it came with."""


@dataclass(frozen=True, slots=True)
class Change:
    """An index while it is changed."""

    connection: sqlite3.Connection
    finder: Finder
    language: Language


def streams_of(row: Sequence[Any], language: Language, near: tuple[str, ...] = ()) -> Streams:
    """The words of a row of `texts`, and what its annotation says, which may be cut otherwise.

    With `near`, only the paragraphs that hold one of these strings.
    """
    text, _, *annotated = map(unpack, row)
    units = units_of(text, language, near)
    return Streams(text, units.spans, units.words, *(stream.split() for stream in annotated))


def annotated_streams_of(row: Sequence[Any], language: Language) -> Streams:
    """The streams of a row of `texts`, cut as its annotation is, so that they agree with exports of it."""
    found = streams_of(row, language)
    spans = [(int(start), int(end)) for start, _, end in map(_PARTED, unpack(row[1]).split())]
    if not spans:
        return found
    return replace(found, spans=spans, words=[fold(found.text[start:end], language) for start, end in spans])


def pack(text: str) -> bytes | None:
    """A text as a blob; None if there is none."""
    return _compressor().compress(text.encode("utf-8", "surrogatepass")) if text else None


def unpack(blob: bytes | None) -> str:
    """The text of a blob."""
    return _decompressor().decompress(blob).decode("utf-8", "surrogatepass") if blob else ""


def part(change: Change, name: str, made_of: str) -> int:
    """The number of a part, which from now on is made of something else than before."""
    sql = "insert into parts (name, signature) values (?, ?) on conflict (name) do update set signature = ?"
    change.connection.execute(sql, (name, made_of, made_of))
    (number,) = change.connection.execute("select number from parts where name = ?", (name,)).fetchone()
    return int(number)


def follow(change: Change, part: int, offers: Iterable[Offer]) -> int:
    """Give a part the documents that are offered; return how many went in or out, for all others stay."""
    sql = "select id, content, number from documents left join contents using (number) where part = ?"
    rows = change.connection.execute(sql, (part,)).fetchall()
    there = {(key, content): number for key, content, number in rows}
    staying = set()

    def new() -> Iterator[Offer]:
        for offer in offers:
            number = there.get((offer.id, offer.content))
            if number is None:
                yield offer
            else:
                staying.add(number)

    came = add(change, part, new())
    gone = [number for _, _, number in rows if number not in staying]
    take_out(change, gone)
    return came + len(gone)


@dataclass(frozen=True, slots=True)
class _Ready:
    """A document with all that is stored of it, before anything is: words, packed text, streams of words."""

    entry: Entry
    content: bytes
    words: list[str]
    blobs: tuple[bytes | None, ...]
    streams: tuple[str, ...]


def _ready(offer: Offer, language: Language) -> _Ready:
    entry = offer.entry()
    text = plain(entry.text)
    words = units_of(text, language).words
    count = len(entry.tokens or words)
    annotated = [" ".join(_aligned(each, count)) for each in (entry.lemmas, entry.tags, entry.xtags)]
    tokens = " ".join(f"{start}-{end}" for start, end in entry.tokens)
    blobs = tuple(map(pack, (text, tokens, *annotated)))
    return _Ready(entry, offer.content, words, blobs, (" ".join(words), *annotated))


def add(change: Change, part: int, offers: Iterable[Offer]) -> int:
    """Take in documents, count their words, and return how many there were.

    SQLite needs no Python while it stores a document, so the next ones are cut and packed meanwhile.
    """
    connection = change.connection
    (last,) = connection.execute("select coalesce(max(number), 0) from documents").fetchone()
    tally = _Tally()
    known = {site: key for key, site in connection.execute("select number, site from sites")}
    number = last
    for number, it in enumerate(ahead(_ready(offer, change.language) for offer in offers), last + 1):
        entry = it.entry
        if entry.site not in known:
            connection.execute("insert into sites (site, documents, words) values (?, 0, 0)", (entry.site,))
            (known[entry.site],) = connection.execute("select last_insert_rowid()").fetchone()
        tally.count(it.words, known[entry.site])
        row = (number, part, entry.id, known[entry.site], entry.license, entry.date, entry.quality)
        connection.execute(
            "insert into documents values (?,?,?,?,?,?,?,?,?,?)",
            (*row, len(it.words), entry.url, entry.title),
        )
        connection.execute("insert into texts values (?,?,?,?,?,?)", (number, *it.blobs))
        connection.execute("insert into contents values (?,?)", (number, it.content))
        change.finder.add(number, it.streams)
    tally.store(connection, 1)
    return int(number - last)


def forget(change: Change, name: str) -> None:
    """Take out a part, if it is there."""
    connection = change.connection
    row = connection.execute("select number from parts where name = ?", (name,)).fetchone()
    if row is None:
        return
    numbers = [n for (n,) in connection.execute("select number from documents where part = ?", row)]
    take_out(change, numbers)
    connection.execute("delete from parts where number = ?", row)


def take_out(change: Change, numbers: Sequence[int]) -> None:
    """Delete documents."""
    connection, tally = change.connection, _Tally()
    sql = f"select {BLOBS}, site from texts join documents using (number) where number = ?"
    for number in numbers:
        *blobs, site = connection.execute(sql, (number,)).fetchone()
        streams = streams_of(blobs, change.language)
        tally.count(streams.words, site)
        given = (streams.words, streams.lemmas, streams.tags, streams.xtags)
        change.finder.take_out(number, [*map(" ".join, given)])
        connection.execute("delete from documents where number = ?", (number,))
        connection.execute("delete from texts where number = ?", (number,))
        connection.execute("delete from contents where number = ?", (number,))
    tally.store(connection, -1)
    empty = ((word,) for word in sorted(tally.words))
    connection.executemany("delete from words where word = ? and count <= 0", empty)
    connection.execute("delete from sites where documents <= 0")


@dataclass(frozen=True, slots=True)
class _Tally:
    """Counts of many documents, stored at once."""

    words: Counter[str] = field(default_factory=Counter)
    documents: Counter[str] = field(default_factory=Counter)
    sites: dict[int, tuple[int, int]] = field(default_factory=dict)

    def count(self, words: Sequence[str], site: int) -> None:
        self.words.update(words)
        self.documents.update(set(words))
        documents, before = self.sites.get(site, (0, 0))
        self.sites[site] = (documents + 1, before + len(words))

    def store(self, connection: sqlite3.Connection, sign: int) -> None:
        """Add the counts to what is stored, or with sign -1 take them off."""
        counts = ((word, sign * self.words[word], sign * self.documents[word]) for word in sorted(self.words))
        connection.executemany(_COUNT_WORDS, counts)
        sites = ((sign * documents, sign * words, site) for site, (documents, words) in self.sites.items())
        connection.executemany(_COUNT_SITES, sites)


def _aligned(values: Sequence[str], tokens: int) -> list[str]:
    """Values of an annotation, one for each token; an empty list if there are more or fewer."""
    if len(values) != tokens:
        return []
    return ["_".join(value.split()) or "_" for value in values]


@cache
def _compressor() -> Any:
    import zstandard

    return zstandard.ZstdCompressor(level=LEVEL)


@cache
def _decompressor() -> Any:
    import zstandard

    return zstandard.ZstdDecompressor()
