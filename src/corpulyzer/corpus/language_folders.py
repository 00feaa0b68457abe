"""The documents of each language of a corpus of several, in a folder of their own: `languages/CODE/`.

Such a folder is laid out as that of a corpus of one language. Its `documents/` are rows of the corpus, kept
and dropped, as they are after copies and dead pages left; whatever is made of them stands beside them. So
what works for a corpus of one language works for each of several.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from corpulyzer.corpus.without_copies import current_parts
from corpulyzer.engine import Source, Unit
from corpulyzer.engine.derived import Part, made_of, orphans, stale
from corpulyzer.engine.derived.table import Table, bring_up_to_date
from corpulyzer.records import Document
from corpulyzer.records.columns import schema_of
from corpulyzer.records.fingerprint import fingerprint
from corpulyzer.storage import Storage

if TYPE_CHECKING:
    import pyarrow as pa

    from corpulyzer.engine import Engine

FOLDER, DOCUMENTS = "languages", "documents"
THERE = f"{FOLDER}/folders.json"
PARTS_TOGETHER = 16
"""So many parts of an archive make one of each language: with many languages, files would be tiny else."""
WITHOUT_WORKERS = 2
"""Up to this many parts are written in this process: a worker takes half a second to start."""


@dataclass(frozen=True, slots=True)
class TakeApart:
    """Map: documents in, and those of each language out."""

    codes: tuple[str, ...]

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        return dict.fromkeys(self.codes, schema_of(Document))

    @property
    def batch_rows(self) -> int:
        return 2_000

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        import pyarrow as pa
        import pyarrow.compute as pc

        at(0)
        schema = schema_of(Document)
        rows = batch.select(schema.names).cast(schema)
        there = set(rows.column("language").unique().to_pylist())
        return {
            code: rows.filter(pc.equal(rows.column("language"), pa.scalar(code)))
            if code in there
            else rows.slice(0, 0)
            for code in self.codes
        }

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        raise RuntimeError(f"a row of the documents could not be copied: {why}")


def storage_of(storage: Storage, code: str) -> Storage:
    """The folder of a language of the corpus in `storage`."""
    return Storage(storage.path(f"{FOLDER}/{code}"))


def codes_there(storage: Storage) -> list[str]:
    """The languages that have a folder. They are noted, for folders with many files take long to list."""
    return list(json.loads(storage.read(THERE))) if storage.exists(THERE) else []


def forget_language(storage: Storage, code: str) -> None:
    """Delete the folder of a language."""
    for file in storage.list(f"{FOLDER}/{code}"):
        storage.delete(file)
    rest = [each for each in codes_there(storage) if each != code]
    storage.write(THERE, json.dumps(rest).encode())


def write_languages(storage: Storage, engine: Engine, codes: Sequence[str]) -> int:
    """Bring the documents of languages up to date with those of the corpus; return how many parts changed."""
    parts = together(current_parts(storage))
    sources = {name: [storage.path(part.file) for part in some] for name, some in parts.items()}
    known = codes_there(storage)
    if not set(codes) <= set(known):
        storage.write(THERE, json.dumps(sorted({*known, *codes})).encode())

    def source_of(name: str) -> Source:
        first, *more = sources[name]
        return Source(path=first, more=tuple(more))

    def run(step: TakeApart, units: list[Unit]) -> None:
        (engine.map_here if len(units) <= WITHOUT_WORKERS else engine.map)(step, units)

    changed = 0
    for some in _alike(storage, codes, parts).values():
        tables = {code: _table(storage, code) for code in some}
        work = partial(run, TakeApart(tuple(some)))
        changed += bring_up_to_date(tables, _wanted(parts), source_of, work)
    return changed


def behind(storage: Storage, codes: Iterable[str]) -> list[str]:
    """Those of the languages whose documents are not as they are in the corpus."""
    asked = _wanted(together(current_parts(storage)))
    found = ((code, _table(storage, code).made()) for code in codes)
    return [code for code, made in found if stale(made, asked) or orphans(made, asked)]


def together(parts: Iterable[Part]) -> dict[str, list[Part]]:
    """The parts of the corpus that make a part of each language, by its name.

    >>> names = ["round=00000/a.00015.parquet", "round=00000/a.00016.parquet"]
    >>> list(together([Part(name, "", "", 0) for name in names]))
    ['round=00000/a.00000.parquet', 'round=00000/a.00001.parquet']
    """
    found: dict[str, list[Part]] = {}
    for part in parts:
        archive, number, ending = part.name.rsplit(".", 2)
        name = f"{archive}.{int(number) // PARTS_TOGETHER:05d}.{ending}"
        found.setdefault(name, []).append(part)
    return found


def _alike(storage: Storage, codes: Sequence[str], parts: dict[str, list[Part]]) -> dict[str, list[str]]:
    """The languages by what is to be done for them, so that nothing is made again for the others."""
    asked = _wanted(parts)
    found: dict[str, list[str]] = {}
    for code in codes:
        made = _table(storage, code).made()
        todo = [*stale(made, asked), *orphans(made, asked)]
        if todo or not made:
            found.setdefault("\n".join(todo), []).append(code)
    return found


def _wanted(parts: dict[str, list[Part]]) -> dict[str, str]:
    mark = fingerprint("languages", {})
    return {name: made_of([part.version for part in some], mark) for name, some in parts.items()}


def _table(storage: Storage, code: str) -> Table:
    return Table(storage_of(storage, code), DOCUMENTS)
