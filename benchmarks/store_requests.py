"""How often an object store is asked by each step of a corpus: what `corpulyzer estimate` reckons with.

    python benchmarks/store_requests.py [--ways batch crawl] [--parts 1 3 6] [--pages 1000 3000]

Runs the steps on corpora of several sizes in a local S3 server, whose log has each request, and prints what a
step asks for however little there is, and what more for each part of the tables: an archive, or a round of a
crawl without pauses, of 100 pages. With another number of fetchers, or with pauses (`--delay`), it tells what
a fetcher and a second cost. Requests that delete cost nothing in S3, and are left out.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from corpulyzer.api.corpus import Corpus, create, open_corpus
from corpulyzer.corpus import rounds
from corpulyzer.engine import Engine
from corpulyzer.engine.local import LocalEngine
from corpulyzer.lab.estimate import ARTICLES_PER_PAGE, RICH, SEEDS
from corpulyzer.lab.estimate.model import AT_START, BY_PART, Requests
from corpulyzer.lab.estimate.pages import TARGET, web_of, write_pages
from corpulyzer.lab.estimate.trial import COUNTS, FITS, crawl_flags
from corpulyzer.measure.panels import PANELS
from corpulyzer.web import seeds

sys.path += [str(Path(__file__).parent.parent / "tests" / "engine")]
from s3_server import environment, make_bucket, requests, s3_server  # type: ignore[import-not-found]

PAGES_A_PART = 60
PAGES_A_ROUND = 100
READS, FREE = ("GET", "HEAD"), ("DELETE",)
Counted = dict[str, Requests]


def main() -> None:
    """Count for each size, and print what follows."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--parts", type=int, nargs="+", default=[1, 3, 6], help="archives of a corpus")
    parser.add_argument("--pages", type=int, nargs="+", default=[1_000, 3_000], help="pages of a crawl")
    parser.add_argument("--fetchers", type=int, default=2)
    parser.add_argument("--delay", type=float, default=0.0, help="seconds between requests to a site")
    parser.add_argument("--ways", nargs="+", choices=("batch", "crawl"), default=["batch", "crawl"])
    asked = parser.parse_args()
    sizes = {"batch": asked.parts, "crawl": asked.pages}
    if any(len(set(sizes[way])) < 2 for way in asked.ways):
        parser.error("name two sizes at least: one alone does not tell the start from the parts")
    for way in asked.ways:
        if way == "batch":
            told(way, {size: batch(size) for size in sorted(asked.parts)})
        else:
            told(way, dict(crawl(pages, asked.fetchers, asked.delay) for pages in sorted(asked.pages)))


def batch(parts: int) -> Counted:
    """The requests of each step on a corpus of so many archives."""
    with tempfile.TemporaryDirectory() as folder, store(Path(folder)) as counter:
        for number in range(parts):
            write_pages(Path(folder, f"{number}.warc.gz"), PAGES_A_PART, seed=number)
        place = create(TARGET, counter.place).storage.root
        with LocalEngine(1) as engine:
            corpus = open_corpus(place)
            archives = sorted(map(str, Path(folder).glob("*.warc.gz")))
            counter("import", lambda: corpus.import_(*archives, engine=engine))
            after(corpus, engine, counter)
    return counter.counted


def crawl(pages: int, fetchers: int, delay: float) -> tuple[int, Counted]:
    """The rounds of a crawl of so many pages, and the requests of each step."""
    web = web_of(ARTICLES_PER_PAGE * pages)
    with (
        tempfile.TemporaryDirectory() as folder,
        store(Path(folder)) as counter,
        web.serve(slowness=0.0) as server,
    ):
        storage = create(TARGET, counter.place).storage
        seeds.add(storage, [seeds.Candidate(url) for url in web.seeds(SEEDS, RICH)], "estimate", round=1)
        flags = {
            **crawl_flags(pages, server.proxy_url),
            "crawl.fetchers": fetchers,
            "crawl.round_pages": PAGES_A_ROUND,
            "fetch.delay_seconds": delay,
        }
        corpus = open_corpus(counter.place, flags)
        with LocalEngine(1) as engine:
            counter("crawl", lambda: corpus.crawl(engine=engine))
            after(corpus, engine, counter)
        return len(rounds.rounds(corpus.storage)), counter.counted


def after(corpus: Corpus, engine: Engine, counter: Counter) -> None:
    """The steps that follow, whatever the pages come from."""
    of = {fit: [panel.name for panel in PANELS if bool(panel.fit) == fit] for fit in (True, False)}
    counter("dedup", lambda: corpus.dedup(engine=engine))
    counter(COUNTS, lambda: corpus.analyze(*of[False], engine=engine))
    counter(FITS, lambda: corpus.analyze(*of[True], engine=engine))
    counter("report", lambda: corpus.report(engine=engine))
    counter("export", lambda: corpus.export("hf", engine=engine))


class Counter:
    """Counts what a server is asked for while a step is done."""

    def __init__(self, variables: dict[str, str], place: str) -> None:
        self.place, self.counted = place, Counted()
        self._variables = variables

    def __call__(self, step: str, work: Callable[[], object]) -> None:
        began = time.monotonic()
        with requests(self._variables) as asked:
            work()
        verbs = [each.split()[0] for each in asked]
        # A bucket is listed by a GET that is priced like a put.
        lists = sum(each.startswith("GET") and "list-type=" in each for each in asked)
        reads = sum(verb in READS for verb in verbs) - lists
        self.counted[step] = Requests(reads, sum(verb not in (*READS, *FREE) for verb in verbs) + lists)
        print(f"{step}: {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)


@contextmanager
def store(folder: Path) -> Iterator[Counter]:
    """An S3 server with a bucket, and what counts its requests."""
    with s3_server(folder / "s3.log") as variables, environment(variables):
        yield Counter(variables, f"{make_bucket(variables, 'corpora')}/c")


def told(way: str, counted: dict[int, Counted]) -> None:
    """Print the requests of each size, those at the start and for each part, and what the model has."""
    few, *_, many = counted
    sizes = ", ".join(map(str, counted))
    print(f"\n{way}: reads and writes at {sizes} parts; start, each part (the model's)")
    for step, first in counted[few].items():
        more = counted[many][step] + first * -1.0
        part = more * (1 / (many - few))
        start = first + part * -few
        found = "  ".join(words(each[step]) for each in counted.values())
        has = f"({words(AT_START[step])}, {words(BY_PART[step])})"
        print(f"{step:18}{found}   start {words(start)}, each part {words(part)} {has}", flush=True)


def words(asked: Requests) -> str:
    return f"{asked.reads:.0f}/{asked.writes:.0f}"


if __name__ == "__main__":
    main()
