"""Tables beside the documents, part by part: a part is made again only when its documents have changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from corpulyzer.engine import Dataset, Source, Unit
from corpulyzer.records.fingerprint import digest, fingerprint
from corpulyzer.storage import Storage

if TYPE_CHECKING:
    import pyarrow as pa

FOLDER = "duplicates"
OWN = (b"ARROW:schema", b"pandas")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the documents: its name below `documents/`, what it was made by, its rows, and its file."""

    name: str
    made_by: str
    rows: int
    file: str = field(default="", compare=False)

    @property
    def archive(self) -> str:
        """The archive whose documents these are."""
        return self.name.rpartition("/")[2].rsplit(".", 2)[0]


def parts_of(storage: Storage, files: Mapping[str, str]) -> list[Part]:
    """The parts of a corpus' documents, given their files by name, in the same order."""
    found = []
    for name, file in files.items():
        schema, rows = _head(storage, file)
        marks = {k.decode(): v.decode() for k, v in (schema.metadata or {}).items() if k not in OWN}
        found.append(Part(name, digest([marks, schema.names]), rows, file))
    return found


def made_for(step: Any, part: Part) -> str:
    """The fingerprint of what a step makes of a part."""
    return fingerprint(step.stage, {"settings": step, "documents": part.made_by})


def bring_up_to_date(
    storage: Storage,
    step: Any,
    tables: Mapping[str, str],
    parts: Sequence[Part],
    run: Callable[[Any, list[Unit]], None],
    accepted: Mapping[str, str],
) -> dict[str, Dataset]:
    """The tables that a step makes of documents, one file of each for each part, `output → table`.

    A file carries a fingerprint of the step's parameters and of those that made its documents; `accepted`
    maps fingerprints of an earlier version to today's. Only stale parts are made, by `run`, and files whose
    documents are gone are removed.
    """
    stale: dict[str, list[Unit]] = {}
    last = list(step.outputs)[-1]
    for part in parts:
        wanted = made_for(step, part)
        found = _made_for(storage, f"{FOLDER}/{tables[last]}/{part.name}")
        if accepted.get(found, found) != wanted:
            targets = {name: storage.path(f"{FOLDER}/{tables[name]}/{part.name}") for name in step.outputs}
            source = Source(path=storage.path(part.file), columns=step.columns)
            stale.setdefault(wanted, []).append(Unit(source, targets))
    for wanted, units in stale.items():
        run(replace(step, made_for=wanted), units)
    _forget(storage, tables.values(), parts)
    made = {}
    for name, table in tables.items():
        files = tuple(storage.path(f"{FOLDER}/{table}/{part.name}") for part in parts)
        made[name] = Dataset(files, step.outputs[name])
    return made


def _made_for(storage: Storage, file: str) -> str:
    if not storage.exists(file):
        return ""
    metadata: dict[bytes, bytes] = _head(storage, file)[0].metadata or {}
    return metadata.get(b"made_for", b"").decode()


def _head(storage: Storage, file: str) -> tuple[pa.Schema, int]:
    import pyarrow.parquet as pq

    with storage.open_input(file) as stored, pq.ParquetFile(stored) as parquet:
        return parquet.schema_arrow, parquet.metadata.num_rows


def _forget(storage: Storage, tables: Iterable[str], parts: Sequence[Part]) -> None:
    """Delete files of parts that are no longer there."""
    names = {part.name for part in parts}
    for table in tables:
        folder = f"{FOLDER}/{table}/"
        for file in storage.list(f"{FOLDER}/{table}", ".parquet"):
            if file.removeprefix(folder) not in names:
                storage.delete(file)
