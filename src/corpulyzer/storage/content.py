"""What a Parquet file says of itself in its footer, and the identity of its rows."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from corpulyzer.errors import UserError
from corpulyzer.storage.location import is_remote, normalize, open_input

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

MADE_OF, VERSION = b"made_of", b"version"
RANGED = "language", "site"
"""The columns of text whose smallest and largest value is told of each file."""
PARQUET_END = b"PAR1"
BLOCK = 1 << 20
ROWS_AT_ONCE = 1_000


class DamagedError(UserError):
    """A Parquet file that is missing or not whole."""

    def __init__(self, location: str, what: str) -> None:
        # Where the files of a table are not listed, its log says that this one is there.
        log = ", and the log of its table below parts/," if is_remote(location) else ","
        super().__init__(
            f"{location} is {what}.",
            f"Delete it if it is there{log} and run `corpulyzer process`, which makes it again from the "
            "archives.",
        )


@contextmanager
def open_parquet(location: str) -> Iterator[pq.ParquetFile]:
    """A Parquet file, open; DamagedError if it is missing or not whole."""
    with _opened(location) as (_, parquet):
        yield parquet


@contextmanager
def _opened(location: str) -> Iterator[tuple[pa.NativeFile, pq.ParquetFile]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = open_input(location)
    except FileNotFoundError:
        raise DamagedError(location, "missing") from None
    with file:
        try:
            parquet = pq.ParquetFile(file)
        except pa.ArrowInvalid:
            raise DamagedError(location, "damaged") from None
        with parquet:
            yield file, parquet


class Footer(NamedTuple):
    """What a file was made of, the identity of its rows, how many there are, and its size.

    `ranges` says between which values some columns are (`may_hold`). A text is empty where the file does not
    say it.
    """

    made_of: str
    version: str
    rows: int
    bytes: int
    ranges: str


def footer_of(location: str) -> Footer:
    """What the footer of a Parquet file says."""
    with _opened(location) as (file, parquet):
        said = parquet.metadata.metadata or {}
        rows, size, ranges = int(parquet.metadata.num_rows), int(file.size()), _ranges(parquet.metadata)
    return Footer(said.get(MADE_OF, b"").decode(), said.get(VERSION, b"").decode(), rows, size, ranges)


def _ranges(metadata: pq.FileMetaData) -> str:
    """The smallest and the largest value of columns, as JSON: a log of many parts is read sooner so."""
    numbers = {metadata.schema.column(number).path: number for number in range(metadata.num_columns)}
    found = {name: _range(metadata, numbers[name]) for name in RANGED if name in numbers}
    told = {name: ends for name, ends in found.items() if ends}
    return json.dumps(told, ensure_ascii=False) if told else ""


def _range(metadata: pq.FileMetaData, column: int) -> list[str]:
    """The smallest and the largest text of a column; nothing where not all of the file says them."""
    groups = map(metadata.row_group, range(metadata.num_row_groups))
    said: list[Any] = [group.column(column).statistics for group in groups]
    if not said or not all(each is not None and each.has_min_max for each in said):
        return []
    ends = [min(each.min for each in said), max(each.max for each in said)]
    return ends if all(isinstance(end, str) for end in ends) else []


def may_hold(ranges: str, asked: Mapping[str, str]) -> bool:
    """Whether a file with such ranges may have rows with these values.

    >>> of = '{"language": ["hrv", "slv"]}'
    >>> [may_hold(of, {"language": code}) for code in ("bos", "hrv", "mkd", "srp")]
    [False, True, True, False]
    >>> may_hold("", {"language": "bos"}), may_hold(of, {"site": "a.example"})
    (True, True)
    """
    known = json.loads(ranges) if ranges else {}
    return all(known[name][0] <= value <= known[name][1] for name, value in asked.items() if name in known)


def is_whole(location: str) -> bool:
    """Whether a file is there and ends as Parquet files do; one that was cut short does not."""
    try:
        with open_input(location) if is_remote(location) else open(normalize(location), "rb") as file:
            file.seek(-len(PARQUET_END), 2)
            return bool(file.read() == PARQUET_END)
    except OSError:
        return False


def digest_of_rows(first: str, *more: str) -> str:
    """The identity of the rows of Parquet files, one behind the other; they need not say it."""
    with open_parquet(first) as parquet:
        found = ContentDigest(parquet.schema_arrow)
    for location in (first, *more):
        with open_parquet(location) as parquet:
            for batch in parquet.iter_batches(ROWS_AT_ONCE, use_threads=False):
                found.update(batch)
    return found.hexdigest()


def digest_of_file(location: str) -> str:
    """A short hash of a file's bytes."""
    import hashlib

    found = hashlib.sha256()
    with open_input(location) as file:
        while block := file.read(BLOCK):
            found.update(block)
    return found.hexdigest()[:16]


def is_empty_text(said: pq.Statistics | None) -> bool:
    """Whether the statistics of a column say that it is an empty string in every row."""
    if said is None or not said.has_min_max or said.null_count:
        return False
    return bool(said.min == "" and said.max == "")


class ContentDigest:
    """A hash of rows in their order: equal rows have the same, in whatever batches they came.

    Metadata, compression and what memory holds beside the values have no part in it: each column is hashed by
    itself, lengths apart from values, and nulls by their places.
    """

    def __init__(self, schema: pa.Schema) -> None:
        self._columns = schema.names
        self._found: dict[str, Any] = {}
        self._seen: dict[str, int] = {}

    def update(self, batch: pa.RecordBatch) -> None:
        """Take in rows of the schema."""
        for name, column in zip(self._columns, batch.columns, strict=True):
            self._take(name, column)

    def hexdigest(self) -> str:
        """The hash of all rows so far."""
        import xxhash

        parts = [f"{name} {found.hexdigest()}" for name, found in sorted(self._found.items())]
        return str(xxhash.xxh3_128_hexdigest("\n".join([*self._columns, *parts]).encode()))

    def _take(self, name: str, array: Any) -> None:
        import pyarrow as pa
        import pyarrow.compute as pc

        kind, seen = array.type, self._seen.get(name, 0)
        self._seen[name] = seen + len(array)
        if array.null_count:
            places = pc.indices_nonzero(array.is_null()).to_pylist()
            self._hash(f"{name} null", "".join(f"{seen + place} " for place in places).encode())
        if pa.types.is_struct(kind):
            for number, field in enumerate(array.flatten()):
                self._take(f"{name} {number}", field)
        elif pa.types.is_list(kind):
            self._take(f"{name} length", _filled(pc.list_value_length(array), 0))
            self._take(f"{name} item", array.flatten())
        elif pa.types.is_string(kind) or pa.types.is_binary(kind):
            self._take_text(name, _filled(array, "" if pa.types.is_string(kind) else b""))
        elif pa.types.is_boolean(kind):
            self._take_numbers(name, _filled(array, False).cast(pa.uint8()))
        elif pa.types.is_timestamp(kind):
            self._take_numbers(name, _filled(array.cast(pa.int64()), 0))
        elif pa.types.is_integer(kind) or pa.types.is_floating(kind):
            self._take_numbers(name, _filled(array, 0))
        else:
            self._hash(name, "".join(f"{value!r}\n" for value in array.to_pylist()).encode())

    def _take_numbers(self, name: str, array: Any) -> None:
        width = array.type.bit_width // 8
        values = memoryview(array.buffers()[1] or b"")
        self._hash(name, values[array.offset * width : (array.offset + len(array)) * width])

    def _take_text(self, name: str, array: Any) -> None:
        import pyarrow.compute as pc

        if len(array):
            self._take_numbers(f"{name} length", pc.binary_length(array))
            _, offsets, values = array.buffers()
            ends = memoryview(offsets).cast("B").cast("i")
            first, last = ends[array.offset], ends[array.offset + len(array)]
            self._hash(name, memoryview(values or b"")[first:last])

    def _hash(self, name: str, content: bytes | memoryview) -> None:
        import xxhash

        if name not in self._found:
            self._found[name] = xxhash.xxh3_128()
        self._found[name].update(content)


def _filled(array: Any, value: object) -> Any:
    """The array with a value for each null. (To fill imports pandas where it is installed: .3 s.)"""
    return array.fill_null(value) if array.null_count else array
