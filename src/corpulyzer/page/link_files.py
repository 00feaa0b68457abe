"""Links out of what is no page: robots.txt names sitemaps, sitemaps and feeds name pages, WAT lists links."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from corpulyzer.page.feeds import source_links
from corpulyzer.records import Link, Page
from corpulyzer.url import spelled

SitemapsOf = Callable[[bytes], Iterable[str]]
"""The sitemaps that a robots.txt names, as it spells them."""

XML = frozenset(
    (
        *(
            "application/xml",
            "text/xml",
            "application/rss+xml",
            "application/atom+xml",
            "application/rdf+xml",
        ),
        *("application/gzip", "application/x-gzip"),
    )
)


def links_of_robots(page: Page, sitemaps_of: SitemapsOf) -> tuple[Link, ...]:
    """The links of a robots.txt: the sitemaps that it names."""
    found = (spelled(url, page.url) for url in sitemaps_of(page.body))
    return tuple(Link(url, element="sitemap") for url in found if url)


def links_of_source(page: Page) -> tuple[Link, ...]:
    """The links of a sitemap or a feed; none for anything else.

    Their element is `sitemap` where they lead to another such file, `loc` where to a page.
    """
    if page.mime not in XML:
        return ()
    links = source_links(page.body, page.url)
    return tuple(link._replace(element="loc") if link.element == "feed" else link for link in links)


# Where a WAT record lists the links of a page: those of its text, and those of its head.
_IN_WAT = ("Envelope", "Payload-Metadata", "HTTP-Response-Metadata", "HTML-Metadata")
_WAT_ELEMENTS = {"A@/href": "a", "AREA@/href": "area", "LINK@/href": "link"}
_WAT_RELATIONS = ("alternate", "next", "prev", "canonical")


def links_of_wat(page: Page) -> tuple[Link, ...]:
    """The links to other pages that a record of a WAT file lists; none if it is none."""
    try:
        found = json.loads(page.body)
    except (ValueError, RecursionError):
        return ()
    for name in _IN_WAT:
        found = found.get(name) if isinstance(found, dict) else None
    return tuple(_links_in(found, page.url)) if isinstance(found, dict) else ()


def _links_in(metadata: dict[str, Any], url: str) -> Iterator[Link]:
    head = metadata.get("Head")
    head = head if isinstance(head, dict) else {}
    base = spelled(_word(head, "Base"), url) or url
    for listed in (metadata.get("Links"), head.get("Link")):
        for link in listed if isinstance(listed, list) else ():
            if not isinstance(link, dict):
                continue
            element = _WAT_ELEMENTS.get(_word(link, "path"), "")
            relation = _word(link, "rel")
            if not element or (element == "link" and relation.lower() not in _WAT_RELATIONS):
                continue
            address = _word(link, "url")
            target = spelled(address, base) if address else ""
            if target:
                anchor = " ".join(_word(link, "text").split())
                yield Link(target, anchor, relation, _word(link, "hreflang"), element)


def _word(values: dict[str, Any], name: str) -> str:
    value = values.get(name)
    return value if isinstance(value, str) else ""
