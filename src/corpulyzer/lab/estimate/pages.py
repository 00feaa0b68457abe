"""Archives of as many pages as are asked for: of the built-in web, or the first ones of another archive."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from corpulyzer.lab.demo.archive import START
from corpulyzer.lab.demo.web import BuiltInWeb
from corpulyzer.lab.demo.web.sites import Place
from corpulyzer.warc import compose
from corpulyzer.warc.index import index

TARGET = "urd"
PAGES_PER_SITE = 100


def web_of(articles: int) -> BuiltInWeb:
    """A web with so many articles, about; sites are as large whatever its size."""
    return BuiltInWeb(TARGET, sites=max(30, articles // PAGES_PER_SITE), pages=articles)


def write_pages(path: Path, pages: int, seed: int = 0) -> None:
    """Write so many articles of the built-in web as a WARC, in an order that the seed decides."""
    web = web_of(2 * pages)
    places = [
        Place(site, edition, "article", number)
        for site in web.plan
        for edition in site.editions
        for number in range(edition.size)
    ]
    chosen = random.Random(seed).sample(places, pages)
    with path.open("wb") as file:
        for number, place in enumerate(chosen):
            answer = web.page(url := web.addresses.of(place))
            lines = [f"HTTP/1.1 {max(200, answer.truth.status)} OK", f"Content-Type: {answer.content_type}"]
            lines += [f"{name}: {value}" for name, value in answer.headers]
            head = "\r\n".join([*lines, "", ""]).encode()
            identity = compose.stable_record_id(path.name, number)
            file.write(compose.response(url, head, answer.body, date=START, record_id=identity).packed())


def pages_in(archive: Path, most: int) -> int:
    """How many pages an archive has, counted up to the most."""
    return sum(1 for _ in islice(_ends(archive), most))


def cut(archive: Path, to: Path, pages: int) -> int:
    """Copy an archive up to the record with which it has so many pages; returns how many it has."""
    ends = list(islice(_ends(archive), pages))
    with archive.open("rb") as source, to.open("wb") as made:
        shutil.copyfileobj(source, made)
        if len(ends) == pages:
            made.truncate(ends[-1])
    return len(ends)


def _ends(archive: Path) -> Iterator[int]:
    """Where each page of an archive ends."""
    for entry in index(str(archive)):
        if entry.kind == "response" and not entry.problem:
            yield entry.offset + entry.length
