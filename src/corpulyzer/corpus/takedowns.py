"""What was taken out of a corpus and must never come back: addresses and sites, in `removed.jsonl`.

An address stands without scheme and `www.` (`a.pk/news/1`), so that both spellings of it are meant; a name
without a slash is a site, with all hosts below it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from corpulyzer.errors import UserError
from corpulyzer.records import UNSAID, Fetch
from corpulyzer.storage import Storage
from corpulyzer.url import canonical, host_of

FILE = "removed.jsonl"
PENDING = "removing.json"
OUTCOME = "removed"


@dataclass(frozen=True)
class Removed:
    """Whether a URL was removed, by itself or with its site."""

    names: tuple[str, ...] = ()

    def __call__(self, url: str) -> bool:
        if not self.names:
            return False
        known = str(canonical(url) or url)
        if bare(known) in self._addresses:
            return True
        labels = (host_of(known) or "").split(".") if self._sites else []
        return any(".".join(labels[place:]) in self._sites for place in range(len(labels)))

    def blank(self, fetch: Fetch) -> Fetch:
        """The fetch, or if its URL was removed, the fetch without anything that was received."""
        if not self(fetch.url):
            return fetch
        return replace(
            fetch,
            kind="metadata",
            outcome=OUTCOME,
            status=0,
            mime="application/warc-fields",
            payload_bytes=0,
            digest="",
            truncated=False,
            detail="",
            location="",
            took_ms=0,
            retry_after=UNSAID,
        )

    @cached_property
    def _addresses(self) -> frozenset[str]:
        return frozenset(name for name in self.names if "/" in name)

    @cached_property
    def _sites(self) -> frozenset[str]:
        return frozenset(name for name in self.names if "/" not in name)


def bare(url: str) -> str:
    """A URL without its scheme and `www.`.

    >>> bare("https://www.a.pk/1")
    'a.pk/1'
    """
    return url.partition("://")[2].removeprefix("www.")


def name_of(given: str) -> str:
    """The name under which an address or a site is removed; UserError if it is neither.

    >>> name_of("https://www.a.pk/1"), name_of("www.A.pk")
    ('a.pk/1', 'a.pk')
    """
    if "://" in given:
        url = canonical(given.strip())
        if not url:
            raise UserError(f"{given} is no web address.", "Write it in full: https://example.org/page.")
        return bare(str(url))
    url = canonical(f"http://{given.strip()}/")
    host = host_of(str(url)) if url else ""
    if "." not in host or any(mark in given.strip().rstrip("/") for mark in "/:@?#"):
        raise UserError(
            f"{given} is neither a site nor an address.", "Write example.org, or https://example.org/page."
        )
    return host.removeprefix("www.")


def removed(storage: Storage) -> Removed:
    """All that was removed from a corpus, and what is being removed."""
    return Removed(tuple(dict.fromkeys(_names(storage))))


def entries(storage: Storage) -> list[dict[str, Any]]:
    """The removals that are complete, in their order."""
    if not storage.exists(FILE):
        return []
    return list(map(json.loads, storage.read_lines(FILE)))


def _names(storage: Storage) -> Iterable[str]:
    yield from (entry["name"] for entry in entries(storage))
    if name := unfinished(storage):
        yield name


def unfinished(storage: Storage) -> str:
    """The name of what a removal that was cut short takes out; empty if there is none."""
    return str(json.loads(storage.read(PENDING))["name"]) if storage.exists(PENDING) else ""


def as_written(name: str) -> str:
    """What a user writes for the name of what is removed: a site as it is, a page with a scheme."""
    return f"https://{name}" if "/" in name else name
