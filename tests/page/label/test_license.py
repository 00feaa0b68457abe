"""Licenses: every way of saying it, and what the page's own license is."""

import pytest
from selectolax.lexbor import LexborHTMLParser

from corpulyzer.page.label.license import License, stands
from corpulyzer.page.label.license_kinds import kind_of
from corpulyzer.records import Page

BY = "https://creativecommons.org/licenses/by/4.0/"
BY_SA = "https://creativecommons.org/licenses/by-sa/4.0/"


def labelled(html, method="default"):
    return License(method)(Page("https://a.example/", decoded=html, tree=LexborHTMLParser(html)))


@pytest.mark.parametrize(
    "address, kind",
    [
        (BY, "cc-by"),
        ("http://creativecommons.org/licenses/by-sa/3.0/hr/deed.hr", "cc-by-sa"),
        ("http://creativecommons.org/licenses/by-nd/2.5/", "cc-by-nd"),
        ("http://creativecommons.org/licenses/by-nc/2.0", "cc-by-nc"),
        ("http://www.creativecommons.org/licenses/by-nc-sa/4.0/", "cc-by-nc-sa"),
        ("//creativecommons.org/licenses/by-nc-nd/4.0/", "cc-by-nc-nd"),
        ("http://creativecommons.org/licenses/by-nd-nc/1.0/", "cc-by-nc-nd"),
        ("https://creativecommons.org/publicdomain/zero/1.0/", "cc0"),
        ("https://creativecommons.org/publicdomain/mark/1.0/", "public-domain"),
        ("http://creativecommons.org/licenses/publicdomain/", "public-domain"),
        ("http://creativecommons.org/licenses/sampling+/1.0/", "cc-unspecified"),
        ("https://creativecommons.org/", ""),
        ("https://creativecommons.org.evil.example/licenses/by/4.0/", ""),
        ("https://a.example/licenses/by/4.0/", ""),
    ],
)
def test_an_address_names_its_kind_c4_3(address, kind):
    assert kind_of(address) == kind


@pytest.mark.parametrize(
    "html, where",
    [
        (f'<a rel="license" href="{BY}">CC</a>', "rel"),
        (f"<a href='{BY}' rel='license noopener'>CC</a>", "rel"),
        (f'<head><link rel=license href="{BY}"></head>', "rel"),
        (f'<meta name="dcterms.license" content="{BY}">', "meta"),
        ('<meta name="DC.rights" content="CC BY 4.0">', "meta"),
        (f'<script type="application/ld+json">{{"@type":"Article","license":"{BY}"}}</script>', "json-ld"),
        (f'<script type="application/ld+json">{{"@graph":[{{"@type":"WebPage","license":{{"@id":"{BY}"}}}}]}}</script>', "json-ld"),
        (f'<span property="dct:license" resource="{BY}">x</span>', "rdfa"),
        (f'<div class="site-footer"><a href="{BY}">x</a></div>', "footer"),
        ("<footer>Sadržaj: CC BY 4.0</footer>", "footer"),
        (f'<p>Tekst <a href="{BY}">x</a></p>', "text"),
    ],
)  # fmt: skip
def test_a_license_is_found_and_says_where_c4_2(html, where):
    page = labelled(html)
    assert page.license == "cc-by"
    assert [item.where for item in page.licenses] == [where]
    assert page.license_basis == ("text" if where == "text" else "declared")


def test_a_page_without_a_license_has_none():
    assert labelled("<p>All rights reserved.</p>").license == ""


def test_two_kinds_in_the_text_are_unspecified_c4_2():
    assert labelled(f'<p><a href="{BY}">a</a> <a href="{BY_SA}">b</a></p>').license == "cc-unspecified"


def test_what_the_page_declares_outweighs_a_link_in_its_text():
    page = labelled(f'<a rel=license href="{BY_SA}">a</a><p><a href="{BY}">b</a></p>')
    assert page.license == "cc-by-sa"
    assert len(page.licenses) == 2


@pytest.mark.parametrize(
    "html",
    [
        f'<figure><img src=a.jpg><figcaption>Foto: <a href="{BY}">CC</a></figcaption></figure>',
        f'<div class="wp-caption"><img src=a.jpg><p><a rel=license href="{BY}">CC</a></p></div>',
        f'<script type="application/ld+json">{{"@type":"ImageObject","license":"{BY}"}}</script>',
    ],
)
def test_the_license_of_a_picture_is_not_the_pages(html):
    assert labelled(html).license == ""


@pytest.mark.parametrize(
    "html, where",
    [
        (f'<p>Foto: J. Horvat, <a href="{BY}">CC</a></p>', "picture"),
        (f'<p><a href="/x">1</a></p><p>تصویر: <a rel="license" href="{BY}">CC</a></p>', "picture"),
        (f'<footer><p>Icons by Ana, <a href="{BY}">CC BY</a></p></footer>', "part"),
        ("<footer>Theme: Minimal, CC BY 3.0</footer>", "part"),
        (f'<div id="comments"><p>Use <a href="{BY}">this</a>!</p></div>', "comment"),
        (f'<blockquote><a href="{BY}">CC</a></blockquote>', "quote"),
    ],
)
def test_the_license_of_a_part_of_the_page_is_not_the_pages(html, where):
    page = labelled(html)
    assert (page.license, page.license_basis) == ("", "")
    assert {item.where for item in page.licenses} == {where}, "the evidence is kept"


def test_words_before_another_sentence_say_nothing_of_the_link():
    page = labelled(f'<footer><p>Theme: Minimal. Text: <a href="{BY}">CC</a></p></footer>')
    assert page.license == "cc-by"


def test_a_page_about_mediawiki_is_no_picture():
    assert labelled(f'<div class="mediawiki"><p><a href="{BY}">CC</a></p></div>').license == "cc-by"


def test_three_kinds_in_running_text_are_a_list_of_licenses():
    links = "".join(
        f'<a href="https://creativecommons.org/licenses/{kind}/4.0/">x</a>'
        for kind in ("by", "by-sa", "by-nd")
    )
    assert labelled(f"<p>{links}</p>").license == ""


@pytest.mark.parametrize(
    "html",
    [
        "<footer>Creative Commons Attribution-NonCommercial 4.0</footer>",
        "<footer>CC\u00a0BY-NC\u00a04.0</footer>",
        '<meta name="copyright" content="CC BY-NC 4.0">',
        '<a rel="LICENSE" href="HTTP://creativecommons.org/Licenses/BY-NC/3.0/">x</a>',
        "<!-- <rdf:RDF><license rdf:resource='http://creativecommons.org/licenses/by-nc/2.0/' /></rdf:RDF> -->",
    ],
)
def test_names_codes_comments_and_capitals_are_read(html):
    assert (labelled(html).license, labelled(html).license_basis) == ("cc-by-nc", "declared")


@pytest.mark.parametrize(
    "basis, pages, voters, kept",
    [
        ("declared", 1, 100, True),
        ("html", 1, 100, True),
        ("text", 1, 100, False),
        ("text", 50, 100, False),
        ("text", 51, 100, True),
        ("text", 2, 2, True),
        ("text", 1, 1, False),
    ],
)
def test_a_link_in_the_text_stands_if_most_of_the_site_says_the_same(basis, pages, voters, kept):
    assert stands(basis, pages, voters) is kept


def test_broken_json_ld_costs_nothing():
    assert labelled(f'<script type="application/ld+json">{{"license": "{BY}"</script>').license == ""


def test_the_c4corpus_rule_is_its_regex_with_what_it_misses():
    assert labelled(f'<figure><a href="{BY}">x</a></figure>', "c4corpus").license == "cc-by"
    assert labelled(f'<a href="{BY}">x</a><a href="{BY_SA}">x</a>', "c4corpus").license == "cc-unspecified"
    assert (
        labelled('<a href="https://creativecommons.org/publicdomain/zero/1.0/">x</a>', "c4corpus").license
        == ""
    )
    assert labelled('<a href="//creativecommons.org/licenses/by/4.0/">x</a>', "c4corpus").license == ""
    assert labelled("<a href='https://creativecommons.org/licenses/by'>x</a>", "c4corpus").license == ""


def test_switched_off_it_looks_at_nothing():
    assert labelled(f'<a rel="license" href="{BY}">CC</a>', "off").licenses == ()
