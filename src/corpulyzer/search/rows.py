"""The rows of the index: how a document goes in and how it comes out again."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import xxhash

from corpulyzer.search.ahead import ahead
from corpulyzer.search.lexicon import NOTHING_TOLD
from corpulyzer.search.packed import packed_rest, packed_spans
from corpulyzer.search.shards.shard import STREAMS
from corpulyzer.search.units import breaks_of, fold, plain, units_of

if TYPE_CHECKING:
    from corpulyzer.language import Language
    from corpulyzer.search.shards.store import Store

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
class Change:
    """An index while it is changed."""

    connection: sqlite3.Connection
    store: Store
    language: Language


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
    """A document with all that is stored of it, before anything is.

    `rest` is what its words do not tell of its text, `spans` where the tokens of its annotation stand.
    """

    entry: Entry
    content: bytes
    columns: Mapping[str, Sequence[str]]
    marks: Mapping[str, Sequence[int]]
    rest: bytes
    spans: bytes | None


def _ready(offer: Offer, language: Language) -> _Ready:
    entry = offer.entry()
    text = plain(entry.text)
    units = units_of(text, language)
    tokens = [fold(text[start:end], language) for start, end in entry.tokens]
    count = len(entry.tokens or units.words)
    annotated = (_aligned(each, count) for each in (entry.lemmas, entry.tags, entry.xtags))
    columns = dict(zip(STREAMS, (units.words, tokens, *annotated), strict=True))
    sentences = sorted({0, *(last + 1 for last in entry.sentences)}) if tokens else []
    marks = {
        "breaks": breaks_of(text, units.spans),
        "token_breaks": breaks_of(text, entry.tokens),
        "sentences": [place for place in sentences if place < len(tokens)],
    }
    rest = packed_rest(text, units)
    return _Ready(entry, offer.content, columns, marks, rest, packed_spans(entry.tokens))


def add(change: Change, part: int, offers: Iterable[Offer]) -> int:
    """Take in documents, and return how many there were.

    SQLite needs no Python while it stores a document, so the next ones are cut and packed meanwhile.
    """
    connection = change.connection
    last = change.store.last()
    sites: Counter[int] = Counter()
    words: Counter[int] = Counter()
    known = {site: key for key, site in connection.execute("select number, site from sites")}
    number = last
    for number, it in enumerate(ahead(_ready(offer, change.language) for offer in offers), last + 1):
        entry, size = it.entry, len(it.columns["words"])
        if entry.site not in known:
            connection.execute("insert into sites (site, documents, words) values (?, 0, 0)", (entry.site,))
            (known[entry.site],) = connection.execute("select last_insert_rowid()").fetchone()
        site = known[entry.site]
        sites[site] += 1
        words[site] += size
        row = (number, part, entry.id, site, entry.license, entry.date, entry.quality)
        connection.execute(
            "insert into documents values (?,?,?,?,?,?,?,?,?,?)", (*row, size, entry.url, entry.title)
        )
        connection.execute("insert into texts values (?,?,?)", (number, it.rest, it.spans))
        connection.execute("insert into contents values (?,?)", (number, it.content))
        about = {"sites": (entry.site,), "licenses": (entry.license or "",)}
        change.store.add(number, entry.date, {**it.columns, **about}, it.marks)
    connection.executemany(_COUNT_SITES, ((count, words[site], site) for site, count in sites.items()))
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
    connection = change.connection
    sql = "select site, words from documents where number = ?"
    for number in numbers:
        site, words = connection.execute(sql, (number,)).fetchone()
        connection.execute(_COUNT_SITES, (-1, -words, site))
        for table in ("documents", "texts", "contents"):
            connection.execute(f"delete from {table} where number = ?", (number,))
    change.store.take_out(numbers)
    connection.execute("delete from sites where documents <= 0")


def _aligned(values: Sequence[str], tokens: int) -> list[str]:
    """Values of an annotation, one for each token; an empty list if there are more or fewer."""
    if len(values) != tokens:
        return []
    return ["_".join(value.split()) or NOTHING_TOLD for value in values]
