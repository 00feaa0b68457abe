"""Links out of files that are no pages: robots.txt names sitemaps, sitemaps and feeds name pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable

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
