"""Links out of sitemaps and feeds, sound, broken and hostile ones."""

from __future__ import annotations

import gzip
import time

import pytest

from corpulyzer.page.feeds import source_links

BASE = "https://a.pk/sitemap.xml"

SITEMAP = b"""<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
  <url><loc>https://a.pk/1?x=1&amp;y=2</loc><lastmod>2024-01-01</lastmod>
    <xhtml:link rel="alternate" hreflang="ur" href="https://a.pk/ur/1"/>
    <xhtml:link rel="alternate" hreflang="en" href="https://a.pk/en/1"></xhtml:link>
    <image:image><image:loc>https://a.pk/1.jpg</image:loc></image:image></url>
  <!-- <url><loc>https://a.pk/hidden</loc></url> -->
  <url><loc><![CDATA[https://a.pk/2]]></loc></url>
  <url> <loc> /3 </loc> <news:news><news:publication><news:language>ur</news:language></news:publication></news:news></url>
</urlset>"""


def found(body, **limits):
    return [(link.url, link.rel, link.hreflang, link.element) for link in source_links(body, BASE, **limits)]


EXPECTED = [
    ("https://a.pk/1?x=1&y=2", "", "", "loc"),
    ("https://a.pk/ur/1", "alternate", "ur", "loc"),
    ("https://a.pk/en/1", "alternate", "en", "loc"),
    ("https://a.pk/2", "", "", "loc"),
    ("https://a.pk/3", "", "ur", "loc"),
]


def test_a_sitemap_gives_its_pages_and_their_other_languages():
    assert found(SITEMAP) == EXPECTED


def test_gzip_and_other_encodings_are_read():
    assert found(gzip.compress(SITEMAP)) == EXPECTED
    assert found(SITEMAP.decode().encode("utf-16")) == EXPECTED
    assert found(b"\xef\xbb\xbf" + SITEMAP) == EXPECTED


def test_an_index_gives_further_sitemaps():
    index = b"<sitemapindex><sitemap><loc>https://a.pk/s1.xml.gz</loc></sitemap></sitemapindex>"
    assert found(index) == [("https://a.pk/s1.xml.gz", "", "", "sitemap")]


def test_a_list_of_urls_is_a_sitemap_too():
    assert found(b"https://a.pk/1\r\nnonsense\n https://a.pk/2\n") == [
        ("https://a.pk/1", "", "", "loc"),
        ("https://a.pk/2", "", "", "loc"),
    ]


def test_rss_gives_titles_and_the_language_of_the_channel():
    rss = """<rss version="2.0"><channel><title>News</title><link>https://a.pk/</link><language>ur-PK</language>
    <item><title><![CDATA[خبر & more]]></title><link>https://a.pk/news/1</link><guid>x</guid></item>
    <item><title>2</title><guid isPermaLink="true">https://a.pk/news/2</guid></item>
    <item><title>3</title><guid isPermaLink="false">https://a.pk/news/3</guid></item></channel></rss>"""
    links = source_links(rss.encode(), BASE)
    assert [(link.url, link.anchor, link.hreflang, link.element) for link in links] == [
        ("https://a.pk/news/1", "خبر & more", "ur-PK", "feed"),
        ("https://a.pk/news/2", "2", "ur-PK", "feed"),
    ]


def test_atom_gives_the_alternate_of_each_entry():
    atom = b"""<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="xh"><link rel="self" href="/feed"/>
    <entry><title type="html">One</title><link rel="edit" href="/e/1"/><link href="/1"/><id>urn:1</id></entry>
    <entry><link rel="alternate" hreflang="en" href="/2"/></entry></feed>"""
    links = source_links(atom, BASE)
    assert [(link.url, link.anchor, link.hreflang) for link in links] == [
        ("https://a.pk/1", "One", "xh"),
        ("https://a.pk/2", "", "en"),
    ]


@pytest.mark.parametrize(
    "body",
    [
        SITEMAP[:-60],
        SITEMAP.replace(b"</loc>", b"", 1),
        SITEMAP.replace(b"&amp;", b"&"),
        SITEMAP.replace(b"</urlset>", b"<b>&nbsp;</i>"),
    ],
)
def test_a_broken_sitemap_gives_what_can_be_read(body):
    assert {url for url, *_ in found(body)} >= {"https://a.pk/ur/1", "https://a.pk/en/1", "https://a.pk/2"}


@pytest.mark.parametrize(
    "body", [b"", b"<html><body><a href=/x>y</a></body></html>", b"\0\xff" * 1000, b"{}"]
)
def test_what_is_no_sitemap_gives_nothing(body):
    assert found(body) == []


LAUGHS = (
    b'<?xml version="1.0"?><!DOCTYPE z [<!ENTITY a "'
    + b"x" * 1000
    + b'">'
    + b"".join(b'<!ENTITY %c "%s">' % (98 + n, b"&%c;" % (97 + n) * 100) for n in range(8))
    + b"]><urlset><url><loc>https://a.pk/&i;</loc></url><url><loc>https://a.pk/ok</loc></url></urlset>"
)
FILES = b'<!DOCTYPE z [<!ENTITY a SYSTEM "file:///etc/passwd">]><urlset><url><loc>https://a.pk/&a;</loc></url></urlset>'


def test_entities_are_not_expanded():
    begun = time.process_time()
    assert ("https://a.pk/ok", "", "", "loc") in found(LAUGHS)
    assert [url for url, *_ in found(FILES)] == ["https://a.pk/&a;"]
    assert time.process_time() - begun < 2


@pytest.mark.parametrize(
    "piece",
    [
        b"<url>",
        b"<loc",
        b"<a ",
        b'<a "',
        b"<![CDATA[",
        b"<!--",
        b"<loc>",
        b"<url><loc>/x",
        b"<link href='/x' ",
    ],
)
def test_hostile_files_cost_linear_time(piece):
    body = b"<urlset>" + piece * (500_000 // len(piece))
    begun = time.process_time()
    assert len(source_links(body, BASE)) <= 1
    assert time.process_time() - begun < 10


def test_size_and_number_of_links_are_capped():
    body = b"<urlset>" + b"".join(b"<url><loc>/%d</loc></url>" % n for n in range(50_010))
    assert len(source_links(body, BASE)) == 50_000
    assert len(source_links(body, BASE, max_links=10)) == 10
    assert len(source_links(gzip.compress(body), BASE, max_bytes=1000)) < 50


def test_a_packed_bomb_is_unpacked_no_further_than_the_cap():
    body = gzip.compress(b"<urlset>" + b" " * 50_000_000)
    begun = time.process_time()
    assert source_links(body, BASE, max_bytes=1_000_000) == []
    assert time.process_time() - begun < 5


def test_addresses_off_the_web_are_left_out():
    body = b"<urlset><url><loc>javascript:x</loc></url><url><loc>ftp://a/b</loc></url><url><loc>http://[</loc></url></urlset>"
    assert found(body) == []
