"""The numbers of exports, what each held, and what has changed from one to the next.

`exports/log/` keeps the manifest of every export and the list of its documents, wherever its files went.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import regex

from corpulyzer.engine import Dataset
from corpulyzer.engine.workbench import Workbench, count_rows, files_of, stored
from corpulyzer.export.files import Files, Written
from corpulyzer.export.formats import batches_of
from corpulyzer.export.shares import Write, Writers
from corpulyzer.storage import Storage

FOLDER = "exports"
LOG = f"{FOLDER}/log"
WORK = "work"
MADE = "made"
MANIFEST = "manifest.json"
CHANGES = "changes"
_NAME = regex.compile(r"v(\d+)-([a-z]+)")

CONTENT_SQL = """
select id, min(text_digest) as text_digest from listed where left_out = '' group by id order by id nulls last
"""
CHANGES_SQL = """
select id, change from (
    select n.id, 'added' as change from new as n anti join old as o on n.id = o.id
    union all
    select o.id, 'removed' as change from old as o anti join new as n on o.id = n.id
    union all
    select n.id, 'changed' as change from new as n inner join old as o on n.id = o.id
    where n.text_digest <> o.text_digest
) as c order by change nulls last, id nulls last
"""

COUNTS_SQL = """
select change, count(*) as ids from changes group by change
"""


@dataclass(frozen=True, slots=True)
class Version:
    """An export: its number and its format."""

    number: int
    format: str

    @property
    def name(self) -> str:
        """As its folder is called."""
        return f"v{self.number:03d}-{self.format}"

    @property
    def content(self) -> str:
        """The list of its documents."""
        return f"{LOG}/{self.name}.parquet"


def versions(storage: Storage) -> list[Version]:
    """The exports that were finished, in the order of their numbers."""
    named = {file.rpartition("/")[2].removesuffix(".json") for file in storage.list(LOG, ".json")}
    named |= {file.split("/")[1] for file in storage.list(FOLDER, f"/{MANIFEST}")}
    found = (_NAME.fullmatch(name) for name in named)
    return sorted((Version(int(m[1]), m[2]) for m in found if m), key=lambda v: (v.number, v.format))


def is_here(storage: Storage, version: Version) -> bool:
    """Whether the files of a finished export are in the corpus folder, and not where somebody named."""
    return storage.exists(f"{FOLDER}/{version.name}/{MANIFEST}")


def forget_unfinished(storage: Storage) -> None:
    """Delete what killed exports have left, texts included.

    It is for those who hold the lock of the corpus.
    """
    finished = {version.name for version in versions(storage)}
    for name in storage.folders(FOLDER):
        if name == WORK or (_NAME.fullmatch(name) and name not in finished):
            for file in storage.list(f"{FOLDER}/{name}"):
                storage.delete(file)


def next_version(storage: Storage, format: str) -> Version:
    """The version that an export will be."""
    return Version(max((version.number for version in versions(storage)), default=0) + 1, format)


def version_before(storage: Storage, this: Version) -> Version | None:
    """The last export of the same format, if its list is there."""
    before = [v for v in versions(storage) if v.format == this.format and v.number < this.number]
    return next((v for v in reversed(before) if files_of(storage, v.content)), None)


def write_changes(
    storage: Storage, writers: Writers, place: Storage, this: Version, listed: Dataset
) -> tuple[dict[str, Any], list[Written]]:
    """Store the list of an export, and write what has changed since the one before to `changes-….jsonl`.

    The first export of a format has no such file: all in it is new.
    """
    engine = writers.engine
    new = Workbench(engine, storage, LOG).spread_at(this.content, CONTENT_SQL, listed=listed)
    before = version_before(storage, this)
    if before is None:
        return {"since": "", "added": sum(map(count_rows, new.files)), "removed": 0, "changed": 0}, []
    tables = {"new": new, "old": stored(storage, before.content)}
    changes = engine.spread(CHANGES_SQL, tables, writers.scratch.path("changes.parquet"))
    counts = dict.fromkeys(("added", "removed", "changed"), 0)
    counts |= {
        row["change"]: row["ids"] for row in engine.query(COUNTS_SQL, {"changes": changes}).to_pylist()
    }

    def write(share: slice, mark: str) -> Write:
        return partial(_write_changes, place, changes.files[share], mark)

    return {"since": before.name, **counts}, writers.write("changes", changes, write)


def _write_changes(place: Storage, changes: Sequence[str], mark: str) -> list[Written]:
    files = Files(place, ".jsonl", mark=mark)
    for batch in batches_of(*changes):
        for row in batch.to_pylist():
            files.write(CHANGES, json.dumps(row).encode() + b"\n")
    files.close()
    return files.written
