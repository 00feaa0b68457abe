"""Parquet in the layout of the Hugging Face hub, with its card, and described by Croissant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from corpulyzer.export.files import Written, noted, write_file
from corpulyzer.export.formats import Format, Options, Work
from corpulyzer.export.published import Published
from corpulyzer.export.render import Material
from corpulyzer.records.columns import schema_of
from corpulyzer.storage import ParquetSink, Storage

if TYPE_CHECKING:
    import pyarrow as pa

FILE_BYTES = 1 << 30


def hugging_face(_options: Options) -> Format:
    """Parquet files with README.md and croissant.json; `datasets.load_dataset` takes the folder."""
    return Format("hf", Rows(), collect_with_card)


def croissant(_options: Options) -> Format:
    """The same Parquet, described by croissant.json alone."""
    return Format("croissant", Rows(), collect_with_croissant)


@dataclass(frozen=True, slots=True)
class Row:
    """A document, and what decides about its file: its split, and its language where there are several."""

    split: str
    part: str
    document: Published


@dataclass(frozen=True, slots=True)
class Rows:
    """Makes a row of each document."""

    @property
    def record(self) -> type:
        return Row

    def __call__(self, materials: Iterable[Material]) -> Iterator[Row]:
        for material in materials:
            yield Row(material.split, material.part, material.published)


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
    found: dict[tuple[str, str], Shards] = {}
    try:
        for batch in work.batches():
            parts: list[Any] = batch.column("part").to_pylist()
            names: list[Any] = batch.column("split").to_pylist()
            for part, split in dict.fromkeys(zip(parts, names, strict=True)):
                if (part, split) not in found:
                    found[part, split] = Shards(work.place, f"{part}/{split}" if part else split)
                found[part, split].write(_documents(batch, part, split))
        found = found or {("", "train"): Shards(work.place, "train")}
        return [file for key in sorted(found) for file in found[key].close()]
    finally:
        for shards in found.values():
            shards.discard()


class Shards:
    """The files of one split, or of a language's, each of about `FILE_BYTES` before compression."""

    def __init__(self, place: Storage, name: str) -> None:
        self._place, self._name = place, name
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
        return f"data/{self._name}-{len(self._written):05d}.parquet"

    def _finish(self) -> None:
        if self._sink is not None:
            self._sink.finish()
            self._sink.commit()
            self._sink = None
            self._written.append(noted(self._place, self._path))


def _documents(batch: pa.RecordBatch, part: str, split: str) -> pa.RecordBatch:
    import pyarrow as pa
    import pyarrow.compute as pc

    wanted = (pc.field("split") == split) & (pc.field("part") == part)
    rows: Any = pa.Table.from_batches([batch]).filter(wanted).combine_chunks()
    return pa.RecordBatch.from_struct_array(rows.column("document").chunk(0))
