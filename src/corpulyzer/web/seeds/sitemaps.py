"""Seeds out of the sitemaps of given sites: what their owners list themselves."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator

from corpulyzer.records import Link
from corpulyzer.url import canonical, site_of, spelled
from corpulyzer.web.seeds import Candidate, to_homepage

SOURCE = "sitemap"
MAX_FILES = 200

Get = Callable[[list[str]], dict[str, bytes]]
"""The bodies of some addresses, without those that could not be had."""


def from_sitemaps(
    sites: Iterable[str],
    get: Get,
    robots: Callable[[bytes], Iterable[str]],
    links: Callable[[bytes, str], Iterable[Link]],
    max_files: int = MAX_FILES,
) -> Iterator[Candidate]:
    """The pages that sitemaps list, each with the language that it is said to be in.

    `robots` gives the sitemaps that a robots.txt names, `links` what a sitemap lists. Of a site at most
    `max_files` are read.
    """
    for site in sites:
        for address in (site,) if "://" in site else (f"https://{site}/", f"http://{site}/"):
            home = canonical(address)
            found = _of_site(to_homepage(home), get, robots, links, max_files) if home else iter(())
            if (first := next(found, None)) is not None:
                yield first
                yield from found
                break


def _of_site(
    home: str,
    get: Get,
    robots: Callable[[bytes], Iterable[str]],
    links: Callable[[bytes, str], Iterable[Link]],
    max_files: int,
) -> Iterator[Candidate]:
    named = [url for body in get([f"{home}robots.txt"]).values() for url in map(spelled, robots(body)) if url]
    waiting = deque(dict.fromkeys(named or [f"{home}sitemap.xml"]))
    seen = set(waiting)
    rank = 0
    while waiting and max_files > 0:
        batch = [waiting.popleft() for _ in range(min(len(waiting), 20, max_files))]
        max_files -= len(batch)
        for place, body in get(batch).items():
            for link in links(body, place):
                if link.element == "sitemap" and link.url not in seen:
                    seen.add(link.url)
                    waiting.append(link.url)
                elif link.element != "sitemap" and site_of(link.url) == site_of(home):
                    rank += 1
                    yield Candidate(link.url, f"listed in {place}", rank=rank, language=link.hreflang)
