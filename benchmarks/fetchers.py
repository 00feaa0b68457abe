"""What a crawl by several fetchers costs and brings, and what it leaves out when they are killed.

    python benchmarks/fetchers.py [--fetchers 1 4] [--sites 300] [--pages 2000] [--delay 0.5] [--kills 10]

Crawls the built-in web over loopback with each number of fetchers, then with the largest once more, while
fetchers are killed at random. Everything is counted in the archives and in the server's own log.
"""

from __future__ import annotations

import argparse
import random
import resource
import tempfile
import threading
import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import psutil

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.engine.local import LocalEngine
from corpulyzer.jobs.crawl.loop import Crawl
from corpulyzer.lab.demo.web import BuiltInWeb
from corpulyzer.lab.demo.web.server import LogLine
from corpulyzer.url import site_of
from corpulyzer.web import seeds
from corpulyzer.web.frontier.store.arrays import read

LEASE_SECONDS = 10.0
TOLERANCE = 0.005
"""Times are recorded in milliseconds, and a request takes a moment to arrive."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one crawl came to."""

    recorded: Counter[str]
    good: int
    log: list[LogLine]
    seconds: float
    cpu_seconds: float
    killed: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--fetchers", type=int, nargs="+", default=[1, 4])
    parser.add_argument("--sites", type=int, default=300)
    parser.add_argument("--pages", type=int, default=2_000)
    parser.add_argument("--delay", type=float, default=0.5)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    web = BuiltInWeb("urd", sites=asked.sites, pages=5 * asked.pages)
    first: Outcome | None = None
    for fetchers, kills in [*((each, 0) for each in asked.fetchers), (max(asked.fetchers), asked.kills)]:
        found = crawled(web, asked, fetchers, kills)
        first = first or found
        print(f"{fetchers} fetchers, {found.killed} killed: {told(found, first, asked.delay)}", flush=True)


def crawled(web: BuiltInWeb, asked: argparse.Namespace, fetchers: int, kills: int) -> Outcome:
    """A crawl of the web with so many fetchers, of which some are killed."""
    with tempfile.TemporaryDirectory() as folder, web.serve() as server:
        flags = {
            "crawl.contact": "bench@corpulyzer.example",
            "crawl.pages": asked.pages,
            "crawl.fetchers": fetchers,
            "crawl.lease_seconds": LEASE_SECONDS,
            "fetch.proxy": server.proxy_url,
            "fetch.delay_seconds": asked.delay,
            "fetch.allow_private": True,
        }
        storage = create("urd", Path(folder, "c")).storage
        seeds.add(storage, [seeds.Candidate(url) for url in web.seeds(24, 0.5)], "bench", round=1)
        corpus = open_corpus(Path(folder, "c"), flags)
        killer = Killer(kills, asked.pages, random.Random(asked.seed))
        begun, cpu = time.monotonic(), cpu_seconds()
        with LocalEngine(workers=1) as engine:
            ended = Crawl(corpus, engine, on_event=killer).run()
        rows = read(corpus.table("fetches"), ("url", "purpose")).to_pylist()
        recorded = Counter(row["url"] for row in rows if row["purpose"] == "page")
        took = time.monotonic() - begun
        return Outcome(recorded, ended.good, list(server.log), took, cpu_seconds() - cpu, killer.killed)


class Killer:
    """Kills a fetcher now and then, in the midst of its work: at random numbers of pages."""

    def __init__(self, kills: int, pages: int, chance: random.Random) -> None:
        self.killed = 0
        self._at = sorted(chance.sample(range(pages // 20, pages * 9 // 10), kills))
        self._chance = chance
        self._pages = 0
        self._turn = threading.Lock()

    def __call__(self, name: str, _numbers: dict[str, Any]) -> None:
        with self._turn:
            self._pages += name == "page"
            if self._at and self._pages >= self._at[0] and (found := running()):
                self._at.pop(0)
                self._chance.choice(found).kill()
                self.killed += 1


def running() -> list[psutil.Process]:
    """The fetchers of this process."""
    found = psutil.Process().children()
    return [each for each in found if any("crawl.shards" in word for word in words_of(each))]


def words_of(process: psutil.Process) -> list[str]:
    try:
        return list(process.cmdline())
    except psutil.Error:
        return []


def told(found: Outcome, first: Outcome, delay: float) -> str:
    """A crawl in words, beside the first one."""
    hits = Counter(line.url for line in found.log)
    sites = defaultdict(list)
    for line in found.log:
        sites[site_of(line.url)].append(line.time)
    pauses = [after - before for times in sites.values() for before, after in pairwise(sorted(times))]
    pages = sum(found.recorded.values())
    words = {
        "sites": len(sites),
        "pages": pages,
        "recorded twice": sum(count > 1 for count in found.recorded.values()),
        "not of the first crawl": len(found.recorded - first.recorded),
        "missing of the first crawl": len(first.recorded - found.recorded),
        "asked twice": sum(count > 1 for count in hits.values()),
        "shortest pause": f"{min(pauses):.3f} s",
        "pauses too short": sum(pause < delay - TOLERANCE for pause in pauses),
        "yield": f"{found.good / pages:.4f}",
        "seconds": f"{found.seconds:.0f}",
        "CPU-s": f"{found.cpu_seconds:.1f}",
    }
    return ", ".join(f"{name} {value}" for name, value in words.items())


def cpu_seconds() -> float:
    """Processor time of this process, with the web it serves, and of its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


if __name__ == "__main__":
    main()
