"""From page to document and back: what is stored of a page."""

from __future__ import annotations

import hashlib
from typing import Any, Literal

from corpulyzer.page.filter.language import leading_language
from corpulyzer.records import Document, Page
from corpulyzer.records.changed import changed
from corpulyzer.text.census import census
from corpulyzer.url import canonical, site_of

Level = Literal["host", "registered"]

# What the stages after extraction learn, and so what a new judgement may change.
LEARNED = (
    *("text", "paragraphs", "languages", "target_bytes", "target_characters", "labels", "scores", "verdict"),
)


def document_of(page: Page, level: Level = "host") -> Document:
    """The document to be stored for a page, kept or dropped."""
    fetch = page.fetch
    if fetch is None:
        raise ValueError(f"{page.url} has no fetch record: a document must know where it came from")
    return Document(
        id=fetch.id,
        url_id=fetch.url_id,
        url=fetch.url,
        site=fetch.site if level == "host" else site_of(canonical(fetch.url) or fetch.url, level),
        round=fetch.round,
        archive=fetch.archive,
        offset=fetch.offset,
        record_id=fetch.record_id,
        date=fetch.date,
        status=page.status,
        mime=page.mime,
        charset=page.charset,
        raw_bytes=len(page.body),
        raw_digest=hashlib.sha224(page.body).hexdigest() if page.body else "",
        truncated=page.truncated,
        title=page.title,
        declared_language=page.declared_language,
        canonical=page.canonical,
        author=page.author,
        published=page.published,
        text=page.text,
        paragraphs=page.paragraphs,
        languages=page.languages,
        **_measured(page),
        target_bytes=page.target_bytes,
        target_characters=page.target_characters,
        license=page.license,
        license_basis=page.license_basis,
        licenses=page.licenses,
        machine_translation=page.machine_translation,
        labels=page.labels,
        scores=page.scores,
        verdict=page.verdict,
    )


def page_at_rest(document: Document) -> Page:
    """The page of a document, as far as it can be restored without its archive."""
    return Page(
        url=document.url,
        status=document.status,
        mime=document.mime,
        charset=document.charset,
        truncated=document.truncated,
        title=document.title,
        declared_language=document.declared_language,
        canonical=document.canonical,
        author=document.author,
        published=document.published,
        text=document.text,
        paragraphs=document.paragraphs,
        languages=document.languages,
        target_bytes=document.target_bytes,
        target_characters=document.target_characters,
        license=document.license,
        license_basis=document.license_basis,
        licenses=document.licenses,
        machine_translation=document.machine_translation,
        labels=document.labels,
        scores=document.scores,
        verdict=document.verdict,
    )


def judged_anew(document: Document, page: Page, level: Level = "host") -> Document:
    """The document with what was learned of its page since."""
    learned: dict[str, Any] = {name: getattr(page, name) for name in LEARNED}
    site = site_of(canonical(document.url) or document.url, level)
    return changed(document, site=site, **learned, **_measured(page))


def _measured(page: Page) -> dict[str, Any]:
    """The columns that follow from text and languages; words are counted only of what is kept."""
    text = page.text.encode()
    return {
        "text_digest": hashlib.md5(text, usedforsecurity=False).hexdigest() if text else "",
        "text_bytes": len(text),
        "tokens": census(page.text).words if page.verdict.kept else 0,
        "language": leading_language(page.languages),
    }
