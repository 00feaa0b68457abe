"""Parquet in the layout of the Hugging Face hub, with its card, and described by Croissant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from corpulyzer.engine.workbench import count_rows
from corpulyzer.export.files import Written, noted, write_file
from corpulyzer.export.formats import Format, Options, Work, batches_of
from corpulyzer.export.published import Published
from corpulyzer.export.render import Material
from corpulyzer.export.shares import Write
from corpulyzer.records.columns import schema_of
from corpulyzer.storage import ParquetSink, Storage, copy_to

if TYPE_CHECKING:
    import pyarrow as pa

FILE_BYTES = 1 << 30


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

    def write(share: slice, mark: str) -> Write:
        if is_divided:
            return partial(_divided, place, made[share], lists[share], mark)
        return partial(_as_made, place, split, made[share], mark)

    return work.in_shares(work.rows, write)


def _as_made(place: Storage, split: str, rows: Sequence[str], mark: str) -> list[Written]:
    """All rows are of one split and language, so the files are those that were made of the documents."""
    filled = [file for file in rows if count_rows(file)]
    names = [_path(split, mark, number) for number in range(len(filled))]
    for file, name in zip(filled, names, strict=True):
        copy_to(file, place.path(name))
    return [noted(place, name) for name in names] or Shards(place, split, mark).close()


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
