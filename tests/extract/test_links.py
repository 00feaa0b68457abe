"""Links come out absolute, with their words, and in the spelling that a browser would use."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from corpulyzer.extract.blocks import Anchor, Blocks
from corpulyzer.extract.links import MAX_LINKS, Resolver, collected, compiled_links, links_of
from corpulyzer.extract.walk import blocks_of
from corpulyzer.url import join

URL = "https://a.example/dir/page"


def links(html):
    return list(links_of(blocks_of(LexborHTMLParser(html)), URL))


def test_a_link_carries_its_anchor_text_relation_and_language():
    html = (
        '<a href="b#top" rel="NoFollow" hreflang="ur">دیکھیں <b>یہاں</b></a>'
        '<div hidden><a href="/h">h</a></div>'
    )
    assert links(html) == [
        ("https://a.example/dir/b", "دیکھیں یہاں", "nofollow", "ur", "a"),
        ("https://a.example/h", "h", "", "", "a"),
    ]


def test_base_changes_what_relative_links_mean():
    assert links('<base href="//b.example/x/"><a href="y">z</a>')[0][0] == "https://b.example/x/y"


def test_other_elements_that_link():
    html = (
        "<link rel=alternate hreflang=xh href=/xh>"
        '<link rel="alternate" type="application/rss+xml" href=/feed title=News>'
        "<link rel=stylesheet href=/s.css><link rel=canonical href=/c>"
        '<body><map><area href=/area alt="Cape Town"></map>'
    )
    assert links(html) == [
        ("https://a.example/xh", "", "alternate", "xh", "link"),
        ("https://a.example/feed", "News", "alternate", "", "feed"),
        ("https://a.example/c", "", "canonical", "", "link"),
        ("https://a.example/area", "Cape Town", "", "", "area"),
    ]
    assert links("<frameset><frame src=left.html></frameset>")[0][4] == "frame"


@pytest.mark.parametrize(
    "href", ["#x", "", "mailto:a@b.c", "JavaScript:void(0)", "tel:1", "http://", "ftp://a.b/c"]
)
def test_what_leads_to_no_page_is_no_link(href):
    assert links(f'<a href="{href}">x</a>') == []


def test_the_same_link_twice_is_one_and_their_number_is_bounded():
    assert len(links("<a href=x>y</a>" * 3)) == 1
    assert len(links("".join(f"<a href={i}>{i}</a>" for i in range(MAX_LINKS + 5)))) == MAX_LINKS


HREFS = st.from_regex(
    r"(?a)(https?://[a-zA-Z0-9.-]{1,12}|//)?[/.]{0,3}([\w%.&=?+:;@~/-]|%2e|\\){0,20}", fullmatch=True
)


@given(HREFS)
def test_the_quick_way_gives_what_the_standard_gives(href):
    slow = join(URL, href)
    expected = slow if isinstance(slow, str) and slow.startswith("http") and href else ""
    assert Resolver(URL)(href) == expected


def test_an_address_without_path_is_a_whole_address():
    assert Resolver("https://a.example")("/x") == "https://a.example/x"
    assert Resolver("https://a.example?q")("x") == "https://a.example/x"


BASES = (
    "/",
    "/dir/page",
    "/dir/./page",
    "/dir/page?q=a/b",
    "/dir/page#f?/",
    "/dir/pa ge",
    "?q=/x/",
    "",
    ":80/x/y",
)


@given(
    st.sampled_from(BASES),
    st.lists(
        HREFS
        | st.text(max_size=8)
        | st.sampled_from(["b.html", " c/d?e ", "?q", "https://b.example/x#y", "f#g"])
    ),
    st.sampled_from(["", "NoFollow", "ÄRGER"]),
)
def test_the_links_made_in_c_are_those_made_in_python(path, hrefs, rel):
    compiled = compiled_links()
    if compiled is None:
        pytest.skip("links were not built in C here")
    anchors = [Anchor(href, rel, "", "word " * 200) for href in hrefs]
    page = Blocks(LexborHTMLParser("<link rel=next href=n>"), [], [], [], anchors, [])
    base = f"https://a.example{path}"
    assert compiled(page, Resolver(base)) == collected(page, Resolver(base))
