"""Links out of robots.txt, sitemaps and feeds."""

import json

import pytest

from corpulyzer.page.link_files import links_of_robots, links_of_source, links_of_wat
from corpulyzer.records import Page
from corpulyzer.web.fetch.robots.rules import sitemaps_of


def links(url, body, mime="application/xml"):
    return told(links_of_source(Page(url, body, mime=mime)))


def told(links):
    return [(link.url, link.element, link.hreflang) for link in links]


def test_robots_txt_names_sitemaps():
    body = b"User-agent: *\nDisallow: /x\nSitemap: /map.xml\nSitemap: https://b.pk/other.xml\n"
    found = links_of_robots(Page("https://a.pk/rules", body), sitemaps_of)
    assert told(found) == [("https://a.pk/map.xml", "sitemap", ""), ("https://b.pk/other.xml", "sitemap", "")]
    assert links("https://a.pk/robots.txt", body, "text/plain") == [], "fetched as a page, it is one"


def test_a_sitemap_names_pages_and_their_other_languages():
    body = (
        b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://a.pk/1</loc>'
        b'<xhtml:link rel="alternate" hreflang="ur" href="https://a.pk/ur/1"/></url></urlset>'
    )
    assert links("https://a.pk/map.xml", body) == [
        ("https://a.pk/1", "loc", ""),
        ("https://a.pk/ur/1", "loc", "ur"),
    ]


def test_an_index_names_sitemaps_and_a_feed_names_pages():
    index = b"<sitemapindex><sitemap><loc>https://a.pk/map2.xml</loc></sitemap></sitemapindex>"
    assert links("https://a.pk/map.xml", index) == [("https://a.pk/map2.xml", "sitemap", "")]
    feed = b"<rss><channel><item><title>x</title><link>https://a.pk/1</link></item></channel></rss>"
    assert links("https://a.pk/feed", feed, "application/rss+xml") == [("https://a.pk/1", "loc", "")]


def test_a_page_is_no_such_source():
    assert links("https://a.pk/", b"<a href=/x>x</a>", "text/html") == []


def test_a_wat_record_lists_the_links_of_a_page():
    listed = [
        {"path": "A@/href", "url": "/x?b=1#top", "text": " two\nwords "},
        {"path": "IMG@/src", "url": "/logo.png"},
        {"path": "A@/href", "url": "javascript:void(0)"},
        {"path": "A@/href"},
        "no link",
    ]
    head = {
        "Base": "http://b.pk/",
        "Link": [
            {"path": "LINK@/href", "url": "ur/", "rel": "alternate", "hreflang": "ur"},
            {"path": "LINK@/href", "url": "style.css", "rel": "stylesheet"},
        ],
    }
    metadata = {"HTML-Metadata": {"Head": head, "Links": listed}}
    wat = {"Envelope": {"Payload-Metadata": {"HTTP-Response-Metadata": metadata}}}
    found = links_of_wat(Page("http://a.pk/", json.dumps(wat).encode()))
    assert [tuple(link) for link in found] == [
        ("http://b.pk/x?b=1", "two words", "", "", "a"),
        ("http://b.pk/ur/", "", "alternate", "ur", "link"),
    ]


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"Envelope": [1]}', b"[" * 100_000, b"\xff"])
def test_what_is_no_wat_record_has_no_links(body):
    assert links_of_wat(Page("http://a.pk/", body)) == ()
