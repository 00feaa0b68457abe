"""`corpus/`: the kept documents as Parquet, for whoever reads them without Corpulyzer.

A file for each part of the documents holds the rows that are in the corpus, after filters, duplicates, pages
that are gone and removals. Only parts that have changed are written again: `corpus.json` says what each file
was made of. The folder is flat, because readers take `round=…` in a path for a column.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpulyzer.corpus.without_copies import part_marks
from corpulyzer.engine import Source, Unit
from corpulyzer.records import Document
from corpulyzer.records.columns import schema_of
from corpulyzer.storage import Storage

if TYPE_CHECKING:
    import pyarrow as pa

    from corpulyzer.engine import Engine

FOLDER, STATE = "corpus", "corpus.json"
WITHOUT_WORKERS = 4
"""Up to this many parts are written in this process: a worker takes half a second to start."""


@dataclass(frozen=True, slots=True)
class KeepRows:
    """Map: documents in, those that are kept out."""

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        return {"documents": schema_of(Document)}

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        import pyarrow.compute as pc

        at(0)
        schema = schema_of(Document)
        kept = pc.struct_field(batch.column("verdict"), "kept")
        return {"documents": batch.filter(kept).select(schema.names).cast(schema)}

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        raise RuntimeError(f"a row of the documents could not be copied: {why}")


def write_kept(storage: Storage, engine: Engine) -> int:
    """Bring `corpus/` up to date with the documents; return how many files were written or deleted."""
    marks, made = part_marks(storage), _made(storage)
    changed, gone = _changes(marks, made)
    if not changed and not gone:
        return 0
    step, units = KeepRows(), [_unit(storage, name, marks[name]) for name in changed]
    if len(units) <= WITHOUT_WORKERS:
        engine.map_here(step, units)
    else:
        engine.map(step, units)
    for name in gone:
        storage.delete(file_of(name))
    storage.write(STATE, json.dumps(marks, ensure_ascii=False, indent=1).encode())
    return len(changed) + len(gone)


def files_behind(storage: Storage) -> int:
    """How many files of `corpus/` do not have the documents as they are."""
    changed, gone = _changes(part_marks(storage), _made(storage))
    return len(changed) + len(gone)


def file_of(part: str) -> str:
    """The file of `corpus/` that has the kept documents of a part.

    >>> file_of("round=00002/a.00000.parquet")
    'corpus/00002-a.00000.parquet'
    """
    return f"{FOLDER}/{part.removeprefix('round=').replace('/', '-')}"


def _changes(marks: dict[str, str], made: dict[str, str]) -> tuple[list[str], list[str]]:
    changed = [name for name, mark in marks.items() if made.get(name) != mark]
    return changed, [name for name in made if name not in marks]


def _made(storage: Storage) -> dict[str, str]:
    """What each file was made of; a file that is not there was made of nothing."""
    if not storage.exists(STATE):
        return {}
    there = set(storage.list(FOLDER, ".parquet"))
    made: dict[str, str] = json.loads(storage.read(STATE))
    return {name: mark if file_of(name) in there else "" for name, mark in made.items()}


def _unit(storage: Storage, name: str, mark: str) -> Unit:
    source = Source(path=storage.path(mark.partition("\t")[0]))
    return Unit(source, {"documents": storage.path(file_of(name))})
