"""Crawling: processor time per 1,000 pages, beside Scrapy on the same web.

    python benchmarks/fetch.py [--sites 60] [--pages 50] [--rounds 1]

A small web of pages of a few KB is served on loopback as an HTTP proxy, by a process of its own. Each crawler
starts from the home page of the first site and takes every page there is: it fetches, obeys robots.txt,
extracts the links, and asks for no address twice. Ours also writes everything into a WARC file. Counted is
the processor time of the crawling process, without its start-up; pauses are switched off for both.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from random import Random

LINKS = 25
WORDS = tuple("the of and to in is that for it was on are as with at be this from have or by one".split())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--sites", type=int, default=60)
    parser.add_argument("--pages", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--run", choices=["serve", "corpulyzer", "scrapy"], help=argparse.SUPPRESS)
    parser.add_argument("--proxy", default="", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.run == "serve":
        asyncio.run(serve(asked.sites, asked.pages))
    elif asked.run:
        pages, seconds = {"corpulyzer": run_corpulyzer, "scrapy": run_scrapy}[asked.run](asked.proxy)
        print(pages, seconds)
    else:
        compare(asked.sites, asked.pages, asked.rounds)


def compare(sites: int, pages: int, rounds: int) -> None:
    """Run both against one server, print their processor time per 1,000 pages and the ratio."""
    arguments = [f"--sites={sites}", f"--pages={pages}"]
    command = [sys.executable, __file__, *arguments]
    with subprocess.Popen([*command, "--run=serve"], stdout=subprocess.PIPE, text=True) as server:
        proxy = server.stdout.readline().strip() if server.stdout else ""
        taken: dict[str, list[float]] = {"corpulyzer": [], "scrapy": []}
        try:
            for _ in range(rounds):
                for name, seconds in taken.items():
                    seconds.append(measure([*command, f"--run={name}", f"--proxy={proxy}"], sites * pages))
        finally:
            server.terminate()
    medians = {name: statistics.median(seconds) for name, seconds in taken.items()}
    for name, median in medians.items():
        print(f"{name:12} {median:6.3f} CPU-seconds per 1,000 pages")
    print(f"scrapy ÷ corpulyzer: {medians['scrapy'] / medians['corpulyzer']:.1f}")


def measure(command: list[str], expected: int) -> float:
    """The processor time per 1,000 pages of one run, which must have found every page."""
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    pages, seconds = done.stdout.split()[-2:]
    # Scrapy fetches its first page again when it finds a link to it.
    if int(pages) not in (expected, expected + 1):
        sys.exit(f"{command[-2]} fetched {pages} of {expected} pages: the numbers would not compare.")
    return float(seconds) / int(pages) * 1000


def run_corpulyzer(proxy: str) -> tuple[int, float]:
    """Crawl in rounds of what is known and not yet fetched."""
    from selectolax.lexbor import LexborHTMLParser

    from corpulyzer.page.extract.links import Resolver
    from corpulyzer.url import canonical_of_joined, site_of, url_id
    from corpulyzer.warc.write import ArchiveWriter
    from corpulyzer.web.fetch.fetcher import WebFetcher
    from corpulyzer.web.fetch.recorder import Request, Result
    from corpulyzer.web.fetch.settings import FetchSettings

    settings = FetchSettings(contact="bench@example.org", delay_seconds=0, delay_per_second=0, proxy=proxy)
    seen: set[str] = set()
    known: set[int] = set()
    waiting: list[Request] = []
    fetched = 0

    def add(url: str) -> None:
        address = canonical_of_joined(url)
        if address and (key := url_id(address)) not in known:
            known.add(key)
            waiting.append(Request(address, key, site_of(address)))

    def take(result: Result) -> None:
        nonlocal fetched
        if result.fetch.purpose == "page" and result.fetch.outcome == "ok":
            fetched += 1
            tree = LexborHTMLParser(result.decoded(1 << 20))
            resolve = Resolver(result.fetch.url)
            links = (node.attributes["href"] or "" for node in tree.css("a[href], area[href]"))
            for href in dict.fromkeys(links):
                target = resolve(href)
                if target and target not in seen:
                    seen.add(target)
                    add(target)

    async def crawl(folder: str) -> None:
        with ArchiveWriter(folder, "bench") as archive:
            async with WebFetcher(settings, environment={}) as fetcher:
                for number in range(1000):
                    batch, waiting[:] = list(waiting), []
                    if not batch:
                        return
                    await fetcher.fetch(batch, take, archive=archive, round=number, seconds=600)

    add("http://site0.example/0.html")
    with tempfile.TemporaryDirectory() as folder:
        begun = time.process_time()
        asyncio.run(crawl(folder))
        return fetched, time.process_time() - begun


def run_scrapy(proxy: str) -> tuple[int, float]:
    """The spider that Scrapy's manual would have one write."""
    import scrapy
    from scrapy.crawler import CrawlerProcess
    from scrapy.http import Response, TextResponse
    from scrapy.linkextractors import LinkExtractor

    os.environ["http_proxy"] = proxy
    fetched = 0

    class Everything(scrapy.Spider):
        name = "everything"
        start_urls = ["http://site0.example/0.html"]  # noqa: RUF012
        extract = LinkExtractor()

        def parse(self, response: Response) -> Iterator[scrapy.Request]:
            nonlocal fetched
            fetched += 1
            assert isinstance(response, TextResponse)
            for link in self.extract.extract_links(response):
                yield scrapy.Request(link.url)

    process = CrawlerProcess(
        {
            "ROBOTSTXT_OBEY": True,
            "DOWNLOAD_DELAY": 0,
            "CONCURRENT_REQUESTS": 64,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
            "COOKIES_ENABLED": False,
            "RETRY_ENABLED": False,
            "TELNETCONSOLE_ENABLED": False,
            "LOG_ENABLED": False,
            "USER_AGENT": "Corpulyzer-Benchmark (bench@example.org)",
        }
    )
    process.crawl(Everything)
    begun = time.process_time()
    process.start()
    return fetched, time.process_time() - begun


async def serve(sites: int, pages: int) -> None:
    """A proxy that knows its own web; prints its address, and serves until it is ended."""
    bodies = {
        f"http://site{site}.example/{page}.html".encode(): response(page_of(site, page, sites, pages))
        for site in range(sites)
        for page in range(pages)
    }
    robots = response(b"User-agent: *\nDisallow: /private/\n", "text/plain")
    missing = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"

    class Connection(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            assert isinstance(transport, asyncio.WriteTransport)
            self._transport = transport
            self._received = b""

        def data_received(self, data: bytes) -> None:
            self._received += data
            while b"\r\n\r\n" in self._received:
                head, _, self._received = self._received.partition(b"\r\n\r\n")
                target = head.split(b" ", 2)[1]
                found = robots if target.endswith(b"/robots.txt") else bodies.get(target, missing)
                self._transport.write(found)

    server = await asyncio.get_running_loop().create_server(Connection, "127.0.0.1", 0, backlog=1024)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


def page_of(site: int, page: int, sites: int, pages: int) -> bytes:
    """A page with a few paragraphs, links to the next page, to others of its site, and to other sites."""
    random = Random(site * 100_003 + page)
    targets = [f"/{(page + 1) % pages}.html", f"http://site{(site + 1) % sites}.example/0.html"]
    targets += [f"/{random.randrange(pages)}.html" for _ in range(LINKS - 7)]
    far = ((random.randrange(sites), random.randrange(pages)) for _ in range(5))
    targets += [f"http://site{other}.example/{number}.html" for other, number in far]
    text = (" ".join(random.choices(WORDS, k=30)) for _ in targets)
    lines = zip(text, targets, strict=True)
    body = "".join(f"<p>{words} <a href='{target}'>more</a></p>\n" for words, target in lines)
    return (
        f"<!DOCTYPE html><html><head><title>{site}/{page}</title></head><body>{body}</body></html>".encode()
    )


def response(body: bytes, mime: str = "text/html; charset=utf-8") -> bytes:
    """The whole HTTP response for a body."""
    return f"HTTP/1.1 200 OK\r\nContent-Type: {mime}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


if __name__ == "__main__":
    main()
