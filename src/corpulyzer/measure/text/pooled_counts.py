"""What partial counts add up to; parts that were added since are added to the sums that there are.

Sums lie in a folder named after the parts that they are of, with a table of these parts; a file beside it,
replaced in one step when all sums are there, names the folder.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from corpulyzer.engine import Dataset
from corpulyzer.engine.workbench import Workbench, files_of, stored
from corpulyzer.records.fingerprint import digest
from corpulyzer.storage import ParquetSink

if TYPE_CHECKING:
    import pyarrow as pa

    from corpulyzer.engine import Engine
    from corpulyzer.engine.derived.table import Table
    from corpulyzer.storage import Storage

FOLDER = "pooled"
STATE = f"{FOLDER}/state.json"
PARTS, PART_COLUMNS = "parts", ("table", "name", "version")
MOST_ADDED = 0.5
"""Where more than this share of the rows was added, all of them are summed."""
WORDS_SQL = """
select word, tokens, documents
from (select word, sum(tokens) as tokens, sum(documents) as documents
      from words where target = 1 group by word having sum(tokens) > 0) as w
order by tokens desc nulls last, word nulls last
"""
MORE_WORDS_SQL = """
select word, tokens, documents
from (select word, sum(tokens) as tokens, sum(documents) as documents
      from (select word, tokens, documents from pooled
            union all select word, tokens, documents from added where target = 1) as b
      group by word having sum(tokens) > 0) as w
order by tokens desc nulls last, word nulls last
"""
# Those of the target have been added up by then.
ALL_WORDS_SQL = """
select word, sum(tokens) as tokens
from (select word, tokens from target_words
      union all select word, tokens from words where target <> 1) as b
group by word having sum(tokens) > 0
"""
MORE_ALL_WORDS_SQL = """
select word, sum(tokens) as tokens
from (select word, tokens from pooled union all select word, tokens from added) as b
group by word having sum(tokens) > 0
"""
RUNS_SQL = """
select kind, frequency, count(*) as types
from (select kind, key, sum(tokens) as frequency from grams group by kind, key having sum(tokens) > 0) as g
group by kind, frequency order by kind nulls last, frequency nulls last
"""
# A run that was added moves from the types of its old frequency to those of its new one.
MORE_RUNS_SQL = """
with more as (select kind, key, sum(tokens) as tokens from added group by kind, key),
had as (
  select g.kind, g.key, sum(g.tokens) as tokens from grams as g
  semi join more as m on g.kind = m.kind and g.key = m.key group by g.kind, g.key),
moved as (
  select m.kind, coalesce(h.tokens, 0) as was, coalesce(h.tokens, 0) + m.tokens as is_now
  from more as m left join had as h on m.kind = h.kind and m.key = h.key),
steps as (
  select kind, frequency, types from pooled
  union all select kind, was as frequency, -1 as types from moved where was > 0
  union all select kind, is_now as frequency, 1 as types from moved where is_now > 0)
select kind, frequency, sum(types) as types from steps group by kind, frequency having sum(types) > 0
order by kind nulls last, frequency nulls last
"""


class Pool(NamedTuple):
    """A sum: the table whose parts it is of, the query over all parts, and that over a sum and more parts.

    The second may need the parts that the sum is of, too; the first a sum that is made before it.
    """

    table: str
    whole: str
    more: str
    looks_back: bool = False
    before: tuple[tuple[str, str], ...] = ()


POOLS = {
    "words": Pool("words", WORDS_SQL, MORE_WORDS_SQL),
    "all_words": Pool("words", ALL_WORDS_SQL, MORE_ALL_WORDS_SQL, before=(("target_words", "words"),)),
    "runs": Pool("grams", RUNS_SQL, MORE_RUNS_SQL, looks_back=True),
}
OF = ("words", "grams", "sampled")
"""The tables whose parts the folder is named after; the sample lies in it too."""
Parts = Mapping[str, Mapping[str, str]]
"""The versions of the parts of each table."""


def pooled(
    engine: Engine, storage: Storage, tables: Mapping[str, Table], schemas: Mapping[str, pa.Schema]
) -> tuple[dict[str, Dataset], str]:
    """The sums, made now if the parts have changed since they were, and the folder that they are in."""
    summing = _Summing(engine, storage, tables, schemas)
    parts = {name: {part.name: part.version for part in tables[name].parts()} for name in OF}
    before, folder = _folder_before(storage), f"{FOLDER}/{digest(parts)}"
    if before != folder or not all(files_of(storage, _file(folder, name)) for name in POOLS):
        old = _read_parts(storage, before)
        for name in POOLS:
            summing.make(name, parts, old, (before, folder))
        _write_parts(storage, folder, parts)
        storage.write(STATE, json.dumps({"folder": folder}).encode())
    for file in storage.list(FOLDER, ".parquet"):
        if not file.startswith(f"{folder}/"):
            storage.delete(file)
    return {name: stored(storage, _file(folder, name)) for name in POOLS}, folder


@dataclass(frozen=True, slots=True)
class _Summing:
    engine: Engine
    storage: Storage
    tables: Mapping[str, Table]
    schemas: Mapping[str, pa.Schema]

    def make(self, name: str, parts: Parts, before: Parts, folders: tuple[str, str]) -> None:
        """Sum up all parts; or where parts were added to those of before, add these to the sum of before.

        `folders` are that of the sum of before and that of the new one.
        """
        earlier, folder = folders
        pool, bench = POOLS[name], Workbench(self.engine, self.storage, folder)
        now, old = parts[pool.table], before.get(pool.table, {})
        added = [part for part in now if part not in old]
        summed = _file(earlier, name)
        grown = bool(old) and old.items() <= now.items() and bool(files_of(self.storage, summed))
        if grown and self._rows(pool.table, added) <= MOST_ADDED * self._rows(pool.table, now):
            given = {"pooled": stored(self.storage, summed), "added": self._of(pool.table, added)}
            if pool.looks_back:
                given[pool.table] = self._of(pool.table, old)
            bench.spread_at(_file(folder, name), pool.more, **given)
        else:
            given = {called: stored(self.storage, _file(folder, made)) for called, made in pool.before}
            given[pool.table] = self._of(pool.table, now)
            bench.spread_at(_file(folder, name), pool.whole, **given)

    def _of(self, table: str, parts: Iterable[str]) -> Dataset:
        return Dataset(tuple(map(self.tables[table].path, sorted(parts))), self.schemas[table])

    def _rows(self, table: str, parts: Iterable[str]) -> int:
        rows = {part.name: part.rows for part in self.tables[table].parts()}
        return sum(rows[part] for part in parts)


def _file(folder: str, name: str) -> str:
    return f"{folder}/{name}.parquet"


def _write_parts(storage: Storage, folder: str, parts: Parts) -> None:
    """Note which parts the sums of a folder are of."""
    import pyarrow as pa

    schema = pa.schema([(column, pa.string()) for column in PART_COLUMNS])
    rows = [(table, name, version) for table, found in parts.items() for name, version in found.items()]
    columns = [pa.array(column, pa.string()) for column in zip(*rows, strict=True)]
    with ParquetSink(storage.path(_file(folder, PARTS)), schema) as sink:
        if rows:
            sink.write(pa.RecordBatch.from_arrays(columns, schema=schema))


def _folder_before(storage: Storage) -> str:
    """The folder of the last sums; a state that cannot be read names none."""
    try:
        return str(json.loads(storage.read(STATE))["folder"])
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return ""


def _read_parts(storage: Storage, folder: str) -> Parts:
    """The parts that the sums of a folder are of; none if it does not say."""
    import pyarrow.parquet as pq

    parts: dict[str, dict[str, str]] = {}
    try:
        with storage.open_input(_file(folder, PARTS)) as file, pq.ParquetFile(file) as parquet:
            for row in parquet.read(use_threads=False).to_pylist():
                parts.setdefault(row["table"], {})[row["name"]] = row["version"]
    except (OSError, ValueError, KeyError):
        return {}
    return parts
