"""The log of a large table: CPU-seconds to open it and to commit to it, and what all its parts cost.

    python benchmarks/table_log.py [10000 100000 …]

Entries are as long as those of documents. Commits are of one part; a table is filled by thousands of parts.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from corpulyzer.engine.derived import Entry
from corpulyzer.engine.derived.log import Log
from corpulyzer.storage import Storage

COMMITS = 200


def main(sizes: list[str]) -> None:
    """Measure each size in a fresh process and print a line for it."""
    heads = ("filled", "opened", "commit", "the worst", "MB")
    print(f"{'parts':>10}" + "".join(f"{head:>12}" for head in heads), flush=True)
    for size in sizes:
        subprocess.run([sys.executable, __file__, "--one", size], check=True)


def one(size: int) -> None:
    """Fill a table, open it, and commit to it."""
    with tempfile.TemporaryDirectory(prefix="log-") as folder:
        log = Log(Storage(folder), "parts/documents.jsonl")
        begun = time.process_time()
        for start in range(0, size, 1_000):
            log.commit(map(entry, range(start, min(size, start + 1_000))), (), dict)
        filled = time.process_time() - begun
        costs = [commit(log, size + number) for number in range(COMMITS)]
        begun = time.process_time()
        assert len(log.read() or ()) == size + COMMITS
        opened = time.process_time() - begun
        megabytes = sum(file.stat().st_size for file in Path(folder, "parts").iterdir()) / 1e6
    shown = (filled, opened, sum(costs) / COMMITS, max(costs))
    print(f"{size:>10,}" + "".join(f"{value:>12.4f}" for value in shown) + f"{megabytes:>12.1f}", flush=True)


def commit(log: Log, number: int) -> float:
    """The cost of one commit."""
    begun = time.process_time()
    log.commit([entry(number)], (), dict)
    return time.process_time() - begun


def entry(number: int) -> Entry:
    """An entry like those of documents."""
    mark = f"{number:032x}.7f3a9c01d2e4b586.7f3a9c01d2e4b586.7f3a9c01d2e4b586.7f3a9c01d2e4b586"
    ranges = f'{{"language": ["afr", "zul"], "site": ["{number}.a.example", "www.zz.example"]}}'
    name = f"round=00000/cc-main-{number:020d}.00000.parquet"
    return Entry(name, mark, f"{number:032x}", 40_000, 10**8, ranges)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        one(int(sys.argv[2]))
    else:
        main(sys.argv[1:] or ["10000", "100000"])
