"""The records that flow: a fetch in an archive, a page on its way, a document at rest.

Each stored record is a frozen dataclass, and its Arrow schema is read off the class, so that the two
can never differ.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import UTC, datetime
from functools import cache
from itertools import accumulate
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import xxhash

if TYPE_CHECKING:
    import pyarrow as pa
    from selectolax.lexbor import LexborHTMLParser

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
UNDETERMINED = "und"


def int64_hash(*parts: str) -> int:
    """A signed 64-bit key: the same on every machine, and a type that DuckDB and Spark share."""
    whole = parts[0] if len(parts) == 1 else "\0".join(parts)
    unsigned = xxhash.xxh3_64_intdigest(whole.encode("utf-8", "surrogatepass"))
    return unsigned - (1 << 64) if unsigned >= 1 << 63 else unsigned


@dataclass(frozen=True, slots=True)
class Verdict:
    """Kept, or dropped by the filter that `reason` names, with the numbers that decided."""

    kept: bool = True
    reason: str = ""
    detail: str = ""
    facts: Mapping[str, float] = field(default_factory=dict)


KEEP = Verdict()


def drop(reason: str, detail: str = "", **facts: float) -> Verdict:
    """The verdict of a filter that refuses a page.

    >>> drop("content_size", found=255, wanted=256).facts
    {'found': 255, 'wanted': 256}
    """
    return Verdict(kept=False, reason=reason, detail=detail, facts=facts)


class Paragraph(NamedTuple):
    """A span `text[start:end]` of a page's text, what kind of block it was, and its language.

    (A page has a hundred, and as many links: named tuples, as dataclasses take four times as long to make.)
    """

    start: int
    end: int
    kind: str = "p"
    language: str = UNDETERMINED
    confidence: float = 0.0
    languages: Mapping[str, int] = {}


class Link(NamedTuple):
    """A link as the page has it: absolute target, anchor text, `rel`, `hreflang`, and its element."""

    url: str
    anchor: str = ""
    rel: str = ""
    hreflang: str = ""
    element: str = "a"


@dataclass(frozen=True, slots=True)
class Evidence:
    """A license candidate: its kind, the URL or words that say so, and where on the page they stand."""

    kind: str
    value: str
    where: str


@dataclass(frozen=True, slots=True)
class Fetch:
    """One record of an archive: an attempt to fetch `url`, where it is stored, and how it went.

    `id` is the key of the fetch and of the document made from it. `outcome` is `ok`, `revisit`,
    or the reason why there is nothing to read.
    """

    id: int
    url_id: int
    url: str
    site: str
    round: int
    archive: str
    offset: int
    length: int
    record_id: str = ""
    kind: str = "response"
    date: datetime = EPOCH
    outcome: str = "ok"
    status: int = 0
    mime: str = ""
    payload_bytes: int = 0
    digest: str = ""
    truncated: bool = False
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """A page between archive and corpus. Stages return a `changed` copy; none changes it in place.

    `body` is the payload as received, freed of transfer and content encodings; `decoded` is its text where
    it is not UTF-8 from end to end. `tree` is the one parse that every stage shares and none may modify.
    `metas` are names, in lower case, and contents of its meta tags. `text` is the paragraphs joined by
    newlines; a paragraph holds no newline itself.
    """

    url: str
    body: bytes = b""
    fetch: Fetch | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    status: int = 200
    mime: str = ""
    truncated: bool = False
    decoded: str = field(default="", repr=False)
    charset: str = ""
    tree: LexborHTMLParser | None = field(default=None, compare=False, repr=False)
    metas: tuple[tuple[str, str], ...] = ()
    title: str = ""
    declared_language: str = ""
    canonical: str = ""
    author: str = ""
    published: str = ""
    text: str = ""
    paragraphs: tuple[Paragraph, ...] = ()
    links: tuple[Link, ...] = ()
    languages: Mapping[str, int] = field(default_factory=dict)
    target_bytes: int = 0
    target_characters: int = 0
    license: str = ""
    license_basis: str = ""
    licenses: tuple[Evidence, ...] = ()
    machine_translation: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    scores: Mapping[str, float] = field(default_factory=dict)
    verdict: Verdict = KEEP

    @property
    def html(self) -> str:
        """The markup as text. Few pages need it, so it is made anew for each."""
        return self.decoded or (self.body.decode("utf-8", "replace") if self.charset == "utf-8" else "")

    @property
    def utf8(self) -> bytes:
        """`html` in UTF-8: the body itself where it is that, up to what could not be decoded."""
        as_received = self.body and self.charset == "utf-8"
        return self.body if as_received else self.decoded.encode("utf-8", "surrogatepass")


@dataclass(frozen=True, slots=True)
class Document:
    """A page at rest, kept or dropped: its text, what was learned of it, and the verdict."""

    id: int
    url_id: int
    url: str
    site: str
    round: int
    archive: str
    offset: int
    record_id: str
    date: datetime
    status: int
    mime: str
    charset: str
    raw_bytes: int
    raw_digest: str
    truncated: bool
    title: str
    declared_language: str
    canonical: str
    author: str
    published: str
    text: str
    text_digest: str
    text_bytes: int
    tokens: int
    paragraphs: tuple[Paragraph, ...]
    languages: Mapping[str, int]
    language: str
    target_bytes: int
    target_characters: int
    license: str
    licenses: tuple[Evidence, ...]
    machine_translation: str
    labels: Mapping[str, str]
    scores: Mapping[str, float]
    verdict: Verdict
    license_basis: str = ""


@dataclass(frozen=True, slots=True)
class Edge:
    """A link in the graph: from a document to a canonical URL, with the evidence that it carries."""

    source_id: int
    source_url_id: int
    target_id: int
    target: str
    target_site: str
    round: int
    anchor: str
    rel: str
    hreflang: str
    element: str


@cache
def schema_of(record: type) -> pa.Schema:
    """The Arrow schema of a record class, field by field, in the types that both engines share."""
    import pyarrow as pa

    struct = _arrow_type(record)
    return pa.schema([struct.field(i) for i in range(struct.num_fields)])


def batch_of(records: Iterable[Any], record: type) -> pa.RecordBatch:
    """Records of one class as an Arrow batch of its schema."""
    import pyarrow as pa

    columns = _array(list(records), record)
    return pa.RecordBatch.from_struct_array(columns)


def record_of(cls: type, row: Mapping[str, Any]) -> Any:
    """The record of class `cls` that a row of its Arrow schema stands for."""
    return _reader(cls)(row)


_SCALARS = {int: "int64", str: "string", float: "float64", bool: "bool_", bytes: "binary"}


@cache
def _arrow_type(annotation: Any) -> pa.DataType:
    import pyarrow as pa

    if annotation in _SCALARS:
        return typing.cast("pa.DataType", getattr(pa, _SCALARS[annotation])())
    if annotation is datetime:
        return pa.timestamp("us", tz="UTC")
    if _is_record(annotation):
        return pa.struct([pa.field(name, _arrow_type(hint)) for name, hint in _hints(annotation).items()])
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is tuple:
        return pa.list_(_arrow_type(arguments[0]))
    if origin is Mapping:
        return pa.list_(pa.struct([("name", pa.string()), ("value", _arrow_type(arguments[1]))]))
    raise TypeError(f"no Arrow type for {annotation!r}")


def _array(values: Sequence[Any], annotation: Any) -> Any:
    """Values of one type as an Arrow array, column by column: half the cost of going row by row."""
    import pyarrow as pa

    if _is_record(annotation):
        hints = _hints(typing.cast(type, annotation))
        columns = [_array(list(map(attrgetter(name), values)), hint) for name, hint in hints.items()]
        return pa.StructArray.from_arrays(columns, fields=list(schema_of(typing.cast(type, annotation))))
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is tuple:
        flat = _array([item for items in values for item in items], arguments[0])
        return pa.ListArray.from_arrays(_offsets(values), flat)
    if origin is Mapping:
        names = pa.array([name for items in values for name in items], pa.string())
        flat = _array([value for items in values for value in items.values()], arguments[1])
        pairs = pa.StructArray.from_arrays([names, flat], names=["name", "value"])
        return pa.ListArray.from_arrays(_offsets(values), pairs)
    return pa.array(values, _arrow_type(annotation))


def _offsets(values: Sequence[Sized]) -> Any:
    import pyarrow as pa

    return pa.array([0, *accumulate(map(len, values))], pa.int32())


def _is_record(annotation: Any) -> bool:
    return is_dataclass(annotation) or hasattr(annotation, "_fields")


@cache
def _hints(record: type) -> dict[str, Any]:
    """The fields of a record with their types, in order."""
    hints = typing.get_type_hints(record)
    names = [f.name for f in fields(record)] if is_dataclass(record) else list(hints)
    return {name: hints[name] for name in names}


@cache
def _reader(annotation: Any) -> Callable[[Any], Any]:
    """The conversion from a row for a type, made once."""
    if _is_record(annotation):
        cls = typing.cast(Callable[..., Any], annotation)
        readers = [(name, _reader(hint)) for name, hint in _hints(cls).items()]
        return lambda row: cls(**{name: read(row[name]) for name, read in readers})
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is tuple:
        read = _reader(arguments[0])
        return lambda items: tuple(read(item) for item in items)
    if origin is Mapping:
        return lambda items: {item["name"]: item["value"] for item in items}
    return lambda value: value
