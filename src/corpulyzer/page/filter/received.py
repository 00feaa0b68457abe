"""Filters by what the server sent, before anything is parsed (HR-3, C4-1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge

from corpulyzer.records import KEEP, Page, Verdict, drop

HTML_TYPES = ("text/html", "application/xhtml+xml")
# Much of what a small language has in print is in files: theses, laws, newsletters, books.
FILE_TYPES = (
    "application/pdf",
    "application/x-pdf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/epub+zip",
)
UNTYPED = ""
TYPES = (*HTML_TYPES, "text/plain", *FILE_TYPES, UNTYPED)


def is_handed_text(page: Page) -> bool:
    """Whether a page is plain text that no server sent: a row of JSONL or Parquet, WET, a text file.

    These filters judge a server's answer, so they do not apply to it.
    """
    return (
        page.mime == "text/plain" and page.fetch is not None and page.fetch.kind in ("conversion", "resource")
    )


@dataclass(frozen=True, slots=True)
class Mime:
    """Keep a page of one of the content `types`; an empty one stands for pages without a content type."""

    types: Annotated[tuple[str, ...], "Content types that can become documents; '' if none is given."] = TYPES

    def __call__(self, page: Page) -> Verdict:
        if page.mime in self.types or is_handed_text(page):
            return KEEP
        return drop("mime", page.mime or "no content type")


@dataclass(frozen=True, slots=True)
class RawSize:
    """Keep a page whose payload has between `min_bytes` and `max_bytes`; 0 means no bound."""

    min_bytes: Annotated[int, "Smallest payload in bytes; hrWaC used 50,000.", Ge(0)] = 0
    max_bytes: Annotated[int, "Largest payload in bytes; hrWaC used 500,000. 0: no bound.", Ge(0)] = 0

    def __call__(self, page: Page) -> Verdict:
        if is_handed_text(page):
            return KEEP
        size = len(page.body)
        if size < self.min_bytes:
            return drop("raw_size", "too small", found=size, wanted=self.min_bytes)
        if self.max_bytes and size > self.max_bytes:
            return drop("raw_size", "too large", found=size, wanted=self.max_bytes)
        return KEEP
