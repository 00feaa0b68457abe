"""The day on which a page was published: as it declares it, else as its address or its text shows it.

A day in the address comes first, then what is declared (meta elements, JSON-LD, microdata, time elements,
data in scripts), then short lines under the title or in elements that are named after dates, and last what
tells when the page was changed. Years alone, as in a notice of copyright, are no dates. What is after the
fetch is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import islice
from typing import Any

import regex

from corpulyzer.native.scan import has_any, places, tag_count
from corpulyzer.page.extract.blocks import Block, Blocks
from corpulyzer.page.extract.dates.lines import BESIDE, Named, place_of_title, with_years
from corpulyzer.page.extract.dates.reading import dates_in, declared_date, short_dates_in
from corpulyzer.page.extract.dates.words import (
    CHANGED,
    COPYRIGHT,
    DATE_CLASS,
    MODIFIED,
    MODIFIED_CLASS,
    OF_ITEM,
    PUBLISHED,
    PUBLISHED_CLASS,
    YEAR,
    says_so,
)

EARLIEST_DECLARED = "1900-01-01"
EARLIEST_SHOWN = date(1995, 1, 1)
MAX_TIMES = 50
MAX_ABOVE, MAX_BLOCKS, MAX_LAST = 100, 300, 60
LATEST = "2100"
_NEAR_TITLE = 12
_NEAR_ABOVE = 6
_ABOVE = 5
_NAMED, _UNNAMED = (0, 1, 3), 2
# For a page that declares no language, but is in letters in which English is not written.
NOT_ENGLISH = "mul"
_OTHER_SCRIPT = regex.compile(r"[\p{L}--\p{Latin}]", regex.V1)
_SHORT_LINE, _HALF_A_LINE = 160, 80
_ONLY_A_DATE = 40
_DATELINE = 60

_ARTICLE_TYPE = regex.compile("Article|Posting|Report|WebPage|Recipe|CreativeWork")
_OTHER_TYPE = regex.compile("Comment|Review|Event|Video|Image|Audio|Product|Person|Offer|Dataset|Answer")
_URL_DATE = regex.compile(
    r"(?<!\d)((?:19|20)\d\d)([-/_.]?)(0[1-9]|1[0-2]|[1-9](?=\D))\2(0[1-9]|[12]\d|3[01]|[1-9](?!\d))(?!\d)"
)
# Looked for at each place of `_SCRIPT_WORD`: to look for all alternatives everywhere would be slow.
_SCRIPT_WORD, MAX_PLACES = b"ublish", 100
_SCRIPT_DATE = regex.compile(
    rb'ublish(?:ed)?(?:_?(?:[Aa]t|[Dd]ate|[Oo]n|[Tt]ime))?\\*"\s*:\s*\\*"(\d{4}-\d\d-\d\d)'
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


def published_on(page: Blocks, declared: Declarations) -> str:
    """The date of publication in ISO 8601, with its time where one is declared; empty if none is found.

    A day in the address is that of the publisher's own time zone, so it wins over what is declared.
    """
    day = _first(page, declared, (_from_address,))
    told = _first(page, declared, DECLARED)
    if day:
        return told if told.startswith(day) else day
    return told or _first(page, declared, SHOWN)


def _first(page: Blocks, declared: Declarations, sources: Iterable[Source]) -> str:
    """The first date of the sources that is not after the fetch."""
    latest = (declared.fetched + timedelta(1)).isoformat() if declared.fetched else LATEST
    for source in sources:
        for found in source(page, declared):
            if found >= EARLIEST_DECLARED and found[:10] <= latest:
                return found
    return ""


def _from_metas(names: tuple[str, ...]) -> Source:
    def source(page: Blocks, declared: Declarations) -> Iterator[str]:
        for name in names:
            if name in declared.metas:
                yield declared_date(declared.metas[name], declared.language)

    return source


def _from_json(key: str) -> Source:
    def source(page: Blocks, declared: Declarations) -> Iterator[str]:
        having = [thing for thing in declared.things if isinstance(thing.get(key), str)]
        having.sort(key=_rank_of_type)
        for thing in having:
            if not _OTHER_TYPE.search(str(thing.get("@type", ""))):
                yield declared_date(thing[key], declared.language)

    return source


def _rank_of_type(thing: Mapping[str, Any]) -> int:
    return 0 if _ARTICLE_TYPE.search(str(thing.get("@type", ""))) else 1


def _from_microdata(page: Blocks, declared: Declarations) -> Iterator[str]:
    if not has_any(_raw(page), (b"datePublished",)):
        return
    for node in page.tree.css('[itemprop~="datePublished"]')[:MAX_TIMES]:
        value = (
            node.attributes.get("content") or node.attributes.get("datetime") or node.attributes.get("title")
        )
        yield declared_date(value or node.text(strip=True), declared.language)


def _from_times(page: Blocks, declared: Declarations) -> Iterator[str]:
    """Time elements: those that are named after publication first, and none of lists of other pages."""
    raw = _raw(page)
    if not tag_count(raw, b"time") and not tag_count(raw, b"abbr"):
        return
    ranked = []
    for place, node in enumerate(page.tree.css("time, abbr[title]")[:MAX_TIMES]):
        attributes = node.attributes
        value = attributes.get("datetime") or (attributes.get("title") if node.tag == "abbr" else "")
        found = declared_date(value or node.text(strip=True), declared.language)
        if found and not _of_another(node):
            name = f"{attributes.get('class') or ''} {attributes.get('id') or ''}"
            named = 0 if "pubdate" in attributes or PUBLISHED_CLASS.search(name) else 1
            ranked.append((2 if MODIFIED_CLASS.search(name) and named else named, place, found))
    found_days = [found for _, _, found in sorted(ranked)]
    if len({found[:10] for found in found_days}) > 1:  # of a list: the one that stands under the title counts
        shown = set(islice(_from_lines(page, declared), 1))
        yield from (found for found in found_days if found[:10] in shown)
    yield from found_days


def _of_another(node: Any) -> bool:
    """Whether an element stands in a list of other pages, a comment or a footer."""
    for _ in range(6):
        node = node.parent
        if node is None or node.tag in ("body", "main"):
            return False
        if node.tag in ("aside", "nav", "footer"):
            return True
        if OF_ITEM.search(f"{node.attributes.get('class') or ''} {node.attributes.get('id') or ''}"):
            return True
    return False


def _from_address(page: Blocks, declared: Declarations) -> Iterator[str]:
    for address in declared.addresses:
        path = address.partition("://")[2].partition("/")[2]
        for found in _URL_DATE.finditer(path):
            yield declared_date(f"{found[1]}-{int(found[3]):02}-{int(found[4]):02}")


def _from_scripts(page: Blocks, declared: Declarations) -> Iterator[str]:
    """Data in scripts that are no JSON-LD, such as `"publishedAt": "2021-03-04"`."""
    raw = _raw(page)
    for place in places(raw, _SCRIPT_WORD, MAX_PLACES):
        if found := _SCRIPT_DATE.match(raw, place):
            yield declared_date(found[1].decode(), declared.language)


def _from_lines(page: Blocks, declared: Declarations) -> Iterator[str]:
    """Short lines of text: those under the title first, then those that are named after dates or say so.

    Above the title many sites show the day of the visit: such a line counts last, and not on the day of the
    fetch.
    """
    title = place_of_title(page.blocks, declared.title)
    first = max(0, title - MAX_ABOVE)
    language = declared.language or (NOT_ENGLISH if _OTHER_SCRIPT.search(declared.title) else "")
    of_item, of_date = Named(page, OF_ITEM, levels=3), Named(page, DATE_CLASS, levels=2)
    ranked = []
    for place in with_years(page.blocks, first, title + MAX_BLOCKS, _SHORT_LINE, outside=BESIDE):
        block = page.blocks[place]
        text = block.text if len(block.text) <= _SHORT_LINE else _dateline(block, place - title)
        rank = None
        if YEAR.search(text) and not COPYRIGHT.search(text) and not of_item(block):
            rank = _rank_of_line(of_date(block) or says_so(block.text), place - title)
        if rank == _UNNAMED and len(text) > _HALF_A_LINE:
            text = text[:_DATELINE]
        if rank is not None and (days := _days_in(text, language, rank)):
            if rank == 0:
                yield days[0].isoformat()
            elif place >= title or days[0] != declared.fetched:
                ranked.append((rank, place, days[0].isoformat()))
    yield from (day for _, _, day in sorted(ranked))


def _days_in(text: str, language: str, rank: int) -> list[date]:
    found = [day for day in dates_in(text, language) if day >= EARLIEST_SHOWN]
    may_be_short = rank in _NAMED or len(text) <= _ONLY_A_DATE
    return list(short_dates_in(text, language)) if may_be_short and not found else found


def _rank_of_line(named: bool, below: int) -> int | None:
    """How surely a line shows when the page was published, the surest first; None if it does not.

    It is so many blocks below the title, and named after dates or says itself what it shows, or not.
    """
    if below < 0:
        return None if not named else 1 if below >= -_NEAR_ABOVE else _ABOVE
    if below <= _NEAR_TITLE:
        return 0 if named else _UNNAMED
    return 3 if named else None


def _dateline(block: Block, below: int) -> str:
    """The first characters of a paragraph that opens an article, where the place and day of news stand."""
    return block.text[:_DATELINE] if 0 <= below <= _NEAR_TITLE else ""


def _from_notes_of_change(page: Blocks, declared: Declarations) -> Iterator[str]:
    """The last lines, those of the footer too, that say when the page was changed."""
    count = len(page.blocks)
    for place in with_years(page.blocks, max(0, count - MAX_LAST), count, _SHORT_LINE, outside=0):
        text = page.blocks[place].text
        if len(text) <= _SHORT_LINE and YEAR.search(text) and CHANGED.search(text):
            yield from _shown(text, declared.language)


def _shown(text: str, language: str) -> Iterator[str]:
    return (day.isoformat() for day in dates_in(text, language) if day >= EARLIEST_SHOWN)


def _raw(page: Blocks) -> bytes:
    return page.tree.raw_html or b""


Source = Callable[[Blocks, Declarations], Iterator[str]]
DECLARED: tuple[Source, ...] = (
    _from_metas(PUBLISHED),
    _from_json("datePublished"),
    _from_microdata,
    _from_times,
    _from_scripts,
    _from_json("dateCreated"),
)
"""Where a page may declare the day of its publication, the surest place first."""
SHOWN: tuple[Source, ...] = (
    _from_lines,
    _from_metas(MODIFIED),
    _from_json("dateModified"),
    _from_notes_of_change,
)
"""Where a day is looked for if none is declared."""
