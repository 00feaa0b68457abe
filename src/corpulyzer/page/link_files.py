"""Links out of files that are no pages: robots.txt names sitemaps, sitemaps and feeds name pages."""

from __future__ import annotations

from corpulyzer.page.feeds import source_links
from corpulyzer.records import Link, Page
from corpulyzer.url import spelled
from corpulyzer.web.fetch.robots.rules import parse

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


def links_of_source(page: Page) -> tuple[Link, ...]:
    """The links of a robots.txt, a sitemap or a feed; none for anything else.

    Their element is `sitemap` where they lead to another such file, `loc` where to a page.
    """
    if page.is_robots:
        found = (spelled(url, page.url) for url in parse(page.body).sitemaps)
        return tuple(Link(url, element="sitemap") for url in found if url)
    if page.mime not in XML:
        return ()
    links = source_links(page.body, page.url)
    return tuple(link._replace(element="loc") if link.element == "feed" else link for link in links)
