"""The columnar index of Common Crawl filtered by language: rows a second, and peak memory.

    python benchmarks/index.py 1 5        # millions of rows

Each size is a generated index of real columns in files of a million rows, filtered by one worker in a process
of its own. The peak is that of the largest process, workers included; it must not grow with the index. Of a
thousand rows two are in the language, about ten times the share of Urdu.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from corpulyzer.engine.local import LocalEngine
from corpulyzer.storage import Storage
from corpulyzer.web.commoncrawl.estimate import estimate
from corpulyzer.web.commoncrawl.index import filter_index
from corpulyzer.web.commoncrawl.mirror import TABLE, Mirror
from corpulyzer.web.commoncrawl.wanted import Wanted

RELEASE = "CC-MAIN-2024-10"
FILE_ROWS = 1_000_000
GROUP_ROWS = 250_000
SHARE = 0.002
OTHERS = ("eng", "deu", "rus", "fra", "zho", "spa", "eng,deu", "fas,ara", "hin,eng")


def main(millions: list[str]) -> None:
    """Measure each size in a fresh process and print a line for it."""
    heads = ("found", "seconds", "rows/s", "peak MB", "index MB")
    print(f"{'rows':>12}" + "".join(f"{head:>12}" for head in heads), flush=True)
    for size in millions:
        with tempfile.TemporaryDirectory(prefix="index-") as folder:
            subprocess.run([sys.executable, __file__, "--make", size, folder], check=True)
            subprocess.run([sys.executable, __file__, "--one", size, folder], check=True)


def make(millions: int, folder: str) -> None:
    """Write an index of `millions` million rows, in files as a release has them."""
    place = Path(folder) / f"mirror/{TABLE}/crawl={RELEASE}/subset=warc"
    place.mkdir(parents=True)
    for number in range(millions):
        table = rows(number * FILE_ROWS, FILE_ROWS)
        name = place / f"part-{number:05d}-0.c000.gz.parquet"
        pq.write_table(table, name, compression="gzip", row_group_size=GROUP_ROWS)


def rows(start: int, count: int) -> pa.Table:
    """Rows of the index in the order of their keys, with as much in them as real ones."""
    rng = np.random.default_rng(start)
    numbers = np.arange(start, start + count)
    hosts = np.char.add(np.char.add("site", (numbers // 40).astype(str)), ".example.com")
    paths = np.char.add(
        np.char.add("/news/2024/", numbers.astype(str)), rng.integers(0, 1 << 40, count).astype(str)
    )
    languages = rng.choice(np.array(OTHERS), count)
    languages[rng.random(count) < SHARE] = "urd,eng"
    keys = np.char.add(np.char.add("com,example,site", np.char.zfill((numbers // 40).astype(str), 9)), ")")
    files = np.char.add(f"crawl-data/{RELEASE}/segments/1707947473347.0/warc/", (numbers % 800).astype(str))
    columns: dict[str, Any] = {
        "url_surtkey": np.char.add(keys, paths),
        "url": np.char.add(np.char.add("https://", hosts), paths),
        "url_host_name": hosts,
        "url_host_tld": np.full(count, "com"),
        "url_path": paths,
        "fetch_time": pa.array(numbers * 10, pa.timestamp("ms")),
        "fetch_status": pa.array(np.full(count, 200), pa.int16()),
        "content_digest": [f"{value:032X}" for value in rng.integers(0, 1 << 62, count)],
        "content_mime_detected": np.full(count, "text/html"),
        "content_charset": np.full(count, "UTF-8"),
        "content_languages": languages,
        "content_truncated": pa.nulls(count, pa.string()),
        "warc_filename": files,
        "warc_record_offset": pa.array(rng.integers(0, 1 << 30, count), pa.int32()),
        "warc_record_length": pa.array(rng.integers(2_000, 90_000, count), pa.int32()),
    }
    return pa.table(columns)


def measure(millions: int, folder: str) -> None:
    """Filter the index, count what came of it, and print a line."""
    storage = Storage(f"{folder}/corpus")
    begun = time.perf_counter()
    with LocalEngine(1) as engine:
        mirror = Mirror(f"{folder}/mirror")
        found = filter_index(mirror, RELEASE, Wanted("urd"), storage, engine, lambda *_: None)
        seconds = time.perf_counter() - begun
        pages = estimate(engine, found).total["pages"]
    size = sum(file.stat().st_size for file in Path(folder, "mirror").rglob("*.parquet"))
    peak = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    total = millions * FILE_ROWS
    cells = (
        f"{pages:,}",
        f"{seconds:.1f}",
        f"{total / seconds:,.0f}",
        f"{peak / 1024:,.0f}",
        f"{size / 1e6:,.0f}",
    )
    print(f"{total:>12,}" + "".join(f"{cell:>12}" for cell in cells), flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--make"]:
        make(int(sys.argv[2]), sys.argv[3])
    elif sys.argv[1:2] == ["--one"]:
        measure(int(sys.argv[2]), sys.argv[3])
    else:
        main(sys.argv[1:] or ["1", "5"])
