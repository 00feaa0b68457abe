"""Licenses: every way of saying it, and what the page's own license is."""

import pytest
from selectolax.lexbor import LexborHTMLParser

from corpulyzer.label.license import License, kind_of
from corpulyzer.record import Page

BY = "https://creativecommons.org/licenses/by/4.0/"
BY_SA = "https://creativecommons.org/licenses/by-sa/4.0/"


def labelled(html, method="default"):
    return License(method)(Page("https://a.example/", html=html, tree=LexborHTMLParser(html)))


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
