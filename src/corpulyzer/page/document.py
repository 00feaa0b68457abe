"""From page to document and back: what is stored of a page."""

from __future__ import annotations

import hashlib
from typing import Any

from corpulyzer.records import Document, Page
from corpulyzer.records.changed import changed
from corpulyzer.text.census import census
from corpulyzer.url import Level, canonical, site_of

FETCHED = ("id", "url_id", "url", "round", "archive", "offset", "record_id", "date")
"""The columns of a document that are those of its fetch."""
SHARED = tuple(name for name in Document.__slots__ if name in Page.__slots__ and name not in FETCHED)
"""The columns of a document that the page has under the same name: a new one need not be named here."""


def document_of(page: Page, level: Level = "host") -> Document:
    """The document to be stored for a page, kept or dropped."""
    fetch = page.fetch
    if fetch is None:
        raise ValueError(f"{page.url} has no fetch record: a document must know where it came from")
    return Document(
        site=fetch.site if level == "host" else site_of(canonical(fetch.url) or fetch.url, level),
        raw_bytes=len(page.body),
        raw_digest=hashlib.sha224(page.body).hexdigest() if page.body else "",
        **{name: getattr(fetch, name) for name in FETCHED},
        **_values(page),
        **_measured(page),
    )


def page_at_rest(document: Document) -> Page:
    """The page of a document, as far as it can be restored without its archive."""
    return Page(url=document.url, **_values(document))


def judged_anew(document: Document, page: Page, level: Level = "host") -> Document:
    """The document with what was learned of its page since."""
    site = site_of(canonical(document.url) or document.url, level)
    return changed(document, site=site, **_values(page), **_measured(page))


def _values(record: Page | Document) -> dict[str, Any]:
    return {name: getattr(record, name) for name in SHARED}


def _measured(page: Page) -> dict[str, Any]:
    """The columns that follow from the text; words are counted only of what is kept."""
    text = page.text.encode()
    return {
        "text_digest": hashlib.md5(text, usedforsecurity=False).hexdigest() if text else "",
        "text_bytes": len(text),
        "tokens": census(page.text).words if page.verdict.kept else 0,
    }
