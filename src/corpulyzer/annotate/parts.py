"""The files of annotations beside the files of documents: which are stale, and which have no documents."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpulyzer.engine import Source, Unit
from corpulyzer.records.annotation import TABLE
from corpulyzer.records.fingerprint import fingerprint
from corpulyzer.storage import Storage

if TYPE_CHECKING:
    from corpulyzer.annotate import AnnotateDocuments

COLUMNS = ("id", "text", "text_digest", "paragraphs", "verdict")


def target_of(file: str) -> str:
    """Where the annotations of a file of documents stand.

    >>> target_of("duplicates/view/0f/round=00000/a.00000.parquet")
    'annotations/round=00000/a.00000.parquet'
    """
    return f"{TABLE}/{'/'.join(file.split('/')[-2:])}"


def stale_units(
    storage: Storage, documents: Sequence[str], made_for: str, accepted: Mapping[str, str]
) -> list[Unit]:
    """The files to annotate: those made with other settings, or whose documents have changed since."""
    return [
        Unit(Source(path=storage.path(file), columns=COLUMNS), {TABLE: storage.path(target_of(file))})
        for file in documents
        if accepted.get(found := _made_for(storage, target_of(file)), found) != made_for
        or _annotated(storage, target_of(file)) != _kept(storage, file)
    ]


def not_annotated(storage: Storage, documents: Sequence[str]) -> int:
    """How many files of documents have changed since they were annotated; 0 if nothing is annotated."""
    there = set(storage.list(TABLE, ".parquet"))
    if not there:
        return 0
    return sum(
        target_of(file) not in there or _annotated(storage, target_of(file)) != _kept(storage, file)
        for file in documents
    )


def forget_orphans(storage: Storage, documents: Sequence[str]) -> None:
    """Delete the annotations of documents that are gone."""
    wanted = set(map(target_of, documents))
    for file in storage.list(TABLE, ".parquet"):
        if file not in wanted:
            storage.delete(file)


def fingerprint_of(step: AnnotateDocuments) -> str:
    """A fingerprint of what annotations depend on besides the texts: settings, and models by their bytes."""
    backend: Any = step.backend
    model = getattr(backend, "model", "")
    asked = {
        "backend": backend.name,
        "settings": replace(backend, model=content(model) or model) if model else backend,
        "language": step.language,
        "morphs": content(step.morphs.model) if step.morphs else None,
    }
    return fingerprint("annotations", asked)


def content(model: str) -> str:
    """The digest of a model's file; empty if the model is not a file."""
    path = Path(model)
    return hashlib.sha256(path.read_bytes()).hexdigest() if model and path.is_file() else ""


def rows_of(units: Sequence[Unit]) -> int:
    """How many documents there are to look at."""
    import pyarrow.parquet as pq

    from corpulyzer.storage import open_input

    total = 0
    for unit in units:
        with open_input(unit.source.path) as stored:
            total += pq.read_metadata(stored).num_rows
    return total


def _made_for(storage: Storage, file: str) -> str:
    if not storage.exists(file):
        return ""
    metadata: dict[bytes, bytes] = _read(storage, file, lambda parquet: parquet.schema_arrow.metadata) or {}
    return metadata.get(b"made_for", b"").decode()


def _annotated(storage: Storage, file: str) -> list[tuple[int, str]]:
    rows = _read(storage, file, lambda parquet: parquet.read(["id", "text_digest"]).to_pylist())
    return [(row["id"], row["text_digest"]) for row in rows]


def _kept(storage: Storage, file: str) -> list[tuple[int, str]]:
    names = ["id", "text_digest", "verdict.kept"]
    rows = _read(storage, file, lambda parquet: parquet.read(names).to_pylist())
    return [(row["id"], row["text_digest"]) for row in rows if row["verdict"]["kept"]]


def _read(storage: Storage, file: str, read: Callable[[Any], Any]) -> Any:
    import pyarrow.parquet as pq

    with storage.open_input(file) as stored, pq.ParquetFile(stored) as parquet:
        return read(parquet)
