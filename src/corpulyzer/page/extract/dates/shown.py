"""Where a page shows the day of its publication without declaring it: short lines, and elements in them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import TYPE_CHECKING, Any

import regex

from corpulyzer.native.scan import has_any
from corpulyzer.page.extract.blocks import Block, Blocks
from corpulyzer.page.extract.dates.lines import BESIDE, Named, place_of_title, with_years
from corpulyzer.page.extract.dates.reading import dates_in, short_dates_in
from corpulyzer.page.extract.dates.words import (
    DATE_CLASS,
    MODIFIED_CLASS,
    OF_ARTICLE,
    OF_ITEM,
    YEAR,
    says_changed,
    says_copyright,
    says_published,
)

if TYPE_CHECKING:
    from corpulyzer.page.extract.dates.declared import Declarations

EARLIEST_SHOWN = date(1995, 1, 1)
MAX_NAMED = 50
NAMES = tuple(
    word for name in (b"date", b"datum", b"time", b"posted") for word in (name, name.title(), name.upper())
)
NAMED_ELEMENTS = '[class*="date" i], [class*="datum" i], [class*="time" i], [class*="posted" i]'
MAX_ABOVE, MAX_BLOCKS, MAX_LAST = 100, 300, 60
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


def from_lines(page: Blocks, declared: Declarations) -> Iterator[str]:
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
        text = block.text if len(block.text) <= _SHORT_LINE else _opening(block, place - title)
        rank = None
        if YEAR.search(text) and not says_copyright(text) and not of_item(block):
            rank = _rank_of_line(block, of_date(block) or says_published(block.text), place - title)
        if rank == _UNNAMED and len(text) > _HALF_A_LINE:
            text = text[:_DATELINE]
        if rank == 0:
            yield from (day.isoformat() for day in _days_in(text, language, rank)[:1])
        elif rank is not None:
            ranked.append((rank, place, text))
    for rank, place, text in sorted(ranked):  # most pages need the day of the first alone
        for day in _days_in(text, language, rank)[:1]:
            if place >= title or day != declared.fetched:
                yield day.isoformat()


def _days_in(text: str, language: str, rank: int) -> list[date]:
    found = [day for day in dates_in(text, language) if day >= EARLIEST_SHOWN]
    may_be_short = rank in _NAMED or len(text) <= _ONLY_A_DATE
    return list(short_dates_in(text, language)) if may_be_short and not found else found


def _rank_of_line(block: Block, named: bool, below: int) -> int | None:
    """How surely a line shows when the page was published, the surest first; None if it does not.

    It is so many blocks below the title, and named after dates or says itself what it shows, or not.
    """
    if below < 0:
        is_near = below >= -_NEAR_ABOVE
        if not named and (not is_near or len(block.text) > _ONLY_A_DATE):
            return None
        return 1 if named and is_near else _ABOVE
    if below <= _NEAR_TITLE:
        return 0 if named else _UNNAMED
    return 3 if named else None


def _opening(block: Block, below: int) -> str:
    """The first characters of a paragraph that opens an article, where the place and day of news stand.

    Of another, those in which it says when the article was written, as many themes do under it.
    """
    if 0 <= below <= _NEAR_TITLE:
        return block.text[:_DATELINE]
    opening = block.text[:_SHORT_LINE]
    return opening if below > 0 and block.links and says_published(opening) else ""


def from_named_elements(page: Blocks, declared: Declarations) -> Iterator[str]:
    """Elements inside of lines that are named after dates: what a line is called does not tell of them.

    Where they have more than two days, they are of a list. The day of the fetch may be that of the visit.
    """
    if not has_any(raw_of(page), NAMES):
        return
    days: dict[str, int] = {}
    for node in page.tree.css(NAMED_ELEMENTS)[:MAX_NAMED]:
        text = node.attributes.get("title") or node.text()
        if len(text) > _HALF_A_LINE or not YEAR.search(text) or says_copyright(text) or is_of_another(node):
            continue
        for day in _days_in(text, declared.language, 0)[:1]:
            changed = MODIFIED_CLASS.search(node.attributes.get("class") or "") is not None
            if day != declared.fetched:
                days[day.isoformat()] = min(int(changed), days.get(day.isoformat(), 1))
    if len(days) <= 2:
        yield from sorted(days, key=lambda day: days[day])


def from_notes_of_change(page: Blocks, declared: Declarations) -> Iterator[str]:
    """The last lines, also of the footer, that say when the page was changed or are named after changes."""
    count, of_change = len(page.blocks), Named(page, MODIFIED_CLASS, levels=2)
    for place in with_years(page.blocks, max(0, count - MAX_LAST), count, _SHORT_LINE, outside=0):
        block = page.blocks[place]
        is_short = len(block.text) <= _SHORT_LINE and YEAR.search(block.text)
        if is_short and (says_changed(block.text) or of_change(block)):
            yield from _shown(block.text, declared.language)


def _shown(text: str, language: str) -> Iterator[str]:
    return (day.isoformat() for day in dates_in(text, language) if day >= EARLIEST_SHOWN)


def is_of_another(node: Any) -> bool:
    """Whether an element stands in a list of other pages, a comment or a footer."""
    for _ in range(6):
        node = node.parent
        if node is None or node.tag in ("body", "main"):
            return False
        name = f"{node.attributes.get('class') or ''} {node.attributes.get('id') or ''}"
        if node.tag in ("aside", "nav") or (node.tag == "footer" and not OF_ARTICLE.search(name)):
            return True
        if OF_ITEM.search(name):
            return True
    return False


def raw_of(page: Blocks) -> bytes:
    """The bytes of a page, to see at once what it cannot have."""
    return page.tree.raw_html or b""
