"""Queries in steps: each result is a Parquet file that the next step reads, on whichever engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

from corpulyzer.engine import Dataset, Engine, Source, TakesMany, Unit
from corpulyzer.storage import Storage
from corpulyzer.storage.content import open_parquet
from corpulyzer.storage.location import sizes_of

if TYPE_CHECKING:
    from corpulyzer.engine import Map

ROWS_PER_UNIT = 200_000
FEW_ROWS = 50_000
FEW_BATCHES = 20
"""And as many batches of a step that is given many rows at once."""
FEW_DOCUMENTS = 200
"""Up to so many texts are read in this process, for workers take a second to start."""
ROWS_AT_ONCE = 10_000
ASKED_AT_ONCE = 16
"""So many files are opened at a time to count their rows."""
FEW_PARTS = 16
"""Up to so many parts are copied in this process: one of 2,000 rows takes a thirtieth of a second."""


@dataclass(frozen=True, slots=True)
class Workbench:
    """An engine with a folder for intermediate results; `clear` empties the folder."""

    engine: Engine
    storage: Storage
    folder: str

    def make(self, name: str, sql: str, **tables: Dataset) -> Dataset:
        """The result of a query as one file, in the folder: for what is small, or read as a file."""
        target = self.storage.path(f"{self.folder}/{name}.parquet")
        return Dataset((target,), self.engine.query(sql, tables, target).schema)

    def spread(self, name: str, sql: str, **tables: Dataset) -> Dataset:
        """The same as `make`, in as many files as there are tasks that write it: for what may be large."""
        return self.engine.spread(sql, tables, self.storage.path(f"{self.folder}/{name}.parquet"))

    def spread_at(self, file: str, sql: str, **tables: Dataset) -> Dataset:
        """The same as a table that stays, of which `stored` finds the files."""
        found = self.engine.spread(sql, tables, self.storage.path(file))
        for old in files_of(self.storage, file):
            if self.storage.path(old) not in found.files:  # of another run, with more tasks
                self.storage.delete(old)
        return found

    def rows(self, sql: str, **tables: Dataset) -> list[dict[str, Any]]:
        """The rows of a query, for answers that are small."""
        found: list[dict[str, Any]] = self.engine.query(sql, tables).to_pylist()
        return found

    def number(self, sql: str, **tables: Dataset) -> int:
        """The one number that a query gives; 0 for NULL."""
        (row,) = self.rows(sql, **tables)
        return int(next(iter(row.values())) or 0)

    def map(self, name: str, step: Map, rows: Dataset, columns: tuple[str, ...] | None = None) -> Dataset:
        """What a map with one output makes of a table (or of some columns), a file for each piece of work.

        Files without rows are left out: tasks of a cluster would open each of them in every later query.
        """
        (output,) = step.outputs
        units: list[Unit] = []
        counts = _counts(rows.files)
        for path, total in zip(rows.files, counts, strict=True):
            for start in range(0, total, ROWS_PER_UNIT):
                target = self.storage.path(f"{self.folder}/{name}.{len(units):05d}.parquet")
                stop = min(start + ROWS_PER_UNIT, total)
                source = Source(path=path, start=start, stop=stop, columns=columns)
                units.append(Unit(source, {output: target}))
        run_map(self.engine, step, units, sum(counts))
        made = [unit.targets[output] for unit in units]
        filled = tuple(file for file, count in zip(made, _counts(made), strict=True) if count)
        return Dataset(filled, step.outputs[output], sizes_of(filled))

    def clear(self) -> None:
        """Remove the intermediate results."""
        for file in self.storage.list(self.folder):
            self.storage.delete(file)


def files_of(storage: Storage, file: str) -> list[str]:
    """The files of a table that was spread to `file`: that one, or those that tasks wrote, in their order."""
    start = f"{file.removesuffix('.parquet')}.part-"
    found = storage.list(file.rpartition("/")[0], ".parquet")
    return [each for each in found if each == file or each.startswith(start)]


def stored(storage: Storage, file: str) -> Dataset:
    """A table that was spread to `file`; FileNotFoundError if there is none."""
    import pyarrow.parquet as pq

    files = files_of(storage, file) or [file]
    with storage.open_input(files[0]) as content:
        return Dataset(tuple(map(storage.path, files)), pq.read_schema(content))


def run_map(engine: Engine, step: Map, units: list[Unit], rows: int) -> None:
    """Do the units of a step that reads only numbers; few rows are done here, as workers start slowly."""
    many = FEW_BATCHES * step.batch_rows if isinstance(step, TakesMany) else 0
    if rows > max(FEW_ROWS, many):
        engine.map(step, units)
    else:
        engine.map_here(step, units)


def run_texts(
    engine: Engine,
    step: Map,
    units: list[Unit],
    progress: Callable[[int], None] | None = None,
    few: int = FEW_DOCUMENTS,
) -> None:
    """Do the units of a step that reads texts; few texts are read here."""
    rows = rows_of(units)
    if rows > few or not _done_here(engine, step, units):
        engine.map(step, units, progress)
    elif progress is not None:
        progress(rows)


def _done_here(engine: Engine, step: Map, units: list[Unit]) -> bool:
    """Whether units could be done in this process; where a text fails, the guard has to find out which."""
    try:
        engine.map_here(step, units)
    except Exception:  # noqa: BLE001 - a unit is done wholly or not at all, so it can be done again
        return False
    return True


def run_copies(engine: Engine, step: Map, units: list[Unit]) -> None:
    """Do the units of a step that passes on rows of parts as they are; a few parts are copied here."""
    if len(units) > FEW_PARTS or rows_of(units) > FEW_ROWS:
        engine.map(step, units)
    else:
        engine.map_here(step, units)


def rows_of(units: Sequence[Unit]) -> int:
    """How many rows there are to work on."""
    sources = (unit.source for unit in units)
    return sum(
        each.table.num_rows if each.table is not None else sum(map(count_rows, (each.path, *each.more)))
        for each in sources
    )


def side_by_side(*queries: str) -> str:
    """A query for the columns of several, each of which gives one row.

    >>> side_by_side("select count(*) as n from a", "select sum(k) as k from b")
    'select * from (select count(*) as n from a) as q0 cross join (select sum(k) as k from b) as q1'
    """
    froms = (f"({query.strip()}) as q{number}" for number, query in enumerate(queries))
    return f"select * from {' cross join '.join(froms)}"


def together(*tables: Dataset) -> Dataset:
    """Several tables of one schema as one."""
    files = tuple(chain.from_iterable(table.files for table in tables))
    known = [table.sizes for table in tables if table.sizes is not None]
    sizes = tuple(chain.from_iterable(known)) if len(known) == len(tables) else None
    return Dataset(files, tables[0].schema, sizes)


def rows_in_turn(table: Dataset, columns: list[str]) -> Iterator[dict[str, Any]]:
    """The rows of a table in the order of its files, of which a few are held at a time."""
    for path in table.files:
        with open_parquet(path) as parquet:
            for batch in parquet.iter_batches(ROWS_AT_ONCE, columns=columns, use_threads=False):
                yield from batch.to_pylist()


def rows_in(table: Dataset) -> int:
    """How many rows the files of a table have."""
    return sum(_counts(table.files))


def _counts(files: Sequence[str]) -> list[int]:
    """The rows of each file; an object store is asked for many at the same time."""
    with ThreadPoolExecutor(ASKED_AT_ONCE) as pool:
        return list(pool.map(count_rows, files))


def count_rows(path: str) -> int:
    """The rows of a Parquet file; DamagedError if it is missing or not whole."""
    with open_parquet(path) as parquet:
        return int(parquet.metadata.num_rows)
