"""The rows of the index: how a document goes in and how it comes out again."""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
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
    from corpulyzer.search.conditions import Stream

LEVEL = 6
_PARTED = methodcaller("partition", "-")
STREAMS = ("words", "tokens", "lemmas", "tags", "xtags")
"""The streams that are counted; `tokens` are those of an annotation that are none of the words."""
BLOBS = "text, tokens, lemmas, tags, xtags"
_COUNT_VALUES = """
insert into lexicon values (?, ?, ?, ?) on conflict (stream, value) do update
set count = count + excluded.count, documents = documents + excluded.documents
"""
_COUNT_SITES = "update sites set documents = documents + ?, words = words + ? where number = ?"


@dataclass(frozen=True, slots=True)
class Entry:
    """A document as the index takes it. Annotations are one for each of its `tokens`, or none.

    `tokens` are where the tokens of the annotation stand in the text without soft hyphens; without them, they
    are the units of the text. `sentences` are the numbers of the tokens with which sentences end. `tags` are
    universal, `xtags` those of the language's own set.
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
    sentences: Sequence[int] = ()
    lemmas: Sequence[str] = ()
    tags: Sequence[str] = ()
    xtags: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Streams:
    """A text out of the index, with what stands at each of its units.

    `sentences` are the characters at which the sentences of its annotation end.
    """

    text: str
    spans: list[tuple[int, int]]
    words: list[str]
    lemmas: list[str]
    tags: list[str]
    xtags: list[str]
    sentences: list[int] = field(default_factory=list)

    def column(self, stream: Stream) -> list[str]:
        """What a stream has at each unit."""
        if stream == "forms":
            return [self.text[start:end] for start, end in self.spans]
        column: list[str] = getattr(self, stream)
        return column


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


@dataclass(frozen=True, slots=True)
class Taken:
    """What is counted of a document, and found. `tokens` are those of its annotation that are no words."""

    words: Sequence[str]
    tokens: Sequence[str]
    lemmas: Sequence[str]
    tags: Sequence[str]
    xtags: Sequence[str]

    @staticmethod
    def of(words: Sequence[str], tokens: Sequence[str], annotated: Iterable[Sequence[str]]) -> Taken:
        """The streams of a document, of which the annotation has all tokens."""
        known = set(words)
        return Taken(words, [token for token in tokens if token not in known], *annotated)

    def for_finder(self) -> list[str]:
        """Its words, lemmas and tags; marks and parts of words stand behind the words, once each."""
        words = [*self.words, *sorted(set(self.tokens))]
        return [" ".join(each) for each in (words, self.lemmas, self.tags, self.xtags)]


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
    lemmas, tags, xtags = (stream.split() for stream in annotated)
    return Streams(text, units.spans, units.words, lemmas, tags, xtags)


def annotated_streams_of(row: Sequence[Any], language: Language) -> Streams:
    """The streams of a row of `texts`, cut as its annotation is, so that they agree with exports of it."""
    found = streams_of(row, language)
    lines = [
        [(int(start), int(end)) for start, _, end in map(_PARTED, line.split())]
        for line in unpack(row[1]).split("\n")
    ]
    spans = [span for line in lines for span in line]
    if not spans:
        return found
    words = [fold(found.text[start:end], language) for start, end in spans]
    return replace(found, spans=spans, words=words, sentences=[line[-1][1] for line in lines if line])


def taken_of(row: Sequence[Any], language: Language) -> Taken:
    """What was counted and found of a row of `texts`."""
    cut, told = streams_of(row, language), annotated_streams_of(row, language)
    return Taken.of(cut.words, told.words, (cut.lemmas, cut.tags, cut.xtags))


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
    """A document with all that is stored of it, before anything is: packed texts, and what is counted."""

    entry: Entry
    content: bytes
    taken: Taken
    blobs: tuple[bytes | None, ...]
    streams: list[str]


def _ready(offer: Offer, language: Language) -> _Ready:
    entry = offer.entry()
    text = plain(entry.text)
    words = units_of(text, language).words
    tokens = [fold(text[start:end], language) for start, end in entry.tokens]
    count = len(entry.tokens or words)
    annotated = [_aligned(each, count) for each in (entry.lemmas, entry.tags, entry.xtags)]
    blobs = tuple(map(pack, (text, _places(entry.tokens, entry.sentences), *map(" ".join, annotated))))
    taken = Taken.of(words, tokens, annotated)
    return _Ready(entry, offer.content, taken, blobs, taken.for_finder())


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
        tally.count(it.taken, known[entry.site])
        row = (number, part, entry.id, known[entry.site], entry.license, entry.date, entry.quality)
        connection.execute(
            "insert into documents values (?,?,?,?,?,?,?,?,?,?)",
            (*row, len(it.taken.words), entry.url, entry.title),
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
        taken = taken_of(blobs, change.language)
        tally.count(taken, site)
        change.finder.take_out(number, taken.for_finder())
        connection.execute("delete from documents where number = ?", (number,))
        connection.execute("delete from texts where number = ?", (number,))
        connection.execute("delete from contents where number = ?", (number,))
    tally.store(connection, -1)
    sql = "delete from lexicon where stream = ? and value = ? and count <= 0"
    connection.executemany(sql, tally.seen())
    connection.execute("delete from sites where documents <= 0")


@dataclass(frozen=True, slots=True)
class _Tally:
    """Counts of many documents, stored at once."""

    values: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    documents: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    sites: dict[int, tuple[int, int]] = field(default_factory=dict)

    def count(self, taken: Taken, site: int) -> None:
        """Count a document."""
        for stream in STREAMS:
            values = getattr(taken, stream)
            self.values[stream].update(values)
            self.documents[stream].update(set(values))
        documents, before = self.sites.get(site, (0, 0))
        self.sites[site] = (documents + 1, before + len(taken.words))

    def store(self, connection: sqlite3.Connection, sign: int) -> None:
        """Add the counts to what is stored, or with sign -1 take them off."""
        counts = (
            (stream, value, sign * values[value], sign * self.documents[stream][value])
            for stream, values in self.values.items()
            for value in sorted(values)
        )
        connection.executemany(_COUNT_VALUES, counts)
        sites = ((sign * documents, sign * words, site) for site, (documents, words) in self.sites.items())
        connection.executemany(_COUNT_SITES, sites)

    def seen(self) -> Iterator[tuple[str, str]]:
        """What was counted: streams and values."""
        return ((stream, value) for stream, values in self.values.items() for value in sorted(values))


def _places(tokens: Sequence[tuple[int, int]], sentences: Sequence[int]) -> str:
    """Where tokens stand, a line for each sentence."""
    last = frozenset(sentences)
    marks = ("\n" if number in last else " " for number in range(len(tokens)))
    pairs = zip(tokens, marks, strict=True)
    return "".join(f"{start}-{end}{mark}" for (start, end), mark in pairs).rstrip()


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
