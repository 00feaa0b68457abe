"""What the frontier costs a fetched page, whatever is known: rounds of generate and update, and their peak.

    python benchmarks/frontier.py 1 5 20 50     # millions of known URLs; 30 rounds of 2,000 pages each
    python benchmarks/frontier.py --small       # 40 rounds of 20 pages, as in a crawl of 1,000 pages

Each size runs in a process of its own. Sites have sizes by a power law, 200 URLs on average; a tenth of
their URLs were fetched before. A page has 100 links, four of five within its site, one of four to a URL that
is new. CPU seconds are those of all threads and child processes. Reading links (`ReadLinks`, a step whose
cost follows the links alone) is counted apart.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from corpulyzer.engine import Dataset
from corpulyzer.engine.local import LocalEngine
from corpulyzer.records import Document, Edge, Fetch, int64_hash
from corpulyzer.records.columns import schema_of
from corpulyzer.records.targets import targets
from corpulyzer.storage import ParquetSink, Storage
from corpulyzer.web.frontier import Situation
from corpulyzer.web.frontier.brought import Brought
from corpulyzer.web.frontier.clues import OTHER, TARGET, Reader, ReadLinks
from corpulyzer.web.frontier.generate import Generate
from corpulyzer.web.frontier.pattern import LanguageWords, pattern_of
from corpulyzer.web.frontier.store.arrays import ints, write_file
from corpulyzer.web.frontier.store.behind import Run, stored, stored_schema
from corpulyzer.web.frontier.store.depth import Depth
from corpulyzer.web.frontier.store.keys import Keys, Of
from corpulyzer.web.frontier.store.versions import Frontier, Manifest
from corpulyzer.web.frontier.store.wholes import parts_of
from corpulyzer.web.frontier.strategies.focus import Focus
from corpulyzer.web.frontier.tables import Cell, Known, Listed, Site
from corpulyzer.web.frontier.update import Update

URLS_PER_SITE = 200
PREFIXES = 4
LINKS_PER_PAGE = 100
BATCH = 250_000
NOW = 1_800_000_000

Ints = np.ndarray[tuple[int], np.dtype[np.int64]]


def main(sizes: Sequence[str]) -> None:
    """Measure each size in a fresh process and print a line for it."""
    heads = ("known URLs", "rounds", "pages", "generate", "update", "both", "links", "peak")
    units = ("", "", "", "CPU-s each", "CPU-s each", "ms a page", "CPU-s each", "GB")
    for line in (heads, units):
        print("".join(f"{word:>12}" for word in line), flush=True)
    for size in sizes:
        command = ["0.02", "40", "20"] if size == "--small" else [size, "30", "2000"]
        subprocess.run([sys.executable, __file__, "--one", *command], check=True)


def measure(urls: int, rounds: int, pages: int) -> None:
    """Make a frontier of `urls` rows, and crawl from it for some rounds."""
    reading, generating, updating, done = Reading(), 0.0, 0.0, 0
    with tempfile.TemporaryDirectory(prefix="frontier-") as folder, LocalEngine() as engine:
        subprocess.run([sys.executable, __file__, "--make", str(urls), folder], check=True)
        web, frontier = Web(urls), Frontier(Storage(folder), "00001.1")
        for number in range(2, rounds + 2):
            begun = cpu_seconds()
            listed = Generate(Focus(), engine)(frontier, pages, NOW + number, Situation(number, 0.1))
            generated = cpu_seconds()
            brought = web.round_of(folder, listed, number)
            made, read = cpu_seconds(), reading.seconds
            frontier = Update(reader(), engine, "work")(frontier, f"{number:05d}.1", number, brought).frontier
            frontier.forget_others()
            if number > 2:  # the first round opens the database
                generating += generated - begun
                updating += cpu_seconds() - made - (reading.seconds - read)
                done += listed.num_rows
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    each = rounds - 1
    cost = 1000 * (generating + updating) / max(1, done)
    figures = [generating / each, updating / each, cost, reading.seconds / rounds, peak]
    print(f"{urls:>12,}{each:>12}{done:>12,}" + "".join(f"{one:>12.3f}" for one in figures), flush=True)


def cpu_seconds() -> float:
    """Processor time of all threads, and of the child processes that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


class Reading:
    """Counts what the reading of links costs."""

    seconds = 0.0

    def __init__(self) -> None:
        read = ReadLinks.__call__

        def timed(
            step: ReadLinks, batch: pa.RecordBatch, at: Callable[[int], None]
        ) -> dict[str, pa.RecordBatch]:
            begun = cpu_seconds()
            found = read(step, batch, at)
            self.seconds += cpu_seconds() - begun
            return found

        ReadLinks.__call__ = timed  # type: ignore[assignment,method-assign]


def reader() -> Reader:
    """How links are read: half of the anchors are in the target language."""
    words = LanguageWords(frozenset({"ur", "urd"}), ("urdu",), frozenset({"en"}))
    return Reader(words, lambda anchor: TARGET if anchor == "t" else OTHER, targets("urd"))


class Web:
    """URLs by site and number within the site: those below the site's size are known, the others are new."""

    def __init__(self, urls: int) -> None:
        self.sizes = site_sizes(urls)
        self.next = self.sizes.copy()
        self.chance = np.random.default_rng(1)
        self.cumulated = np.cumsum(self.sizes)

    def round_of(self, folder: str, listed: pa.Table, number: int) -> Brought:
        """What a round of the listed pages brings: a document for each, and its links."""
        ids, urls, count = listed.column("id").to_numpy(), listed.column("url"), listed.num_rows
        sites = np.array([int(url.split("/")[2][1:-8]) for url in map(str, urls.to_pylist())], np.int64)
        keys = ids ^ np.int64(number)
        texts = [f"{'abcdefghij'[n % 10]} words of the page {letters(n)}" for n in ids.tolist()]
        good = sites % 3 == 0
        fetches = {
            **blank(Fetch, count),
            "id": keys,
            "url_id": ids,
            "url": urls,
            "site": [host(site) for site in sites.tolist()],
            "round": [number] * count,
            "outcome": ["ok"] * count,
            "status": [200] * count,
            "purpose": ["page"] * count,
            "date": [(NOW + number) * 1_000_000] * count,
        }
        documents = {
            **blank(Document, count),
            "id": keys,
            "text": texts,
            "paragraphs": [[{"start": 0, "end": len(text), "language": "urd"}] for text in texts],
            "text_bytes": [1000] * count,
            "target_bytes": np.where(good, 900, 0),
            "verdict": [{"kept": bool(kept), "reason": "", "detail": "", "facts": []} for kept in good],
        }
        tables = {"fetches": (fetches, Fetch), "documents": (documents, Document)}
        tables |= {"links": (self.links(sites, ids, keys), Edge)}
        tables |= {"listed": ({name: listed.column(name) for name in listed.column_names}, Listed)}
        paths = {name: f"{folder}/round/{name}.parquet" for name in tables}
        for name, (columns, record) in tables.items():
            write(paths[name], columns, record)
        return Brought(**{name: Dataset((paths[name],), schema_of(tables[name][1])) for name in tables})

    def links(self, sites: Ints, ids: Ints, keys: Ints) -> dict[str, Any]:
        """The links of pages on these sites."""
        count = len(sites) * LINKS_PER_PAGE
        source = np.repeat(sites, LINKS_PER_PAGE)
        drawn = np.searchsorted(self.cumulated, self.chance.integers(0, self.cumulated[-1], count), "right")
        site = np.where(self.chance.random(count) < 0.8, source, drawn)
        known = (self.chance.random(count) * self.next[site]).astype(np.int64)
        is_new = self.chance.random(count) < 0.25
        order = np.argsort(site[is_new], kind="stable")
        new_site = site[is_new][order]
        first = np.searchsorted(new_site, new_site)
        fresh = np.empty(len(new_site), np.int64)
        fresh[order] = self.next[new_site] + np.arange(len(new_site)) - first
        self.next += np.bincount(new_site, minlength=len(self.next))
        place = known
        place[is_new] = fresh
        return {
            **blank(Edge, count),
            "source_id": np.repeat(keys, LINKS_PER_PAGE),
            "source_url_id": np.repeat(ids, LINKS_PER_PAGE),
            "target_id": key_of(site, place),
            "target": urls_of(site, place),
            "target_site": hosts_of(site),
            "anchor": ["t" if n % 2 else "o" for n in range(count)],
            "element": ["a"] * count,
        }


def site_sizes(urls: int) -> Ints:
    """How many URLs of each site are known: by a power law, and `urls` in all."""
    sites = max(10, urls // URLS_PER_SITE)
    weight = 1 / (np.arange(sites) + 20.0) ** 0.8
    sizes: Ints = np.maximum(1, (weight / weight.sum() * urls).astype(np.int64))
    sizes[0] += max(0, urls - int(sizes.sum()))
    return sizes.astype(np.int64)


def make(urls: int, folder: str) -> None:
    """Write a frontier: a base with all URLs, what was seen and read, the sums, and a front of the base."""
    storage, sizes, version = Storage(folder), site_sizes(urls), "00001.1"
    if urls <= Depth().most:
        make_front(storage, sizes, version)
        return
    files = [f"frontier/behind/{version}-{part:04d}.parquet" for part in range(parts_of(urls))]
    sinks = [ParquetSink(storage.path(file), stored_schema()) for file in files]
    rows, keys = [0] * len(files), []
    for batch in known(sizes):
        part = batch.column("site_id").to_numpy() % len(files)
        table = stored(pa.Table.from_batches([batch]), 0, 1)
        for number, sink in enumerate(sinks):
            those = table.filter(part == number)
            rows[number] += those.num_rows
            for each in those.to_batches():
                sink.write(each)
        keys.append(seen(table))
    for sink in sinks:
        sink.finish()
        sink.commit()
    runs = (
        Keys(storage).plus([pair for pairs in keys for pair in pairs], f"frontier/keys/{version}.keys").runs
    )
    write(storage.path(f"prefixes/{version}.parquet"), cells(sizes), Cell)
    write(storage.path(f"sites/{version}.parquet"), sums(sizes), Site)
    manifest = Manifest(
        round=1,
        base=tuple(map(Run, files, rows)),
        keys=tuple(Run(*run) for run in runs),
        prefixes=(Run(f"prefixes/{version}.parquet", len(cells(sizes)["good"])),),
        sites=(Run(f"sites/{version}.parquet", len(sizes)),),
        waiting=urls - urls // 10,
        soonest=2 * NOW,
    )
    with LocalEngine() as engine:
        frontier = Frontier(storage, version, manifest)
        nothing = schema_of(Known).empty_table()
        front, manifest, _ = Depth().of(frontier, engine, "work").level(nothing, nothing)
    write_file(storage.path(f"frontier/front/{version}.parquet"), front)
    frontier.write(replace(manifest, front=f"frontier/front/{version}.parquet"))


def make_front(storage: Storage, sizes: Ints, version: str) -> None:
    """Write a frontier that is all front."""
    front, rows = f"frontier/front/{version}.parquet", pa.Table.from_batches(known(sizes)).combine_chunks()
    rows = rows.take(np.argsort(ints(rows, "id")))
    write_file(storage.path(front), rows)
    runs = Keys(storage).plus(seen(rows)[1:], f"frontier/keys/{version}.keys").runs
    write(storage.path(f"prefixes/{version}.parquet"), cells(sizes), Cell)
    write(storage.path(f"sites/{version}.parquet"), sums(sizes), Site)
    manifest = Manifest(
        round=1,
        front=front,
        keys=tuple(Run(*run) for run in runs),
        prefixes=(Run(f"prefixes/{version}.parquet", len(cells(sizes)["good"])),),
        sites=(Run(f"sites/{version}.parquet", len(sizes)),),
    )
    Frontier(storage, version).write(manifest)


def seen(rows: pa.Table) -> list[tuple[Of, Ints]]:
    """What is noted of rows of a frontier."""
    fetched = rows.filter(ints(rows, "fetches") > 0)
    return [
        (Of.PARKED, ints(rows, "id")),
        (Of.FETCHED, ints(fetched, "id")),
        (Of.TEXT, ints(fetched, "digest")),
        (Of.STEM_READ, ints(fetched, "stem")),
        (Of.SITE, np.unique(ints(fetched, "site_id"))),
    ]


def known(sizes: Ints) -> Iterator[pa.RecordBatch]:
    """The rows of the frontier; ids are spread over all integers, as hashes are."""
    starts = np.cumsum(sizes) - sizes
    total = int(sizes.sum())
    sites, patterns = site_keys(len(sizes)), pattern_keys(len(sizes))
    for start in range(0, total, BATCH):
        number = np.arange(start, min(total, start + BATCH), dtype=np.int64)
        site = np.searchsorted(starts, number, "right") - 1
        place = number - starts[site]
        prefix = site * PREFIXES + place % PREFIXES
        fetched = place % 10 == 0
        key = key_of(site, place)
        nothing = np.zeros(len(number), np.int64)
        columns: dict[str, Any] = dict.fromkeys(schema_of(Known).names, nothing) | {
            "id": key,
            "url": urls_of(site, place),
            "spelling": [""] * len(number),
            "site_id": sites[site],
            "section_id": patterns[0][prefix],
            "prefix_id": patterns[1][prefix],
            "stem": key,
            "round": nothing + 1,
            "hops": 1 + place % 7,
            "words": number % 3,
            "links": number % 5 + 1,
            "from_target": number % 2,
            "share": number % 1000 * 1000,
            "anchors_script": number % 3,
            "refused": [""] * len(number),
            "fetches": fetched.astype(np.int64),
            "fetched": np.where(fetched, NOW, 0),
            "due": np.where(fetched, NOW * 2, 0),
            "digest": np.where(fetched, spread(key), 0),
        }
        yield pa.RecordBatch.from_pydict(columns, schema=schema_of(Known))


def cells(sizes: Ints) -> dict[str, Any]:
    """The sums of the prefixes of the larger sites, which were fetched before."""
    prefix = np.arange(0, int((sizes >= URLS_PER_SITE // 2).sum()) * PREFIXES, dtype=np.int64)
    sections, patterns = pattern_keys(len(sizes))
    pages = np.maximum(1, sizes[prefix // PREFIXES] // (10 * PREFIXES))
    columns: dict[str, Any] = dict.fromkeys(schema_of(Cell).names, np.zeros(len(prefix), np.int64))
    return columns | {
        "prefix_id": patterns[prefix],
        "section_id": sections[prefix],
        "site_id": site_keys(len(sizes))[prefix // PREFIXES],
        "round": np.zeros(len(prefix), np.int64),
        "evidence": 225 + prefix % 3,
        "tries": pages,
        "pages": pages,
        "good": np.where(prefix // PREFIXES % 3 == 0, pages, 0),
    }


def sums(sizes: Ints) -> dict[str, Any]:
    """The sums of the sites."""
    site = np.arange(len(sizes), dtype=np.int64)
    columns: dict[str, Any] = dict.fromkeys(schema_of(Site).names, np.zeros(len(site), np.int64))
    good = np.where(site % 3 == 0, sizes // 10, 0)
    return columns | {
        "site_id": site_keys(len(sizes)),
        "site": hosts_of(site),
        "good": good,
        "pages": sizes // 10,
    }


@cache
def site_keys(sites: int) -> Ints:
    """The keys of sites, as links have them."""
    return np.array([int64_hash(host(site)) for site in range(sites)], np.int64)


@cache
def pattern_keys(sites: int) -> tuple[Ints, Ints]:
    """The keys of the sections and of the patterns of sites."""
    urls = urls_of(np.zeros(PREFIXES, np.int64), np.arange(PREFIXES)).to_pylist()
    kinds = [pattern_of(url) for url in urls]
    names = [(host(site), kind) for site in range(sites) for kind in kinds]
    return (
        np.array([int64_hash(name, kind.section) for name, kind in names], np.int64),
        np.array([int64_hash(name, kind.section, kind.pattern) for name, kind in names], np.int64),
    )


def host(site: int) -> str:
    return f"s{site}.example"


def joined(*parts: Any) -> Any:
    """Strings put together, row by row."""
    return pc.binary_join_element_wise(*parts, "")


def hosts_of(site: Ints) -> Any:
    return joined("s", pc.cast(pa.array(site), pa.string()), ".example")


def urls_of(site: Ints, place: Ints) -> Any:
    """URLs as long as most are."""
    section = pa.array(np.array(["news", "sport", "urdu", "opinion"])[place % PREFIXES])
    number = pc.cast(pa.array(place), pa.string())
    start = joined("https://", hosts_of(site), "/", section)
    return joined(start, "/2024/05/some-title-of-an-article-", number, ".html")


def key_of(site: Ints, place: Ints) -> Ints:
    return spread(site * (1 << 32) + place + 1)


def spread(number: Ints) -> Ints:
    """Distinct integers over the whole range, one for each number."""
    mixed = number.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(29)
    return (mixed * np.uint64(0xBF58476D1CE4E5B9)).view(np.int64)


def letters(number: int) -> str:
    """A number as letters, since only those tell texts apart."""
    return "".join("abcdefghij"[int(digit)] for digit in str(abs(number)))


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


def write(path: str, columns: Mapping[str, Any], record: type) -> None:
    """Write columns as a table of a record's schema."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    with ParquetSink(path, schema_of(record)) as sink:
        for batch in pa.Table.from_pydict(dict(columns), schema=schema_of(record)).to_batches():
            sink.write(batch)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--make"]:
        make(int(sys.argv[2]), sys.argv[3])
    elif sys.argv[1:2] == ["--one"]:
        measure(int(float(sys.argv[2]) * 1_000_000), int(sys.argv[3]), int(sys.argv[4]))
    else:
        main(sys.argv[1:] or ["--small", "1", "5", "20", "50"])
