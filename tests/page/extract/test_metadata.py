"""What pages declare of themselves."""

import pytest
from selectolax.lexbor import LexborHTMLParser

from corpulyzer.page.extract.metadata import Metadata, metadata_of
from corpulyzer.page.extract.walk import blocks_of


def declared(html, **options):
    return metadata_of(blocks_of(LexborHTMLParser(html)), "https://a.example/dir/x", **options)


def test_a_page_that_declares_nothing_has_no_metadata():
    assert declared("<p>text</p>") == Metadata()


def test_title_language_and_canonical_link():
    html = '<html lang="ur-PK"><title> A \n title</title><title>2</title><link rel=canonical href="../y#z">'
    found = declared(html)
    assert (found.title, found.language, found.canonical) == ("A title", "ur-PK", "https://a.example/y")


@pytest.mark.parametrize(
    ("html", "header", "language"),
    [
        ('<html lang="hr"><meta http-equiv=content-language content=en>', "sl", "hr"),
        ("<body lang=zu>", "", "zu"),
        ('<meta http-equiv="Content-Language" content="xh, en">', "sl", "xh"),
        ("<p>", "sl", "sl"),
        ('<html lang="">', "", ""),
    ],
)
def test_the_nearest_declaration_of_the_language_counts(html, header, language):
    assert declared(html, header_language=header).language == language


@pytest.mark.parametrize(
    "html",
    [
        '<meta name="author" content="Ana  Anić"><meta property="article:published_time" content="2021-03-04">',
        '<meta name="DC.creator" content="Ana Anić"><meta name="DC.date.issued" content="2021/03/04">',
        '<script type="application/ld+json">{"@graph": [{"@type": "Article", "datePublished": "2021-03-04",'
        ' "author": [{"name": "Ana Anić"}]}]}</script>',
        '<meta name=author content="https://facebook.com/ana"><meta name=citation_author content="Ana Anić">'
        "<body><time datetime='2021-03-04'>jučer</time>",
    ],
)
def test_author_and_date_are_found_where_they_are_declared(html):
    found = declared(html)
    assert (found.author, found.published) == ("Ana Anić", "2021-03-04")


@pytest.mark.parametrize(
    "script", ["{not json", "[" * 100_000, '"text"', '{"author": 7, "datePublished": null}']
)
def test_broken_json_declares_nothing(script):
    assert declared(f'<script type="application/ld+json">{script}</script>') == Metadata()
