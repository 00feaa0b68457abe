"""One generate and one update of a frontier with millions of URLs: seconds, and peak memory.

    python benchmarks/frontier.py 1 5 20        # millions of distinct known URLs

Each size runs in a process of its own. A tenth of the URLs were fetched before; a round of 2,000 pages brings
200,000 links, three of four to URLs that are known.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from corpulyzer.engine import Dataset
from corpulyzer.engine.local import LocalEngine
from corpulyzer.records import Document, Edge, Fetch
from corpulyzer.records.columns import schema_of
from corpulyzer.storage import ParquetSink, Storage
from corpulyzer.web.frontier import Situation
from corpulyzer.web.frontier.clues import OTHER, TARGET, Reader
from corpulyzer.web.frontier.generate import Generate
from corpulyzer.web.frontier.pattern import LanguageWords
from corpulyzer.web.frontier.strategies.focus import Focus
from corpulyzer.web.frontier.tables import Cell, Known, Listed, Site
from corpulyzer.web.frontier.update import MOST_BUCKETS, Brought, Frontier, Update

URLS_PER_SITE = 200
PREFIXES_PER_SITE = 4
ROUND_PAGES = 2_000
LINKS_PER_PAGE = 100
BATCH = 250_000
NOW = 1_800_000_000


def main(millions: list[str]) -> None:
    """Measure each size in a fresh process and print a line for it."""
    heads = ("generate s", "(CPU s)", "update s", "(CPU s)", "peak GB")
    print(f"{'URLs':>12}" + "".join(f"{head:>12}" for head in heads), flush=True)
    for size in millions:
        subprocess.run([sys.executable, __file__, "--one", size], check=True)


def measure(urls: int) -> None:
    """Make a frontier of `urls` rows, then generate from it and update it."""
    with tempfile.TemporaryDirectory(prefix="frontier-") as folder:
        subprocess.run([sys.executable, __file__, "--make", str(urls), folder], check=True)
        frontier, engine = Frontier(Storage(folder), "00001.1"), LocalEngine()
        begun = clocks()
        listed = Generate(Focus(), engine, "work")(frontier, ROUND_PAGES, NOW, Situation(2, 0.1))
        generated = clocks()
        brought = round_of(folder, listed, urls)
        updating = clocks()
        Update(reader(), engine, "work")(frontier, "00002.1", 2, brought)
        done = clocks()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    seconds = [*(generated - begun), *(done - updating)]
    print(f"{urls:>12,}" + "".join(f"{each:>12.1f}" for each in seconds) + f"{peak:>12.2f}", flush=True)


def clocks() -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Wall-clock time, and processor time of all threads."""
    return np.array([time.perf_counter(), time.process_time()])


def reader() -> Reader:
    """How links are read: half of the anchors are in the target language."""
    words = LanguageWords(frozenset({"ur", "urd"}), ("urdu",), frozenset({"en"}))
    return Reader(words, lambda anchor: TARGET if anchor == "t" else OTHER)


def make(urls: int, folder: str) -> None:
    """Write a frontier as sixteen buckets, with the sums of its sites and prefixes."""
    frontier = Frontier(Storage(folder), "00001.1")
    sinks = [
        ParquetSink(frontier.storage.path(frontier.bucket(number)), schema_of(Known))
        for number in range(MOST_BUCKETS)
    ]
    for batch in known(urls):
        bucket = batch.column("stem").to_numpy() % MOST_BUCKETS
        for number, sink in enumerate(sinks):
            sink.write(batch.filter(pa.array(bucket == number)))
    for sink in sinks:
        sink.finish()
        sink.commit()
    sites = urls // URLS_PER_SITE
    write(frontier.storage.path("prefixes/00001.1.parquet"), cells(sites), Cell)
    write(frontier.storage.path("sites/00001.1.parquet"), sums(sites), Site)


def known(urls: int) -> Iterator[pa.RecordBatch]:
    """The rows of the frontier; ids are spread over all integers, as hashes are."""
    for start in range(0, urls, BATCH):
        number = np.arange(start, min(urls, start + BATCH), dtype=np.int64)
        site = number // URLS_PER_SITE
        prefix = site * PREFIXES_PER_SITE + number % PREFIXES_PER_SITE
        fetched = number % 10 == 0
        columns: dict[str, Any] = dict.fromkeys(schema_of(Known).names, np.zeros(len(number), np.int64))
        columns |= {
            "id": spread(number),
            "url": [url_of(n) for n in number.tolist()],
            "site_id": spread(site),
            "section_id": spread(prefix),
            "prefix_id": spread(prefix),
            "stem": spread(number),
            "round": np.ones(len(number), np.int64),
            "hops": number % 7,
            "words": number % 3,
            "links": number % 5 + 1,
            "from_target": number % 2,
            "share": number % 1000 * 1000,
            "anchors_script": number % 3,
            "refused": [""] * len(number),
            "fetches": fetched.astype(np.int64),
            "due": np.where(fetched, NOW * 2, 0),
            "digest": np.where(fetched, spread(number), 0),
        }
        yield pa.RecordBatch.from_pydict(columns, schema=schema_of(Known))


def cells(sites: int) -> dict[str, Any]:
    """The sums of the prefixes that were fetched, for a tenth of them."""
    prefix = np.arange(0, sites * PREFIXES_PER_SITE, 10, dtype=np.int64)
    columns: dict[str, Any] = dict.fromkeys(schema_of(Cell).names, np.zeros(len(prefix), np.int64))
    return columns | {
        "prefix_id": spread(prefix),
        "section_id": spread(prefix),
        "site_id": spread(prefix // PREFIXES_PER_SITE),
        "round": np.ones(len(prefix), np.int64),
        "tries": prefix % 9 + 1,
        "pages": prefix % 9 + 1,
        "good": prefix % 3,
    }


def sums(sites: int) -> dict[str, Any]:
    """The sums of the sites."""
    site = np.arange(sites, dtype=np.int64)
    columns: dict[str, Any] = dict.fromkeys(schema_of(Site).names, np.zeros(sites, np.int64))
    return columns | {"site_id": spread(site), "site": [f"s{n}.example" for n in range(sites)]}


def round_of(folder: str, listed: pa.Table, urls: int) -> Brought:
    """What a round of the listed pages brings: a document for each, and its links."""
    ids = listed.column("id").to_numpy()
    pages = len(ids)
    path = f"{folder}/round"
    write(f"{path}/listed.parquet", {n: listed.column(n) for n in listed.column_names}, Listed)
    fetches: dict[str, Any] = {
        **blank(Fetch, pages),
        "id": ids,
        "url_id": ids,
        "url": listed.column("url"),
        "outcome": ["ok"] * pages,
        "status": [200] * pages,
        "date": [NOW * 1_000_000] * pages,
    }
    write(f"{path}/fetches.parquet", fetches, Fetch)
    documents = {
        **blank(Document, pages),
        "id": ids,
        "text_bytes": [1000] * pages,
        "target_bytes": [900] * pages,
    }
    write(f"{path}/documents.parquet", documents, Document)
    write(f"{path}/links.parquet", links(ids, urls), Edge)
    return Brought(
        *(
            Dataset((f"{path}/{name}.parquet",), schema_of(record))
            for name, record in (
                ("fetches", Fetch),
                ("documents", Document),
                ("links", Edge),
                ("listed", Listed),
            )
        )
    )


def links(ids: np.ndarray[tuple[int], np.dtype[np.int64]], urls: int) -> dict[str, Any]:
    """Links of pages: three of four lead to URLs that are known."""
    count = len(ids) * LINKS_PER_PAGE
    chance = np.random.default_rng(1)
    number = np.where(chance.random(count) < 0.75, chance.integers(0, urls, count), urls + np.arange(count))
    targets = [url_of(n) for n in number.tolist()]
    source = np.repeat(ids, LINKS_PER_PAGE)
    return {
        **blank(Edge, count),
        "source_id": source,
        "source_url_id": source,
        "target_id": spread(number),
        "target": targets,
        "target_site": [f"s{n // URLS_PER_SITE}.example" for n in number.tolist()],
        "anchor": ["t" if n % 2 else "o" for n in range(count)],
        "element": ["a"] * count,
    }


def url_of(number: int) -> str:
    """A URL as long as most are."""
    section = ("news", "sport", "urdu", "opinion")[number % PREFIXES_PER_SITE]
    return (
        f"https://s{number // URLS_PER_SITE}.example/{section}/2024/05/some-title-of-an-article-{number}.html"
    )


def spread(number: np.ndarray[tuple[int], np.dtype[np.int64]]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Distinct integers over the whole range, one for each number."""
    return (number.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)).view(np.int64)


def blank(record: type, rows: int) -> dict[str, Any]:
    """Columns of a table with nothing in them."""
    empty: dict[str, Any] = {}
    for column in schema_of(record):
        value: Any = {"string": "", "bool": False}.get(str(column.type), 0)
        if pa.types.is_list(column.type):
            value = []
        elif pa.types.is_struct(column.type):
            value = {"kept": True, "reason": "", "detail": "", "facts": []}
        empty[column.name] = [value] * rows
    return empty


def write(path: str, columns: dict[str, Any], record: type) -> None:
    """Write columns as a table of a record's schema."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    with ParquetSink(path, schema_of(record)) as sink:
        for batch in pa.Table.from_pydict(columns, schema=schema_of(record)).to_batches():
            sink.write(batch)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--make"]:
        make(int(sys.argv[2]), sys.argv[3])
    elif sys.argv[1:2] == ["--one"]:
        measure(int(float(sys.argv[2]) * 1_000_000))
    else:
        main(sys.argv[1:] or ["1", "5", "20"])
