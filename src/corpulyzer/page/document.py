"""From page to document and back: what is stored of a page."""

from __future__ import annotations

import hashlib
from operator import attrgetter
from typing import Any

from corpulyzer.records import Document, Page
from corpulyzer.records.changed import changed
from corpulyzer.records.made import maker
from corpulyzer.text.census import census
from corpulyzer.url import Level, canonical, site_of

FETCHED = ("id", "url_id", "url", "round", "archive", "offset", "record_id", "date")
"""The columns of a document that are those of its fetch."""
SHARED = tuple(name for name in Document.__slots__ if name in Page.__slots__ and name not in FETCHED)
"""The columns of a document that the page has under the same name: a new one need not be named here."""
MEASURED = ("text_digest", "text_bytes", "tokens")
"""The columns that follow from the text."""
_fetched, _shared = attrgetter(*FETCHED), attrgetter(*SHARED)
_made = maker(Document, *FETCHED, *SHARED, *MEASURED, "site", "raw_bytes", "raw_digest")


def document_of(page: Page, level: Level = "host") -> Document:
    """The document to be stored for a page, kept or dropped."""
    fetch = page.fetch
    if fetch is None:
        raise ValueError(f"{page.url} has no fetch record: a document must know where it came from")
    site = fetch.site if level == "host" else site_of(canonical(fetch.url) or fetch.url, level)
    digest = hashlib.sha224(page.body).hexdigest() if page.body else ""
    return _made(*_fetched(fetch), *_shared(page), *_measured(page), site, len(page.body), digest)


def page_at_rest(document: Document) -> Page:
    """The page of a document, as far as it can be restored without its archive."""
    return Page(url=document.url, **_values(document))


def judged_anew(document: Document, page: Page, level: Level = "host") -> Document:
    """The document with what was learned of its page since."""
    site = site_of(canonical(document.url) or document.url, level)
    measured: dict[str, Any] = dict(zip(MEASURED, _measured(page), strict=True))
    return changed(document, site=site, **_values(page), **measured)


def _values(record: Page | Document) -> dict[str, Any]:
    return dict(zip(SHARED, _shared(record), strict=True))


def _measured(page: Page) -> tuple[str, int, int]:
    """The values of `MEASURED`; words are counted only of what is kept."""
    text = page.text.encode()
    digest = hashlib.md5(text, usedforsecurity=False).hexdigest() if text else ""
    return digest, len(text), census(page.text).words if page.verdict.kept else 0
