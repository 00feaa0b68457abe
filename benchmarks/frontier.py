"""What the frontier costs a fetched page, whatever is known: rounds of generate and update, and their peak.

    python benchmarks/frontier.py                     # rounds of 20 pages, then 1, 5, 20 and 50 million URLs
    python benchmarks/frontier.py 1 50 --rounds 10    # millions of known URLs; rounds of 2,000 pages
    python benchmarks/frontier.py 20 --folder /data   # prepares it there, and keeps it for the next time
    python benchmarks/frontier.py 20 --engine spark   # queries on Spark, with two tasks at a time

A frontier is written as a crawl with rounds of 2,000 pages would have left it, straight in the form in which
it is kept: a base of whole rows, keys, sums, and a front. A page has 100 links, four of five within its site,
one of four to a URL that is new; so one URL of 25 was fetched. Sites have 200 URLs on average, by a power
law. Each size runs in a process of its own, and leaves nothing behind without `--folder`. 50 million URLs are
prepared in 90 CPU seconds and 3 GB of memory, and take 5 GB of disk.

CPU seconds are those of all threads and child processes. Links come as clues, read already, except in the
small rounds: what reading them costs follows the links alone. Runs are merged into the base when they have
more rows than it: within 30 rounds that is so at one million only, where it is in the figures. Each round
says on the standard error what it cost.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pyarrow as pa
import pyarrow.compute as pc

from corpulyzer.engine import Dataset
from corpulyzer.engine.local import LocalEngine
from corpulyzer.engine.spark import SparkEngine
from corpulyzer.records import Document, Edge, Fetch, int64_hash
from corpulyzer.records.columns import schema_of
from corpulyzer.records.targets import targets
from corpulyzer.storage import Storage
from corpulyzer.web.frontier import Situation
from corpulyzer.web.frontier.brought import Brought
from corpulyzer.web.frontier.clues import OTHER, TARGET, Reader
from corpulyzer.web.frontier.generate import Generate
from corpulyzer.web.frontier.pattern import LanguageWords, pattern_of
from corpulyzer.web.frontier.store.arrays import ints, write_file
from corpulyzer.web.frontier.store.behind import Run, stored
from corpulyzer.web.frontier.store.cells import folded
from corpulyzer.web.frontier.store.depth import Depth
from corpulyzer.web.frontier.store.freed_memory import keep_freed_memory
from corpulyzer.web.frontier.store.keys import Keys, Of
from corpulyzer.web.frontier.store.versions import Frontier, Manifest
from corpulyzer.web.frontier.store.wholes import parts_of
from corpulyzer.web.frontier.strategies.focus import Focus
from corpulyzer.web.frontier.tables import MICRO, Cell, Clue, Known, Listed, Site
from corpulyzer.web.frontier.update import Update

URLS_PER_SITE = 200
PREFIXES = 4
LINKS_PER_PAGE = 100
URLS_PER_PAGE = 25
"""One of so many URLs was fetched: each page brought as many that were new."""
SMALL = (20_000, 40, 20)
NOW = 1_800_000_000
BEGUN = "00001.1"

Ints = np.ndarray[tuple[int], np.dtype[np.int64]]


def main() -> None:
    """Measure each size in a fresh process and print a line for it."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("millions", nargs="*", type=float, help="known URLs; all sizes if there are none")
    asked.add_argument("--rounds", type=int, default=30)
    asked.add_argument("--pages", type=int, default=2000)
    asked.add_argument("--folder", help="where prepared frontiers are kept")
    asked.add_argument("--engine", choices=("local", "spark"), default="local", help="where queries run")
    asked.add_argument("--one", nargs=4, help=argparse.SUPPRESS)
    options = asked.parse_args()
    if options.one:
        urls, rounds, pages = map(int, options.one[:3])
        engine = LocalEngine() if options.engine == "local" else SparkEngine("local[2]")
        measure(urls, rounds, pages, options.one[3], engine)
        return
    heads = ("known URLs", "rounds", "pages", "generate", "update", "both", "to the first", "peak")
    units = ("", "", "", "CPU-s each", "CPU-s each", "ms a page", "", "GB")
    for line in (heads, units):
        print("".join(f"{word:>14}" for word in line), flush=True)
    sizes = [(int(size * 1_000_000), options.rounds, options.pages) for size in options.millions]
    first = 0.0
    for size in sizes or [SMALL, *((n * 1_000_000, options.rounds, options.pages) for n in (1, 5, 20, 50))]:
        figures = in_own_process(size, options.folder, options.engine)
        cost = figures[5]
        first = first or (cost if size != SMALL else 0.0)
        ratio = f"{cost / first:.2f}" if first else ""
        numbers = [f"{int(one):,}" for one in figures[:3]] + [f"{one:.3f}" for one in figures[3:]]
        print("".join(f"{word:>14}" for word in [*numbers[:6], ratio, numbers[6]]), flush=True)


def in_own_process(size: tuple[int, int, int], folder: str | None, engine: str) -> list[float]:
    """The figures of one size. What a killed run has left is taken away by the next."""
    with tempfile.TemporaryDirectory(prefix="frontier-") as temporary:
        place = Path(folder or temporary) / str(size[0])
        place.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, __file__, "--engine", engine, "--one", *map(str, size), str(place)]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return [float(word) for word in done.stdout.split()]


def measure(urls: int, rounds: int, pages: int, folder: str, engine: LocalEngine | SparkEngine) -> None:
    """Crawl for some rounds from a frontier of `urls` rows, and print the figures."""
    storage, generating, updating, done = Storage(folder), 0.0, 0.0, 0
    begun = prepared(storage, urls)
    keep_freed_memory()  # as a crawl does
    web, frontier = Web(urls), begun
    with engine:
        for number in range(2, rounds + 3):
            start = cpu_seconds()
            listed = Generate(Focus(), engine)(frontier, pages, NOW + number, Situation(number, 0.1))
            generated = cpu_seconds()
            brought, clues = web.round_of(folder, listed, number)
            made = cpu_seconds()
            update = Told(reader(), engine, "work", told=None if urls == SMALL[0] else clues)
            frontier = update(frontier, f"{number:05d}.1", number, brought).frontier
            frontier.forget_others(begun)
            costs = generated - start, cpu_seconds() - made
            told(frontier, number, *costs)
            if number > 2:  # the first round opens the database
                generating, updating = generating + costs[0], updating + costs[1]
                done += listed.num_rows
    begun.forget_others()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    cost = 1000 * (generating + updating) / max(1, done)
    print(urls, rounds, done, generating / rounds, updating / rounds, cost, peak)


def told(frontier: Frontier, number: int, *costs: float) -> None:
    """Tell whoever waits how far it is, and which rounds did more than others."""
    manifest = frontier.manifest
    rows = [sum(run.rows for run in runs) for runs in (manifest.base, manifest.runs)]
    words = " ".join(f"{cost:.2f}" for cost in costs)
    print(f"round {number}: {words} CPU-s, base {rows[0]:,}, runs {rows[1]:,}", file=sys.stderr, flush=True)


def prepared(storage: Storage, urls: int) -> Frontier:
    """The frontier from which a measurement begins; written by a process whose memory is not measured."""
    begun = Frontier(storage, BEGUN)
    if not storage.exists(begun.note):
        shutil.rmtree(storage.root, ignore_errors=True)
        code = f"import frontier; frontier.make({urls}, {storage.root!r})"
        subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parent)
    begun.forget_others()
    return begun


def cpu_seconds() -> float:
    """Processor time of all threads, and of child processes that have ended or run: Java, with Spark."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    total = time.process_time() + ended.ru_utime + ended.ru_stime
    for each in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            total += sum(each.cpu_times()[:4])  # its own, and that of its children that have ended
    return total


@dataclass(frozen=True)
class Told(Update):
    """An update that is told the clues of links, if there are any, in place of reading them."""

    told: pa.Table | None = field(default=None, kw_only=True)

    def _read_links(self, frontier: Frontier, links: pa.RecordBatch) -> pa.Table:
        return super()._read_links(frontier, links) if self.told is None else self.told


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

    def round_of(self, folder: str, listed: pa.Table, number: int) -> tuple[Brought, pa.Table]:
        """What a round of the listed pages brings, a document for each and its links; and their clues."""
        ids, urls, count = ints(listed, "id"), listed.column("url"), listed.num_rows
        sites = np.array([int(url.split("/")[2][1:-8]) for url in map(str, urls.to_pylist())], np.int64)
        keys, good = ids ^ np.int64(number), is_good(sites)
        texts = [f"{'abcdefghij'[n % 10]} words of the page {letters(n)}" for n in ids.tolist()]
        fetches = {
            "id": keys,
            "url_id": ids,
            "url": urls,
            "site": hosts_of(sites),
            "round": np.full(count, number),
            "outcome": ["ok"] * count,
            "status": np.full(count, 200),
            "purpose": ["page"] * count,
            "date": [(NOW + number) * 1_000_000] * count,
        }
        documents = {
            "id": keys,
            "text": texts,
            "paragraphs": [[{"start": 0, "end": len(text), "language": "urd"}] for text in texts],
            "text_bytes": np.full(count, 1000),
            "target_bytes": np.where(good, 900, 0),
            "verdict": [{"kept": bool(kept), "reason": "", "detail": "", "facts": []} for kept in good],
        }
        site, place = self.targets(np.repeat(sites, LINKS_PER_PAGE))
        links = {
            "source_id": np.repeat(keys, LINKS_PER_PAGE),
            "source_url_id": np.repeat(ids, LINKS_PER_PAGE),
            "target_id": key_of(site, place),
            "target": urls_of(site, place),
            "target_site": hosts_of(site),
            "anchor": pa.array(np.where(np.arange(len(site)) % 2, "t", "o")),
            "element": pa.repeat("a", len(site)),
        }
        tables = {"fetches": table_of(fetches, Fetch), "documents": table_of(documents, Document)}
        tables |= {"links": table_of(links, Edge), "listed": listed.cast(schema_of(Listed))}
        for name, table in tables.items():
            write_file(f"{folder}/round/{name}.parquet", table)
        brought = {n: Dataset((f"{folder}/round/{n}.parquet",), table.schema) for n, table in tables.items()}
        return Brought(**brought), self.clues(listed, sites, site, place)

    def targets(self, source: Ints) -> tuple[Ints, Ints]:
        """Where links from pages of these sites lead: sites, and the numbers of URLs within them."""
        count = len(source)
        drawn = np.searchsorted(self.cumulated, self.chance.integers(0, self.cumulated[-1], count), "right")
        site = np.where(self.chance.random(count) < 0.8, source, drawn)
        place = (self.chance.random(count) * self.next[site]).astype(np.int64)
        is_new = self.chance.random(count) < LINKS_PER_PAGE / URLS_PER_PAGE / 16
        order = np.argsort(site[is_new], kind="stable")
        new_site = site[is_new][order]
        fresh = np.empty(len(new_site), np.int64)
        fresh[order] = self.next[new_site] + np.arange(len(new_site)) - np.searchsorted(new_site, new_site)
        self.next += np.bincount(new_site, minlength=len(self.next))
        place[is_new] = fresh
        return site, place

    def clues(self, listed: pa.Table, sites: Ints, site: Ints, place: Ints) -> pa.Table:
        """What reading the links gives."""
        source = np.repeat(np.arange(len(sites)), LINKS_PER_PAGE)
        good, anchor = is_good(sites)[source], np.arange(len(site)) % 2
        columns = in_site(len(self.sizes), site, place) | {
            "hops": ints(listed, "hops")[source] + 1,
            "links": np.ones(len(site), np.int64),
            "outside": (sites[source] != site).astype(np.int64),
            "from_target": good.astype(np.int64),
            "share": np.where(good, 900_000, 0),
            "anchors_target": anchor,
            "anchors_other": 1 - anchor,
            "referrer": ints(listed, "id")[source],
            "referrer_bytes": np.where(good, 900, 0),
            "cash": ints(listed, "cash")[source] // LINKS_PER_PAGE,
        }
        return table_of(columns, Clue)


def site_sizes(urls: int) -> Ints:
    """How many URLs of each site are known: by a power law, and `urls` in all."""
    sites = max(10, urls // URLS_PER_SITE)
    weight = 1 / (np.arange(sites) + 20.0) ** 0.8
    sizes: Ints = np.maximum(1, (weight / weight.sum() * urls).astype(np.int64))
    sizes[0] += max(0, urls - int(sizes.sum()))
    return sizes.astype(np.int64)


def is_good(site: Ints) -> Any:
    """Whether the pages of sites are good: those of a third of them."""
    return site % 3 == 0


def make(urls: int, folder: str) -> None:
    """Write a frontier: a base with all URLs, or a front if it holds them, what was seen, and the sums."""
    storage, sizes = Storage(folder), site_sizes(urls)
    sums = {"prefixes": folded([table_of(cells(sizes), Cell)], 1), "sites": table_of(sites(sizes), Site)}
    files = {"prefixes": f"prefixes/{BEGUN}.arrow", "sites": f"sites/{BEGUN}.parquet"}
    for name, table in sums.items():
        write_file(storage.path(files[name]), table)
    runs = {name: (Run(files[name], table.num_rows),) for name, table in sums.items()}
    manifest, front, seen = (
        Manifest(round=1, prefixes=runs["prefixes"], sites=runs["sites"]),
        schema_of(Known).empty_table(),
        [],
    )
    if urls <= Depth().most:
        front = known(sizes, np.arange(len(sizes)))
        front = front.take(np.argsort(ints(front, "id")))
        seen = keys_of(front)
    else:
        base = []
        for rows, file in parts(sizes, parts_of(urls)):
            write_file(storage.path(file), stored(rows, 0, 1), "snappy")
            seen += [(Of.PARKED, ints(rows, "id")), *keys_of(rows)]
            base.append(Run(file, rows.num_rows))
        waits = urls - urls // URLS_PER_PAGE
        manifest = replace(manifest, base=tuple(base), waiting=waits, soonest=2 * NOW)
    keys = Keys(storage).plus(seen, f"frontier/keys/{BEGUN}.keys").runs
    manifest = replace(manifest, keys=tuple(Run(*run) for run in keys))
    if manifest.base:
        with LocalEngine() as engine:
            levelling = Depth().of(Frontier(storage, BEGUN, manifest), engine, "work")
            front, manifest, _ = levelling.level(front, front)
    file = f"frontier/front/{BEGUN}.parquet"
    write_file(storage.path(file), front)
    Frontier(storage, BEGUN).write(replace(manifest, front=file))


def parts(sizes: Ints, count: int) -> Iterator[tuple[pa.Table, str]]:
    """The rows of each part of the base, and its file."""
    part = site_keys(len(sizes)) % count
    for number in range(count):
        yield known(sizes, np.flatnonzero(part == number)), f"frontier/behind/{BEGUN}-{number:04d}.parquet"


def keys_of(rows: pa.Table) -> list[tuple[Of, Ints]]:
    """What is noted of the rows of a frontier that were fetched."""
    fetched = rows.filter(ints(rows, "fetches") > 0)
    names = {Of.FETCHED: "id", Of.TEXT: "digest", Of.STEM_READ: "stem"}
    return [(kind, ints(fetched, name)) for kind, name in names.items()] + [
        (Of.SITE, np.unique(ints(fetched, "site_id")))
    ]


def known(sizes: Ints, site: Ints) -> pa.Table:
    """The rows of some sites, with as many links as a crawl would have found."""
    own = sizes[site]
    place = np.arange(int(own.sum())) - np.repeat(np.cumsum(own) - own, own)
    site = np.repeat(site, own)
    columns = in_site(len(sizes), site, place)
    chance, fetched, good = columns["id"] >> 40, place % URLS_PER_PAGE == 0, is_good(site)
    links = 1 + chance % 7
    columns |= {
        "round": np.ones(len(site), np.int64),
        "hops": 1 + place % 7,
        "links": links,
        "outside": (links + chance % 4) // 5,
        "from_target": np.where(good, links, 0),
        "share": np.where(good, links * 900_000, 0),
        "anchors_target": (links + chance % 2) // 2,
        "anchors_other": (links + 1 - chance % 2) // 2,
        "referrer_bytes": np.where(good, 900, 0),
        "referrer": spread(columns["id"]),
        "cash": MICRO // (place + 1),
        "fetches": fetched.astype(np.int64),
        "fetched": np.where(fetched, NOW, 0),
        "due": np.where(fetched, NOW * 2, 0),
        "digest": np.where(fetched, spread(columns["id"]), 0),
    }
    return table_of(columns, Known)


def in_site(count: int, site: Ints, place: Ints) -> dict[str, Any]:
    """What follows from a URL, of so many sites in all."""
    prefix, key = site * PREFIXES + place % PREFIXES, key_of(site, place)
    sections, patterns = pattern_keys(count)
    return {
        "id": key,
        "url": urls_of(site, place),
        "site_id": site_keys(count)[site],
        "section_id": sections[prefix],
        "prefix_id": patterns[prefix],
        "stem": key,
        "words": np.where(place % PREFIXES == 2, 2, 0),
    }


def cells(sizes: Ints) -> dict[str, Any]:
    """The sums of the patterns of which something was fetched."""
    fetched = np.repeat((sizes + URLS_PER_PAGE - 1) // URLS_PER_PAGE, PREFIXES)
    number = np.arange(len(fetched))
    pages = (fetched + PREFIXES - 1 - number % PREFIXES) // PREFIXES
    tried = np.flatnonzero(pages)
    sections, patterns = pattern_keys(len(sizes))
    pages, site = pages[tried], tried // PREFIXES
    return {
        "prefix_id": patterns[tried],
        "section_id": sections[tried],
        "site_id": site_keys(len(sizes))[site],
        "evidence": 225 + 180 * is_good(site) + 2 * (tried % PREFIXES == 2),
        "tries": pages,
        "pages": pages,
        "good": np.where(is_good(site), pages, 0),
    }


def sites(sizes: Ints) -> dict[str, Any]:
    """The sums of the sites."""
    number, pages = np.arange(len(sizes)), (sizes + URLS_PER_PAGE - 1) // URLS_PER_PAGE
    order = np.argsort(site_keys(len(sizes)))
    columns = {
        "site_id": site_keys(len(sizes)),
        "good": np.where(is_good(number), pages, 0),
        "pages": pages,
        "tries": pages,
    }
    return {name: column[order] for name, column in columns.items()} | {"site": hosts_of(number[order])}


@cache
def site_keys(sites: int) -> Ints:
    """The keys of sites, as links have them."""
    return np.array([int64_hash(host(site)) for site in range(sites)], np.int64)


@cache
def pattern_keys(sites: int) -> tuple[Ints, Ints]:
    """The keys of the sections and of the patterns of sites."""
    urls = urls_of(np.zeros(PREFIXES, np.int64), np.arange(PREFIXES)).to_pylist()
    kinds = [pattern_of(url) for url in map(str, urls)]
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
    section = pa.array(["news", "sport", "urdu", "opinion"]).take(place % PREFIXES)
    number = pc.cast(pa.array(place), pa.string())
    return joined(
        "https://", hosts_of(site), "/", section, "/2024/05/some-title-of-an-article-", number, ".html"
    )


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


def table_of(columns: Mapping[str, Any], record: type) -> pa.Table:
    """Columns as a table of a record's schema; nothing, no text or 0 where there is none."""
    rows = len(next(iter(columns.values())))
    nothing = {"string": pa.repeat("", rows), "bool": pa.repeat(False, rows)}
    arrays: list[Any] = []
    for column in schema_of(record):
        value = columns.get(column.name, nothing.get(str(column.type)))
        if value is None and pa.types.is_nested(column.type):
            value = [[] if pa.types.is_list(column.type) else None] * rows
        value = np.zeros(rows, np.int64) if value is None else value
        is_arrow = isinstance(value, pa.Array | pa.ChunkedArray)
        arrays.append(value if is_arrow else pa.array(value).cast(column.type))
    return pa.Table.from_arrays(arrays, schema=schema_of(record)).combine_chunks()


if __name__ == "__main__":
    main()
