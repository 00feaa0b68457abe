"""A whole crawl: pages a second, processor time by phase, cores kept busy, beside Scrapy on the same web.

    python benchmarks/crawl.py [--pages 6000] [--small 1000] [--rounds 1] [--sites 240] [--alone]

The built-in web is served on loopback by a process of its own, which answers from memory (a first crawl fills
it) and is counted apart. Corpulyzer crawls it for its target language: WARC, documents, links, frontier.
Scrapy follows every link within the same number of pages, extracts the text of each with trafilatura, asks
CLD2 for its language, and writes what is in the target as JSON lines. Pauses are off for both, those of
Crawl-delay and after failures too, and robots.txt is obeyed. Processor time is that of all processes, their
start included.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import psutil

from corpulyzer.lab.demo.web import Answer, BuiltInWeb

TARGET, TARGET_CLD2 = "urd", "ur"
SITES, ARTICLES_A_SITE, SEEDS = 240, 125, 40
AGENT = "Corpulyzer-Benchmark (bench@example.org)"
ENDS = {"round": "generate", "parsed": "parse", "commit": "update"}
"""The event with which each phase of the main thread ends; fetching has a thread of its own."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--pages", type=int, default=6_000)
    parser.add_argument("--small", type=int, default=1_000, help="pages of the small crawl; 0 for none")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--sites", type=int, default=SITES, help="so many sites, 125 articles on each")
    parser.add_argument("--alone", action="store_true", help="without Scrapy")
    parser.add_argument("--run", choices=["serve", "corpulyzer", "scrapy"], help=argparse.SUPPRESS)
    parser.add_argument("--proxy", default="", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.run == "serve":
        serve(asked.sites)
    elif asked.run == "corpulyzer":
        print(json.dumps(run_corpulyzer(asked.proxy, asked.pages, asked.sites)))
    elif asked.run == "scrapy":
        print(json.dumps(run_scrapy(asked.proxy, asked.pages, asked.sites)))
    else:
        compare(asked)


def compare(asked: argparse.Namespace) -> None:
    """Crawl with both in turn, and print what the pages cost."""
    command = [sys.executable, __file__, f"--sites={asked.sites}"]
    sizes = [size for size in (asked.small, asked.pages) if size]
    names = ("corpulyzer",) if asked.alone else ("corpulyzer", "scrapy")
    with subprocess.Popen([*command, "--run=serve"], stdout=subprocess.PIPE, text=True) as server:
        proxy = server.stdout.readline().strip() if server.stdout else ""
        try:
            for name in names:
                measure(server.pid, [*command, f"--proxy={proxy}"], name, max(sizes))  # fills its memory
            for size in sizes:
                taken: dict[str, list[Cost]] = {name: [] for name in names}
                for _ in range(asked.rounds):
                    for name, costs in taken.items():
                        costs.append(measure(server.pid, [*command, f"--proxy={proxy}"], name, size))
                for name, costs in taken.items():
                    print(median(costs).lines(name), flush=True)
        finally:
            server.terminate()


@dataclass(frozen=True, slots=True)
class Cost:
    """What a crawl cost: seconds by the clock, processor seconds of it and of the server, and by phase."""

    requests: int
    kept: int
    seconds: float
    cpu_seconds: float
    server_seconds: float
    phases: dict[str, float] = field(default_factory=dict)

    def lines(self, name: str) -> str:
        """The lines of the report."""
        thousands, cores = self.requests / 1000, os.cpu_count() or 1
        busy = self.cpu_seconds / self.seconds / cores
        served = self.server_seconds / self.seconds / cores
        said = (
            f"{name:11} {self.requests:6,} requests {self.kept:6,} kept {self.cpu_seconds:7.2f} CPU-s "
            f"{self.cpu_seconds / thousands:6.2f} per 1,000 {self.requests / self.seconds:6.0f} pages/s "
            f"{busy:4.0%} of {cores} cores busy ({served:.0%} more with the server)"
        )
        if self.phases:
            parts = (f"{phase} {spent / thousands:.2f}" for phase, spent in self.phases.items())
            said += f"\n{'':11} CPU-s per 1,000: {', '.join(parts)}"
        return said


def median(costs: list[Cost]) -> Cost:
    """The run with the median processor time."""
    middle = statistics.median_low([cost.cpu_seconds for cost in costs])
    return next(cost for cost in costs if cost.cpu_seconds == middle)


def measure(server: int, command: list[str], name: str, pages: int) -> Cost:
    """What one crawl costs, its start and its children included."""
    served, begun = cpu_of(server), time.monotonic()
    run = subprocess.Popen([*command, f"--run={name}", f"--pages={pages}"], stdout=subprocess.PIPE, text=True)
    said = run.stdout.read() if run.stdout else ""
    _, status, used = os.wait4(run.pid, 0)
    run.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.monotonic() - begun
    if run.returncode:
        sys.exit(f"{name} ended with {run.returncode}")
    found = json.loads(said.splitlines()[-1])
    return Cost(
        found["requests"],
        found["kept"],
        seconds,
        used.ru_utime + used.ru_stime,
        cpu_of(server) - served,
        found.get("phases", {}),
    )


def cpu_of(pid: int) -> float:
    """The processor time of a process and of all below it, those that have ended too."""
    total = 0.0
    process = psutil.Process(pid)
    for each in (process, *process.children(recursive=True)):
        try:
            times = each.cpu_times()
        except psutil.NoSuchProcess:  # its parent counts it from now on
            continue
        total += times.user + times.system + times.children_user + times.children_system
    return total


@dataclass
class Phases:
    """Adds up processor time by phase, told by the events of a crawl."""

    spent: dict[str, float] = field(default_factory=dict)
    before: float = 0.0
    fetched: int | None = None

    def __call__(self, event: str, _numbers: dict[str, Any]) -> None:
        if event == "fetched":  # told by the thread that fetched the round
            self.fetched = threading.get_ident()
            self._add("fetch", time.thread_time())
        elif event in ENDS:
            self.end(ENDS[event])

    def end(self, phase: str) -> None:
        """Add what was spent since the last phase ended, fetching apart."""
        now = cpu_of(os.getpid()) - self.spent.get("fetch", 0.0) - self._fetching()
        self._add(phase, now - self.before)
        self.before = now

    def _add(self, phase: str, seconds: float) -> None:
        self.spent[phase] = self.spent.get(phase, 0.0) + seconds

    def _fetching(self) -> float:
        """The processor time of the thread that fetches, unless its round is counted."""
        threads = [each.ident for each in threading.enumerate() if each.name.startswith("fetching")]
        return sum(
            time.clock_gettime(time.pthread_getcpuclockid(ident))
            for ident in threads
            if ident is not None and ident != self.fetched
        )


def run_corpulyzer(proxy: str, pages: int, sites: int) -> dict[str, Any]:
    """A focused crawl of so many pages, as the command runs it."""
    from corpulyzer.api.corpus import create, open_corpus
    from corpulyzer.jobs.crawl.loop import Crawl
    from corpulyzer.web.seeds import Candidate, add

    phases = Phases()
    with tempfile.TemporaryDirectory(prefix="crawl-") as folder:
        create(TARGET, Path(folder) / "corpus")
        flags = {
            "crawl.contact": "bench@example.org",
            "crawl.pages": pages,
            "fetch.proxy": proxy,
            "fetch.delay_seconds": 0.0,
            "fetch.delay_per_second": 0.0,
            "fetch.max_backoff_seconds": 0.0,
            "fetch.allow_private": True,
        }
        corpus = open_corpus(Path(folder) / "corpus", flags)
        found = BuiltInWeb(TARGET, sites=sites, pages=sites * ARTICLES_A_SITE).seeds(SEEDS)
        add(corpus.storage, [Candidate(url) for url in found], "benchmark", round=1)
        phases.end("start")
        with corpus.engine() as engine:
            ended = Crawl(corpus, engine, on_event=phases).run()
        phases.end("end")
    return {"requests": ended.pages, "kept": ended.good, "phases": phases.spent}


def run_scrapy(proxy: str, pages: int, sites: int) -> dict[str, Any]:
    """A spider that follows every link; its pipeline keeps the text of pages in the target language."""
    import pycld2
    import scrapy
    import trafilatura
    from scrapy.crawler import CrawlerProcess
    from scrapy.exceptions import DropItem
    from scrapy.http import Response, TextResponse
    from scrapy.linkextractors import LinkExtractor

    os.environ["http_proxy"] = proxy
    counted: Counter[str] = Counter()

    class InTarget:
        def process_item(self, item: dict[str, Any], spider: object) -> dict[str, Any]:
            text = trafilatura.extract(item.pop("html"), url=item["url"]) or ""
            try:
                language = pycld2.detect(text)[2][0][1]
            except pycld2.error:
                language = "un"
            if language != TARGET_CLD2:
                raise DropItem("another language")
            counted["kept"] += 1
            return {**item, "text": text}

    class Everything(scrapy.Spider):
        name = "everything"
        start_urls = list(BuiltInWeb(TARGET, sites=sites, pages=sites * ARTICLES_A_SITE).seeds(SEEDS))  # noqa: RUF012
        extract = LinkExtractor()

        def parse(self, response: Response) -> Iterator[Any]:
            if isinstance(response, TextResponse):
                yield {"url": response.url, "html": response.text}
                for link in self.extract.extract_links(response):
                    yield scrapy.Request(link.url)

    with tempfile.TemporaryDirectory(prefix="scrapy-") as folder:
        process = CrawlerProcess(
            {
                "ROBOTSTXT_OBEY": True,
                "DOWNLOAD_DELAY": 0,
                "CONCURRENT_REQUESTS": 64,
                "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
                "CLOSESPIDER_PAGECOUNT": pages,
                "COOKIES_ENABLED": False,
                "RETRY_ENABLED": False,
                "TELNETCONSOLE_ENABLED": False,
                "LOG_ENABLED": False,
                "USER_AGENT": AGENT,
                "DEPTH_PRIORITY": 1,
                "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue",
                "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
                "ITEM_PIPELINES": {InTarget: 100},
                "FEEDS": {f"{folder}/kept.jsonl": {"format": "jsonlines"}},
            }
        )
        crawler = process.create_crawler(Everything)
        process.crawl(crawler)
        process.start()
        told = crawler.stats.get_stats() if crawler.stats else {}
    pages = int(told["downloader/response_count"]) - int(told.get("robotstxt/response_count", 0))
    return {"requests": pages, "kept": counted["kept"]}


class Remembering(BuiltInWeb):
    """The built-in web, without the cost of making a page again, and without pauses, which Scrapy ignores."""

    @cache  # noqa: B019 - it lives as long as its process
    def page(self, url: str) -> Answer:
        answer = super().page(url)
        if not url.endswith("/robots.txt"):
            return answer
        lines = answer.body.splitlines(keepends=True)
        return replace(answer, body=b"".join(line for line in lines if not line.startswith(b"Crawl-delay")))


def serve(sites: int) -> None:
    """Serve the built-in web until ended; prints the address of the proxy."""
    with Remembering(TARGET, sites=sites, pages=sites * ARTICLES_A_SITE).serve(slowness=0.0) as server:
        print(server.proxy_url, flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
