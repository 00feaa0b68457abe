"""What a crawl by several fetchers costs and brings, and what it leaves out when they are killed.

    python benchmarks/fetchers.py [--fetchers 1 4] [--sites 300] [--pages 2000] [--delay 0.5] [--kills 10]
    python benchmarks/fetchers.py --executors 4    fetchers are tasks of a Spark cluster on loopback
    python benchmarks/fetchers.py --executors 4 --s3 --apart --sites 4000 --pages 200000

Crawls the built-in web over loopback with each number of fetchers, then with the largest once more, while
fetchers are killed at random. Everything is counted in the archives and in the server's own log. With
executors, all steps of the crawls by several fetchers are done on Spark, and machines of its cluster are
killed, with all that runs there; its processor time is not counted. Apart, the web is that of `crawl.py`,
without pauses and served by a process of its own, so that many pages are crawled in minutes; the server's log
and manners are left out there. With S3, the corpus of several fetchers is in a local object store; that of
one is in a folder.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise, zip_longest
from pathlib import Path
from typing import Any

import psutil

from corpulyzer.api.corpus import Corpus, create, open_corpus
from corpulyzer.corpus import rounds
from corpulyzer.engine import Engine
from corpulyzer.engine.local import LocalEngine
from corpulyzer.jobs.crawl.loop import Crawl
from corpulyzer.lab.demo.web import BuiltInWeb
from corpulyzer.lab.demo.web.server import LogLine
from corpulyzer.records import int64_hash
from corpulyzer.url import site_of
from corpulyzer.web import seeds
from corpulyzer.web.fetch.politeness import WITHOUT_REQUEST
from corpulyzer.web.frontier.store.arrays import ints, read

sys.path += [str(Path(__file__).parent), str(Path(__file__).parent.parent / "tests" / "engine")]
from crawl import ARTICLES_A_SITE, SEEDS

LEASE_SECONDS = 10.0
FEW_BYTES = 256 << 20
"""As by default: queries over less are done by the driver."""
MADE = ("url", "language", "license", "paragraphs", "text", "target_bytes", "verdict")
TOLERANCE = 0.005
"""Times are recorded in milliseconds, and a request takes a moment to arrive."""


@dataclass(frozen=True, slots=True)
class Asked:
    """How a web is to be crawled."""

    sites: int = 300
    pages: int = 2_000
    delay: float = 0.5
    kills: int = 10
    seed: int = 1
    executors: int = 0
    apart: bool = False
    s3: bool = False

    @property
    def web(self) -> BuiltInWeb:
        pages = self.sites * ARTICLES_A_SITE if self.apart else 5 * self.pages
        return BuiltInWeb("urd", sites=self.sites, pages=pages)

    @property
    def seeds(self) -> list[str]:
        """Where a crawl begins."""
        return list(self.web.seeds(SEEDS) if self.apart else self.web.seeds(24, 0.5))

    @property
    def pauses(self) -> dict[str, float]:
        """The settings of the pauses between requests."""
        if not self.apart:
            return {"fetch.delay_seconds": self.delay}
        names = ("delay_seconds", "delay_per_second", "max_backoff_seconds")
        return dict.fromkeys((f"fetch.{name}" for name in names), 0.0)

    @contextmanager
    def served(self) -> Iterator[tuple[str, list[LogLine]]]:
        """The address of a proxy that serves the web, and its log."""
        if not self.apart:
            with self.web.serve() as server:
                yield server.proxy_url, server.log
            return
        script = Path(__file__).with_name("crawl.py")
        command = [sys.executable, str(script), f"--sites={self.sites}", "--run=serve"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                yield server.stdout.readline().strip() if server.stdout else "", []
            finally:
                server.terminate()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one crawl came to. `recorded` counts requests for a page by its URL, `kills` are times.

    `lists` has the ids of the URLs that each round was to fetch.

    `documents` says of each page what was made of it: its text, paragraphs and verdict, as a hash.
    """

    recorded: Counter[str]
    lists: list[set[int]]
    documents: Counter[tuple[str, int]]
    good: int
    log: list[LogLine]
    seconds: float
    fetching_seconds: float
    cpu_seconds: float
    kills: list[float]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--fetchers", type=int, nargs="+", default=[1, 4])
    for name in ("sites", "pages", "delay", "kills", "seed", "executors"):
        default = getattr(Asked(), name)
        parser.add_argument(f"--{name}", type=type(default), default=default)
    parser.add_argument(
        "--apart", action="store_true", help="a web without pauses, served by another process"
    )
    parser.add_argument("--s3", action="store_true", help="the corpus of several fetchers in an object store")
    given = vars(parser.parse_args())
    numbers, asked = given.pop("fetchers"), Asked(**given)
    first: Outcome | None = None
    killed = [(max(numbers), asked.kills)] if asked.kills else []
    for fetchers, kills in [*((each, 0) for each in numbers), *killed]:
        found = crawled(asked, fetchers, kills)
        first = first or found
        print(f"{fetchers} fetchers, {len(found.kills)} killed: {told(found, first, asked)}", flush=True)


def crawled(asked: Asked, fetchers: int, kills: int = 0) -> Outcome:
    """A crawl of the web with so many fetchers, of which some are killed."""
    executors = asked.executors if fetchers > 1 else 0
    with (
        tempfile.TemporaryDirectory() as folder,
        asked.served() as (proxy, log),
        stored(Path(folder), asked.s3 and fetchers > 1) as place,
        workplace(Path(folder), executors) as (engine, kill),
    ):
        flags = {
            "crawl.contact": "bench@corpulyzer.example",
            "crawl.pages": asked.pages,
            "crawl.fetchers": fetchers,
            "crawl.lease_seconds": LEASE_SECONDS,
            "fetch.proxy": proxy,
            "fetch.allow_private": True,
            **asked.pauses,
        }
        storage = create("urd", place).storage
        seeds.add(storage, [seeds.Candidate(url) for url in asked.seeds], "bench", round=1)
        corpus = open_corpus(place, flags)
        events = Events(kills, asked.pages, random.Random(asked.seed), kill)
        begun, cpu = time.monotonic(), cpu_seconds()
        ended = Crawl(corpus, engine, on_event=events).run()
        rows = read(corpus.table("fetches"), ("url", "purpose", "outcome")).to_pylist()
        pages = [row for row in rows if row["purpose"] == "page" and row["outcome"] not in WITHOUT_REQUEST]
        return Outcome(
            recorded=Counter(row["url"] for row in pages),
            lists=[set(ints(read(each.listed(), ["id"]), "id").tolist()) for each in rounds.rounds(storage)],
            documents=Counter(made(corpus)),
            good=ended.good,
            log=list(log),
            seconds=time.monotonic() - begun,
            fetching_seconds=events.fetching_seconds,
            cpu_seconds=cpu_seconds() - cpu,
            kills=events.kills,
        )


@contextmanager
def stored(folder: Path, in_s3: bool) -> Iterator[str]:
    """Where the corpus is: in a folder, or on an S3 server of its own."""
    if not in_s3:
        yield str(folder / "c")
        return
    from s3_server import environment, make_bucket, s3_server  # type: ignore[import-not-found]

    with s3_server(folder / "s3.log") as variables, environment(variables):
        yield f"{make_bucket(variables, 'corpora')}/c"


def made(corpus: Corpus) -> Iterator[tuple[str, int]]:
    """The documents, each by its URL and a hash of what was made of the page."""
    for batch in corpus.documents.batches(list(MADE)):
        columns = [batch.column(name).to_pylist() for name in MADE]
        for url, *content in zip(*columns, strict=True):
            yield url, int64_hash(*map(str, content))


Kill = Callable[[random.Random], bool]
"""Kills one of those who fetch; False if there is none."""


@contextmanager
def workplace(folder: Path, executors: int) -> Iterator[tuple[Engine, Kill]]:
    """An engine to crawl on, and how a fetcher is killed there: a process, or a machine of a cluster."""
    if not executors:
        with LocalEngine(workers=1) as here:
            yield here, kill_process
        return
    from cluster import SETTINGS, Cluster  # type: ignore[import-not-found]

    from corpulyzer.engine.spark import SparkEngine

    os.environ["PYTHONPATH"] = os.pathsep.join(entry for entry in sys.path if entry)
    (folder / "cluster").mkdir()
    cluster = Cluster(folder / "cluster", workers=executors)

    def kill_machine(chance: random.Random) -> bool:
        cluster.kill_worker(chance.randrange(executors))
        cluster.revive()
        return True

    try:
        with SparkEngine(cluster.url, settings=SETTINGS, few_bytes=FEW_BYTES) as there:
            yield there, kill_machine
    finally:
        cluster.close()


def kill_process(chance: random.Random) -> bool:
    found = running()
    if found:
        chance.choice(found).kill()
    return bool(found)


class Events:
    """Listens to a crawl, and kills a fetcher now and then in the midst of its work: at random pages."""

    def __init__(self, kills: int, pages: int, chance: random.Random, kill: Kill) -> None:
        self.kills: list[float] = []
        self.fetching_seconds = 0.0
        self._at = sorted(chance.sample(range(pages // 20, pages * 9 // 10), kills))
        self._chance, self._kill = chance, kill
        self._pages = 0
        self._turn = threading.Lock()

    def __call__(self, name: str, numbers: dict[str, Any]) -> None:
        with self._turn:
            self._pages += name == "page"
            self.fetching_seconds += numbers["seconds"] if name == "fetched" else 0.0
            if self._at and self._pages >= self._at[0] and self._kill(self._chance):
                self._at.pop(0)
                self.kills.append(time.time())  # until then it may have asked for something


def running() -> list[psutil.Process]:
    """The fetchers of this process."""
    found = psutil.Process().children()
    return [each for each in found if any("crawl.shards" in word for word in words_of(each))]


def words_of(process: psutil.Process) -> list[str]:
    try:
        return list(process.cmdline())
    except psutil.Error:
        return []


@dataclass
class Manners:
    """How a crawl behaved by the log of the server; pauses count from the end of an answer on."""

    shortest: float = float("inf")
    too_short: int = 0
    at_once: int = 0
    last: dict[str, LogLine] = field(default_factory=dict)

    @staticmethod
    def of(log: Iterable[LogLine], web: BuiltInWeb, delay: float) -> Manners:
        """What the log says; a robots.txt may be asked for before its Crawl-delay is known."""
        found = Manners()
        for line in sorted(log, key=lambda each: each.time):
            before = found.last.get(site_of(line.url))
            found.last[site_of(line.url)] = line
            if before is None:
                continue
            pause = line.time - before.time - before.wait
            editions = web.addresses.hosts.get(line.host)
            own = editions[0][0].crawl_delay if editions and line.path != "/robots.txt" else 0.0
            found.shortest = min(found.shortest, pause)
            found.too_short += pause < max(delay, own) - TOLERANCE
            found.at_once += pause < 0
        return found


def told(found: Outcome, first: Outcome, asked: Asked) -> str:
    """A crawl in words, beside the first one."""
    manners = Manners.of(found.log, asked.web, asked.delay)
    pages = sum(found.recorded.values())
    again = lost_seconds(found)
    words = {
        "sites": len(manners.last),
        "rounds": len(found.lists),
        "first other list": first_other(found.lists, first.lists),
        "pages": pages,
        "recorded twice": sum(count > 1 for count in found.recorded.values()),
        "not of the first crawl": len(found.recorded - first.recorded),
        "missing of the first crawl": len(first.recorded - found.recorded),
        "documents": found.documents.total(),
        "not of the first crawl as they are": (found.documents - first.documents).total(),
        "missing of the first crawl's": (first.documents - found.documents).total(),
        "asked twice": len(again),
        "of these at most before a kill": f"{max(again, default=0.0):.1f} s",
        "shortest pause": f"{manners.shortest:.3f} s",
        "pauses too short": manners.too_short,
        "two at once": manners.at_once,
        "yield": f"{found.good / pages:.4f}",
        "seconds": f"{found.seconds:.0f}",
        "of these fetching": f"{found.fetching_seconds:.0f}",
        "CPU-s": f"{found.cpu_seconds:.1f}",
    }
    return ", ".join(f"{name} {value}" for name, value in words.items())


def first_other(lists: list[set[int]], others: list[set[int]]) -> str:
    """The first round that two crawls were to fetch other URLs in, and how many of these there are."""
    nothing: set[int] = set()
    for number, (one, other) in enumerate(zip_longest(lists, others, fillvalue=nothing), 1):
        if one != other:
            return f"{number} ({len(one ^ other)} URLs)"
    return "none"


def lost_seconds(found: Outcome) -> list[float]:
    """For each URL that was asked for again, how long that was before a kill; endless if none came."""
    times: dict[str, list[float]] = defaultdict(list)
    for line in found.log:
        times[line.url].append(line.time)
    before = [time for asked in times.values() for time, _ in pairwise(sorted(asked))]
    return [
        min((kill - time for kill in found.kills if kill >= time), default=float("inf")) for time in before
    ]


def cpu_seconds() -> float:
    """Processor time of this process, with the web it serves, and of its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


if __name__ == "__main__":
    main()
