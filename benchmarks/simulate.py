"""What only size breaks, each part alone with made keys: CPU-seconds, seconds, memory and disk.

    python benchmarks/simulate.py archives 90000                    archives registered in a new corpus
    python benchmarks/simulate.py log 100000                        parts in the log of a table
    python benchmarks/simulate.py exact 100000000 [--engine spark]  documents, of which some have equal texts
    python benchmarks/simulate.py near 100000000 [--engine spark]   rows of buckets, for near-copies
    python benchmarks/simulate.py frontier 100 [--engine spark]     millions of known URLs

Tables have the columns that the queries read, and numbers for texts. A tenth of all documents are of one
site, a fifth are copies of 40,009 texts, and a hundredth are copies of one; one row of buckets in twenty
falls into the bucket of another document. One simulation at a time, where there are 40 GB of disk.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from corpulyzer.dedup.components import components
from corpulyzer.dedup.labels import DOCUMENT_SQL, label_documents
from corpulyzer.dedup.near.candidates import similar_pairs
from corpulyzer.dedup.near.minhash import MinHash
from corpulyzer.dedup.slices import in_slices, slices
from corpulyzer.engine import Dataset, Engine
from corpulyzer.engine.local import LocalEngine
from corpulyzer.engine.spark import SparkEngine
from corpulyzer.engine.workbench import Workbench
from corpulyzer.storage import Storage
from corpulyzer.storage.content import open_parquet
from made import cost_here

BANDS = 20
ROWS_PER_FILE = 5_000_000
WATCH_SECONDS = 1.0
UNITS_SQL = """
select (hash(i) // 2)::bigint as id, case when i % 10 = 0 then 0 else i % 1000003 end as site_id,
  1::bigint as kept, -(i % 5000) as rank, i as date,
  (hash(case when i % 100 = 7 then -1 when i % 5 = 1 then -2 - i % 40009 else i end) // 2)::bigint
    as text_key,
  case when i % 100 = 7 then 900 when i % 5 = 1 then 700 else 800 end::bigint as text_bytes
from range({start}, {stop}) as r(i)
"""
NODES_SQL = (
    "select (hash(i) // 2)::bigint as id, -(i % 5000) as rank, i as date from range({start}, {stop}) as r(i)"
)
SIGNATURES_SQL = """
select (hash(i) // 2)::bigint as id, (hash(i) // 2)::bigint as key, encode('same') as value
from range({start}, {stop}) as r(i)
"""
# One row in ten falls into the bucket of the document before, the others into buckets of their own.
BUCKETS_SQL = """
select (hash(i // {bands}) // 2)::bigint as id,
  (hash(case when i % 10 = 3 and (i // {bands}) % 2 = 1 then i - {bands} else i end) // 2)::bigint as key
from range({start}, {stop}) as r(i)
"""


METHOD = MinHash(similarity=0.5, permutations=4, bands=1, rows=4)
"""Signatures of four bytes, all equal: what is measured are the queries, and all pairs are similar."""


def main() -> None:
    """Run one simulation and print its figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("archives", "log", "exact", "near", "frontier"))
    parser.add_argument("sizes", type=int, nargs="+")
    parser.add_argument("--engine", choices=("local", "spark"), default="local")
    parser.add_argument("--folder", type=Path, help="where to work; a temporary folder by default")
    asked = parser.parse_args()
    others = {
        "archives": ("registering.py", "--paths"),
        "log": ("table_log.py",),
        "frontier": ("frontier.py", "--rounds", "3", "--engine", asked.engine),
    }
    if asked.what in others:
        script, *options = others[asked.what]
        command = [sys.executable, str(Path(__file__).parent / script), *options]
        subprocess.run([*command, *map(str, asked.sizes)], check=True)
        return
    head = ("rows", "seconds", "CPU-s", "CPU-s/10⁶", "memory GB", "disk GB", "found")
    print(f"{asked.what}, {asked.engine}" + "".join(f"{name:>13}" for name in head), flush=True)
    place = asked.folder or tempfile.gettempdir()
    for size in asked.sizes:
        with tempfile.TemporaryDirectory(prefix="simulate-", dir=place) as folder:
            tempfile.tempdir = folder  # what does not fit in memory is counted too
            os.environ["TMPDIR"] = os.environ["SPARK_LOCAL_DIRS"] = folder
            simulate(Path(folder), asked.what, size, asked.engine)


def simulate(folder: Path, what: str, rows: int, name: str) -> None:
    """Put made rows through the queries of a level."""
    run = exact if what == "exact" else near
    tables = made_tables(folder, what, rows)
    found = 0

    def work() -> None:
        nonlocal found
        engine: Engine = LocalEngine() if name == "local" else SparkEngine("local[2]")
        with engine:
            found = run(Workbench(engine, Storage(folder), "work"), tables)

    with disk(folder) as most:
        cost = cost_here(work)
    rate = cost.cpu_seconds / rows * 1e6
    shown = (cost.seconds, cost.cpu_seconds, rate, cost.peak_gigabytes, max(most) / 1e9)
    print(f"{'':{len(what) + len(name) + 2}}{rows:>13,}", end="")
    print("".join(f"{value:>13.2f}" for value in shown) + f"{found:>13,}", flush=True)


def exact(bench: Workbench, tables: dict[str, Dataset]) -> int:
    """Label documents with equal texts; returns how many have a copy."""
    members = bench.spread("members", in_slices(DOCUMENT_SQL), units=tables["units"], slices=slices())
    return rows_of(label_documents(bench, "document", members, tables["units"]))


def near(bench: Workbench, tables: dict[str, Dataset]) -> int:
    """Find documents that share a bucket, and what they link; returns how many are linked to another."""
    found = similar_pairs(bench, METHOD, tables["nodes"], tables["signatures"], tables["buckets"])
    return rows_of(components(bench, found.edges))


def rows_of(table: Dataset) -> int:
    """How many rows a table has."""
    total = 0
    for file in table.files:
        with open_parquet(file) as parquet:
            total += parquet.metadata.num_rows
    return total


def made_tables(folder: Path, what: str, rows: int) -> dict[str, Dataset]:
    """The tables that the queries of a level read, in files of some million rows."""
    if what == "exact":
        return {"units": made_table(folder, "units", UNITS_SQL, rows)}
    documents = rows // BANDS
    return {
        "nodes": made_table(folder, "nodes", NODES_SQL, documents),
        "signatures": made_table(folder, "signatures", SIGNATURES_SQL, documents),
        "buckets": made_table(folder, "buckets", BUCKETS_SQL, rows),
    }


def made_table(folder: Path, name: str, sql: str, rows: int) -> Dataset:
    """A table of so many rows."""
    files: list[str] = []
    for start in range(0, rows, ROWS_PER_FILE):
        query = sql.format(start=start, stop=min(rows, start + ROWS_PER_FILE), bands=BANDS)
        files.append(str(folder / f"{name}.{len(files):04d}.parquet"))
        duckdb.execute(f"copy ({query}) to '{files[-1]}' (compression zstd, row_group_size 1000000)")
    with open_parquet(files[0]) as parquet:
        return Dataset(tuple(files), parquet.schema_arrow)


@contextmanager
def disk(folder: Path) -> Iterator[list[int]]:
    """The bytes of a folder, every now and then."""
    most, ended = [held(folder)], threading.Event()

    def watch() -> None:
        while not ended.wait(WATCH_SECONDS):
            most.append(held(folder))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield most
    finally:
        ended.set()
        watcher.join()


def held(folder: Path) -> int:
    """The bytes of all files in a folder; files come and go meanwhile."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.stat(os.path.join(place, name)).st_size
            except FileNotFoundError:
                continue
    return total


if __name__ == "__main__":
    main()
