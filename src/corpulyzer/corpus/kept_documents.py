"""`corpus/`: the kept documents as Parquet, for whoever reads them without Corpulyzer.

A file for each part of the documents holds the rows that are in the corpus, after filters, duplicates, pages
that are gone and removals. The folder is flat, because readers take `round=…` in a path for a column. In a
corpus of several languages the rows of a file are in the order of their languages: who reads one of them can
skip the row groups of others, by what the footer says of each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from corpulyzer.corpus.settings.file import FILE as SETTINGS
from corpulyzer.corpus.without_copies import current_parts
from corpulyzer.engine import Source
from corpulyzer.engine.derived import Part, holds, made_of, orphans, stale
from corpulyzer.engine.derived.table import Table, bring_up_to_date
from corpulyzer.engine.workbench import run_copies
from corpulyzer.records import Document
from corpulyzer.records.columns import schema_of
from corpulyzer.records.fingerprint import fingerprint
from corpulyzer.storage import Storage
from corpulyzer.storage.toml import from_toml

if TYPE_CHECKING:
    import pyarrow as pa

    from corpulyzer.engine import Engine

FOLDER = "corpus"


@dataclass(frozen=True, slots=True)
class KeepRows:
    """Map: documents in, those that are kept out."""

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        return {"documents": schema_of(Document)}

    @property
    def batch_rows(self) -> int:
        return 1_000

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
    parts, by = current_parts(storage), order_of(storage)
    files = {file_name(part.name): storage.path(part.file) for part in parts}

    def source_of(name: str) -> Source:
        return Source(path=files[name], by=by)

    run = partial(run_copies, engine, KeepRows())
    return bring_up_to_date({"documents": table_of(storage)}, wanted(parts, by), source_of, run)


def files_behind(storage: Storage) -> int:
    """How many files of `corpus/` do not have the documents as they are."""
    table, asked = table_of(storage), wanted(current_parts(storage), order_of(storage))
    lost = set(table.lost())
    made = {name: of for name, of in table.made().items() if name not in lost}
    return len(stale(made, asked)) + len(orphans(made, asked))


def kept_parts(storage: Storage) -> list[Part]:
    """The parts of the documents, each with the version of its kept rows, for what is made of those alone.

    So a new verdict on a dropped document makes nothing of that stale. A part that has changed since its kept
    rows were written gets a version that nothing was made of.
    """
    parts, known = current_parts(storage), table_of(storage).entries()
    asked = wanted(parts, order_of(storage))
    found = []
    for part in parts:
        entry = known.get(file_name(part.name))
        fresh = entry is not None and holds(entry.made_of, asked[entry.name])
        found.append(part._replace(version=entry.version if entry and fresh else f"unwritten {part.version}"))
    return found


def count_kept(storage: Storage) -> int | None:
    """How many documents are kept, by the log; None where `corpus/` does not have them as they are."""
    known, asked = table_of(storage).entries(), wanted(current_parts(storage), order_of(storage))
    if not all(name in known and holds(known[name].made_of, of) for name, of in asked.items()):
        return None
    return sum(known[name].rows for name in asked)


def table_of(storage: Storage) -> Table:
    """The table of kept documents."""
    return Table(storage, FOLDER)


def order_of(storage: Storage) -> str:
    """The column by which the rows of each file are sorted, where the corpus is for several languages."""
    said = from_toml((storage.read_if_there(SETTINGS) or b"").decode(), SETTINGS)
    return "language" if said.get("corpus", {}).get("languages") else ""


def wanted(parts: Sequence[Part], by: str = "") -> dict[str, str]:
    """What the files of `corpus/` are made of when they are up to date with the documents."""
    mark = fingerprint("kept", {"by": by} if by else {})
    return {file_name(part.name): made_of([part.version], mark) for part in parts}


def file_name(part: str) -> str:
    """The name of the file that has the kept documents of a part.

    >>> file_name("round=00002/a.00000.parquet")
    '00002-a.00000.parquet'
    """
    return part.removeprefix("round=").replace("/", "-")
