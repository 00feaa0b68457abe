"""A few files of the web, fetched as in a crawl: by robots.txt, with pauses, from public addresses."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from corpulyzer.url import canonical, spelled
from corpulyzer.warc.write import Packs, Written
from corpulyzer.web.fetch.fetcher import WebFetcher
from corpulyzer.web.fetch.recorder import REDIRECTS, Request, Result
from corpulyzer.web.fetch.settings import FetchSettings

MAX_BYTES = 50 << 20
SECONDS = 600.0


class Forgets:
    """An archive that keeps nothing: what is fetched here is looked at once."""

    def write(self, *drafts: Packs) -> list[Written]:
        return [Written("", 0, 0) for _ in drafts]


def bodies(urls: Iterable[str], settings: FetchSettings) -> dict[str, bytes]:
    """The bodies of some URLs, by the canonical form of each; those that could not be fetched are missing."""
    return asyncio.run(_bodies([Request.of(url) for url in map(spelled, urls) if url], settings))


async def _bodies(requests: list[Request], settings: FetchSettings) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    moved: dict[str, str] = {}
    urls = {request.url for request in requests}

    def take(result: Result) -> None:
        url = canonical(result.fetch.url) or result.fetch.url
        if result.fetch.status in REDIRECTS and result.fetch.location:
            moved[canonical(result.fetch.location) or ""] = moved.get(url, url)
        elif result.fetch.status == 200 and (result.fetch.purpose == "page" or url in urls):
            found.setdefault(moved.get(url, url), result.decoded(MAX_BYTES))

    async with WebFetcher(settings) as fetcher:
        await fetcher.fetch(
            requests, take, archive=Forgets(), round=0, seconds=SECONDS, patience_seconds=60.0
        )
    return found
