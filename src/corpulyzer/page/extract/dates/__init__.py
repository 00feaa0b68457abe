"""The day on which a page was published: as it declares it, else as its address or its text shows it.

A day in the address comes first, then what is declared (meta elements, JSON-LD, microdata, time elements,
data in scripts), then short lines under the title or in elements that are named after dates, and last what
tells when the page was changed. Years alone, as in a notice of copyright, are no dates. What is after the
fetch is refused.
"""

from __future__ import annotations

from collections.abc import Iterable

from corpulyzer.page.extract.blocks import Blocks
from corpulyzer.page.extract.dates.declared import (
    Declarations,
    Source,
    from_address,
    from_json,
    from_metas,
    from_microdata,
    from_scripts,
    from_times,
)
from corpulyzer.page.extract.dates.shown import from_lines, from_named_elements, from_notes_of_change
from corpulyzer.page.extract.dates.words import MODIFIED, PUBLISHED

__all__ = ["Declarations", "published_on"]

EARLIEST_DECLARED = "1900-01-01"

DECLARED: tuple[Source, ...] = (
    from_metas(PUBLISHED),
    from_json("datePublished"),
    from_microdata,
    from_times,
    from_scripts,
    from_json("dateCreated"),
)
"""Where a page may declare the day of its publication, the surest place first."""
SHOWN: tuple[Source, ...] = (
    from_lines,
    from_named_elements,
    from_metas(MODIFIED),
    from_json("dateModified"),
    from_notes_of_change,
)
"""Where a day is looked for if none is declared."""


def published_on(page: Blocks, declared: Declarations) -> str:
    """The date of publication in ISO 8601, with its time where one is declared; empty if none is found.

    A day in the address is that of the publisher's own time zone, so it wins over what is declared.
    """
    day = _first(page, declared, (from_address,))
    told = _first(page, declared, DECLARED)
    if day:
        return told if told.startswith(day) else day
    return told or _first(page, declared, SHOWN)


def _first(page: Blocks, declared: Declarations, sources: Iterable[Source]) -> str:
    """The first date of the sources that is not after the fetch."""
    for source in sources:
        for found in source(page, declared):
            if found >= EARLIEST_DECLARED and found[:10] <= declared.latest:
                return found
    return ""
