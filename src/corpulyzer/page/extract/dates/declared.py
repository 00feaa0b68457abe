"""Where a page declares the day of its publication, each place a function that yields dates in ISO 8601."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import islice
from typing import Any

import regex

from corpulyzer.native.scan import has_any, places, tag_count
from corpulyzer.page.extract.blocks import Blocks
from corpulyzer.page.extract.dates.reading import dates_in, declared_date
from corpulyzer.page.extract.dates.shown import from_lines, is_of_another, raw_of
from corpulyzer.page.extract.dates.words import MODIFIED_CLASS, PUBLISHED_CLASS, says_published

LATEST = "2100"
MAX_TIMES = 50
_SHORT_LINE = 160
_ARTICLE_TYPE = regex.compile("Article|Posting|Report|WebPage|Recipe|CreativeWork")
_OTHER_TYPE = regex.compile("Comment|Review|Event|Video|Image|Audio|Product|Person|Offer|Dataset|Answer")
_URL_DATE = regex.compile(
    r"(?<!\d)((?:19|20)\d\d)([-/_.]?)(0[1-9]|1[0-2]|[1-9](?=\D))\2(0[1-9]|[12]\d|3[01]|[1-9](?!\d))(?!\d)"
)
# What a page has where such elements are, and how these are found; published before created.
_MARKED = (
    (b"datePublished", '[itemprop~="datePublished"], [property~="schema:datePublished"]'),
    (b"dateCreated", '[itemprop~="dateCreated"], [property~="schema:dateCreated"]'),
    (b"dc:", '[property~="dc:date"], [property~="dc:created"], [property~="dc:issued"]'),
)
# Looked for at each place of `_SCRIPT_WORD`: to look for all alternatives everywhere would be slow.
_SCRIPT_WORD, MAX_PLACES = b"ublish", 100
_SCRIPT_DATE = regex.compile(
    rb'ublish(?:ed)?(?:_?(?:[Aa]t|[Dd]ate|[Oo]n|[Tt]ime))?(?:\\*"\s*:\s*\\*"|=")(\d{4}-\d\d-\d\d)'
)


@dataclass(frozen=True, slots=True)
class Declarations:
    """What a page declares: its metas by name, the objects of its JSON-LD, its addresses, title and language.

    `fetched` is the day of the fetch, None where it is not known.
    """

    metas: Mapping[str, str]
    things: Sequence[Mapping[str, Any]]
    addresses: tuple[str, ...]
    title: str
    language: str
    fetched: date | None = None

    @property
    def latest(self) -> str:
        """The last day that a page may name: the one after the fetch, as it may be that already elsewhere."""
        return (self.fetched + timedelta(1)).isoformat() if self.fetched else LATEST


Source = Callable[[Blocks, Declarations], Iterator[str]]


def from_metas(names: tuple[str, ...]) -> Source:
    known = frozenset(names)

    def source(page: Blocks, declared: Declarations) -> Iterator[str]:
        if known.isdisjoint(declared.metas):
            return
        for name in names:
            if name in declared.metas:
                yield declared_date(declared.metas[name], declared.language)

    return source


def from_json(key: str) -> Source:
    def source(page: Blocks, declared: Declarations) -> Iterator[str]:
        having = [thing for thing in declared.things if isinstance(thing.get(key), str)]
        having.sort(key=_rank_of_type)
        for thing in having:
            if not _OTHER_TYPE.search(str(thing.get("@type", ""))):
                yield declared_date(thing[key], declared.language)

    return source


def _rank_of_type(thing: Mapping[str, Any]) -> int:
    return 0 if _ARTICLE_TYPE.search(str(thing.get("@type", ""))) else 1


def from_microdata(page: Blocks, declared: Declarations) -> Iterator[str]:
    """Elements that are marked as the date, by microdata or, as Drupal does, by RDFa."""
    raw = raw_of(page)
    for name, selector in _MARKED:
        for node in page.tree.css(selector)[:MAX_TIMES] if has_any(raw, (name,)) else ():
            given = node.attributes.get
            value = given("content") or given("datetime") or given("title")
            if not is_of_another(node):
                yield declared_date(value or node.text(strip=True), declared.language)


def from_times(page: Blocks, declared: Declarations) -> Iterator[str]:
    """Time elements: those that are named after publication first, and none of lists of other pages."""
    raw = raw_of(page)
    if not tag_count(raw, b"time") and not tag_count(raw, b"abbr"):
        return
    ranked = []
    for place, node in enumerate(page.tree.css("time, abbr[title]")[:MAX_TIMES]):
        attributes = node.attributes
        value = attributes.get("datetime") or (attributes.get("title") if node.tag == "abbr" else "")
        text = node.text(strip=True)[:_SHORT_LINE]
        found = declared_date(value or text, declared.language)
        told = next(dates_in(text, declared.language), None) if value and says_published(text) else None
        if told is not None and not found.startswith(told.isoformat()):  # the attribute is of a later change
            found = told.isoformat()
        if found and not is_of_another(node):
            name = f"{attributes.get('class') or ''} {attributes.get('id') or ''}"
            named = 0 if "pubdate" in attributes or PUBLISHED_CLASS.search(name) else 1
            ranked.append((2 if MODIFIED_CLASS.search(name) and named else named, place, found))
    found_days = [found for _, _, found in sorted(ranked)]
    if len({found[:10] for found in found_days}) > 1:  # of a list: the one that stands under the title counts
        shown = set(islice(from_lines(page, declared), 1))
        yield from (found for found in found_days if found[:10] in shown)
    yield from found_days


def from_address(page: Blocks, declared: Declarations) -> Iterator[str]:
    for address in declared.addresses:
        path = address.partition("://")[2].partition("/")[2]
        for found in _URL_DATE.finditer(path):
            yield declared_date(f"{found[1]}-{int(found[3]):02}-{int(found[4]):02}")


def from_scripts(page: Blocks, declared: Declarations) -> Iterator[str]:
    """Data in scripts that are no JSON-LD, such as `"publishedAt": "2021-03-04"`, and in attributes."""
    raw = raw_of(page)
    for place in places(raw, _SCRIPT_WORD, MAX_PLACES):
        if found := _SCRIPT_DATE.match(raw, place):
            yield declared_date(found[1].decode(), declared.language)
