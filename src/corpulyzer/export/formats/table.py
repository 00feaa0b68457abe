"""Parquet in the layout of the Hugging Face hub, with its card, and described by Croissant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from itertools import accumulate, groupby, islice
from typing import TYPE_CHECKING

from corpulyzer.export.files import Written, noted, write_file
from corpulyzer.export.formats import Format, Options, Work, batches_of
from corpulyzer.export.published import Published
from corpulyzer.export.render import Material
from corpulyzer.export.shares import Write
from corpulyzer.records.columns import schema_of
from corpulyzer.storage import ParquetSink, Storage, copy_to
from corpulyzer.storage.content import footer_of

if TYPE_CHECKING:
    import pyarrow as pa

FILE_BYTES = 1 << 30
FEW_FILES = 64
"""Up to so many shards are copied, each as a file of its own, so that an export costs what is new in it."""
SMALL_BYTES = 16 << 20
"""Of more shards, smaller ones are joined: of a language that few pages of each archive are in, there would
be tens of thousands of files else, which takes more of readers and stores than to write them anew."""
JOINED_BYTES = 128 << 20
"""Joined files have about so many bytes at least, where there is enough to join, and up to twice as many."""


def hugging_face(_options: Options) -> Format:
    """Parquet files with README.md and croissant.json; `datasets.load_dataset` takes the folder."""
    return Format("hf", Rows(), collect_with_card, follows=True)


def croissant(_options: Options) -> Format:
    """The same Parquet, described by croissant.json alone."""
    return Format("croissant", Rows(), collect_with_croissant, follows=True)


@dataclass(frozen=True, slots=True)
class Rows:
    """Makes a row of each document."""

    @property
    def record(self) -> type:
        return Published

    def __call__(self, materials: Iterable[Material]) -> Iterator[Published]:
        for material in materials:
            yield material.published


def collect_with_card(work: Work) -> list[Written]:
    """Data, Croissant and card."""
    from corpulyzer.export.card import card

    written = collect_with_croissant(work)
    return [*written, write_file(work.place, "README.md", card(work.about, columns()).encode())]


def collect_with_croissant(work: Work) -> list[Written]:
    """Data and Croissant."""
    from corpulyzer.export.croissant import croissant_json

    written = parquet_files(work)
    text = croissant_json(work.about, written)
    return [*written, write_file(work.place, "croissant.json", text.encode())]


def columns() -> tuple[str, ...]:
    """The columns of the data."""
    return tuple(field.name for field in fields(Published))


def parquet_files(work: Work) -> list[Written]:
    """The rows of each split and language, in files of bounded size; an empty one where there are no rows."""
    made, lists, place = work.rows.files, work.listed.files, work.place
    is_divided = bool(work.about.parts) or len(work.about.splits) > 1
    split = next(iter(work.about.splits), "train")
    small = SMALL_BYTES if len(made) > FEW_FILES else 0

    def write(share: slice, mark: str) -> Write:
        if is_divided:
            return partial(_divided, place, made[share], lists[share], mark)
        return partial(_as_made, place, split, made[share], small, mark)

    return work.in_shares(work.rows, write)


def _as_made(place: Storage, split: str, rows: Sequence[str], small: int, mark: str) -> list[Written]:
    """All rows are of one split and language, so the files are those that were made of the documents.

    Consecutive ones of fewer than `small` bytes are joined.
    """
    sizes = {file: said.bytes for file in rows if (said := footer_of(file)).rows}
    written = []
    for number, files in enumerate(_runs(sizes, small)):
        name = _path(split, mark, number)
        if len(files) == 1:
            copy_to(files[0], place.path(name))
        else:
            _join(files, place.path(name))
        written.append(noted(place, name))
    return written or Shards(place, split, mark).close()


def _runs(sizes: Mapping[str, int], small: int) -> list[list[str]]:
    """Files in their order, consecutive small ones together.

    >>> _runs({"a": 1, "b": 2, "c": 3, "d": 2}, small=3)
    [['a', 'b'], ['c'], ['d']]
    """
    found: list[list[str]] = []
    for is_small, run in groupby(sizes, lambda file: sizes[file] < small):
        files = list(run)
        found += _cut({file: sizes[file] for file in files}) if is_small else [[file] for file in files]
    return found


def _cut(sizes: Mapping[str, int]) -> list[list[str]]:
    """Small files in runs of about the same size: one of all that is less than twice `JOINED_BYTES`.

    Of more than that, each run has from `JOINED_BYTES` to twice as many, but for a file at its ends.

    >>> _cut({name: 60 << 20 for name in "abcde"})
    [['a', 'b'], ['c', 'd', 'e']]
    """
    ends = list(accumulate(sizes.values()))
    runs: list[list[str]] = [[] for _ in range(max(1, ends[-1] // JOINED_BYTES))]
    for file, end in zip(sizes, ends, strict=True):
        runs[(end - 1) * len(runs) // ends[-1]].append(file)
    return runs


def _join(files: Sequence[str], target: str) -> None:
    """Write the rows of files into one, a few at a time."""
    with ParquetSink(target, schema_of(Published)) as sink:
        for batch in batches_of(*files):
            sink.write(batch)


def _divided(place: Storage, made: Sequence[str], lists: Sequence[str], mark: str) -> list[Written]:
    found: dict[tuple[str, str], Shards] = {}
    try:
        for rows, listed in zip(made, lists, strict=True):
            for key, documents in _by_file(rows, listed):
                if key not in found:
                    found[key] = Shards(place, "/".join(filter(None, key)), mark)
                found[key].write(documents)
        return [file for key in sorted(found) for file in found[key].close()]
    finally:
        for shards in found.values():
            shards.discard()


def _by_file(rows: str, listed: str) -> Iterator[tuple[tuple[str, str], pa.RecordBatch]]:
    """The rows of a file by language and split, which the list of its documents tells."""
    import pyarrow as pa

    keys = _keys(listed)
    for batch in batches_of(rows):
        own = list(islice(keys, batch.num_rows))
        for key in dict.fromkeys(own):
            yield key, batch.filter(pa.array([each == key for each in own], pa.bool_()))


def _keys(listed: str) -> Iterator[tuple[str, str]]:
    """The language and the split of each document that is not left out, in order."""
    for batch in batches_of(listed):
        for row in batch.select(["part", "split", "left_out"]).to_pylist():
            if not row["left_out"]:
                yield row["part"], row["split"]


def _path(name: str, mark: str, number: int) -> str:
    return f"data/{name}-{mark}{number:05d}.parquet"


class Shards:
    """The files of one split, or of a language's, each of about `FILE_BYTES` before compression."""

    def __init__(self, place: Storage, name: str, mark: str = "") -> None:
        self._place, self._name, self._mark = place, name, mark
        self._written: list[Written] = []
        self._sink: ParquetSink | None = None
        self._bytes = 0

    def write(self, batch: pa.RecordBatch) -> None:
        """Append rows."""
        if self._sink is None or self._bytes > FILE_BYTES:
            self._finish()
            self._sink, self._bytes = self._begun(), 0
        self._sink.write(batch)
        self._bytes += batch.nbytes

    def close(self) -> list[Written]:
        """The files, complete; at least one."""
        if self._sink is None and not self._written:
            self._sink = self._begun()
        self._finish()
        return self._written

    def discard(self) -> None:
        """Leave nothing of a file that is not complete."""
        if self._sink is not None:
            self._sink.discard()

    def _begun(self) -> ParquetSink:
        return ParquetSink(self._place.path(self._path), schema_of(Published))

    @property
    def _path(self) -> str:
        return _path(self._name, self._mark, len(self._written))

    def _finish(self) -> None:
        if self._sink is not None:
            self._sink.finish()
            self._sink.commit()
            self._sink = None
            self._written.append(noted(self._place, self._path))
