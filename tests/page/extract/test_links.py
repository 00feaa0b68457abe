"""Links come out absolute, with their words, and in the spelling that a browser would use."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from corpulyzer.page.extract.blocks import Anchor, Blocks, Fact
from corpulyzer.page.extract.links import MAX_LINKS, Resolver, collected, compiled_links, links_of
from corpulyzer.page.extract.walk import blocks_of
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


# What an address is made of, what has to be escaped or trimmed in it, and what only looks like it.
PIECES = (
    *"/ // . .. ... ./ ../ /./ /../ %2e %2E. .%2e/ %2 %zz %41 %C3%A9 %20 ? ?? & = : ; @ # a B 7 x.html".split(),
    *"http:// https:// //b.example //b.example/ http:/ HTTP:// http: mailto: www. b.example -a -- xn--".split(),
    *"https://b.example https://b.example? http://b.example/ http://b-c.d.example/x http://b..example/".split(),
    *"https://b.example: https://b.example:80/ https://u@b.example/ http://1.2.3.4/ http://b.e/ http://b/".split(),
    *"\" < > { } [ ] | \\ ^ ` ' ! $ ( ) * + , ~ _ - é 中 😀 \u0130 \u212a ß".split(),
    *(
        " ",
        "\t",
        "\n",
        "\0",
        "\x08",
        "\x1f",
        "\x7f",
        "\x80",
        "\x85",
        "\xa0",
        "\u1680",
        "\u2003",
        "\u3000",
        "\ufeff",
    ),
    *("\ud800", "\udc00", "x" * 70 + ".example/", "a/" * 300, "é" * 2800, "y" * 5000),
)
MADE_UP = st.lists(st.sampled_from(PIECES), max_size=10).map("".join)


@given(
    st.sampled_from((*BASES, "//", "/a/b//../", "/a/b/c?d", "/é/x")),
    st.lists(MADE_UP, min_size=5, max_size=40),
)
def test_links_that_nobody_wrote_are_the_same_in_c_and_in_python(path, hrefs):
    compiled = compiled_links()
    if compiled is None:
        pytest.skip("links were not built in C here")
    page = Blocks(LexborHTMLParser(""), [], [], [], [Anchor(href, "", "", "") for href in hrefs], [])
    for base in (f"https://a.example{path}", f"http://127.0.0.1{path}", "", "no address"):
        assert compiled(page, base) == collected(page, base)


FACTS = st.builds(
    Fact,
    st.sampled_from(["link", "link", "area", "frame", "base", "meta", "title", "links"]),
    st.fixed_dictionaries(
        {},
        optional={
            "href": MADE_UP,
            "src": MADE_UP,
            "rel": st.sampled_from(
                ["", "next", "NEXT", "icon", "x\u2003Canonical\ty", "alternate icon", "a\xa0b", "\x1clicense"]
            ),
            "type": st.sampled_from(["", "application/RSS+xml", "application/atom+xml ", "É"]),
            "title": st.sampled_from(["", "word " * 200, "é" * 501]),
            "alt": st.sampled_from(["", "Cape Town", "x" * 600]),
            "hreflang": st.sampled_from(["", "xh", "UR"]),
        },
    ),
    st.just(""),
)


@given(st.lists(FACTS, max_size=20))
def test_what_a_page_declares_is_the_same_in_c_and_in_python(facts):
    compiled = compiled_links()
    if compiled is None:
        pytest.skip("links were not built in C here")
    page = Blocks(LexborHTMLParser(""), [], [], [], [Anchor("/feed", "", "", "")], facts)
    assert compiled(page, URL) == collected(page, URL)


def test_what_no_walk_can_have_found_is_refused():
    compiled = compiled_links()
    if compiled is None:
        pytest.skip("links were not built in C here")
    tree = LexborHTMLParser("")
    for wrong in (
        None,
        (),
        ("link", None, ""),
        (1, {}, ""),
        ("link", {"rel": 1}, ""),
        ("area", {"href": None}, ""),
    ):
        with pytest.raises(TypeError):
            compiled(Blocks(tree, [], [], [], [], [wrong]), URL)
    for wrong in (None, ("x",), ("x", "", "", 1)):
        with pytest.raises(TypeError):
            compiled(Blocks(tree, [], [], [], [wrong], []), URL)


@pytest.mark.parametrize(
    ("href", "target"),
    [
        ("../../../x/./y/..", "/x/"),
        ("%2e%2E/z", "/z"),
        ("https://a.example//../z", "/z"),
        ("/x//../../..//z", "//z"),
        ("/a%7eb%zz?c=%2F", "/a%7eb%zz?c=%2F"),
        ("?q=a b", "/dir/page?q=a%20b"),
        ("story.do?at=2011-12-23 00:00:00", "/dir/story.do?at=2011-12-23%2000:00:00"),
        ("//a.example/ä", "/%C3%A4"),
        ("//a.example", "/"),
        ("https://a.example?x='{}'", "/?x=%27{}%27"),
        ('/a b"<{}>[]|', "/a%20b%22%3C%7B%7D%3E[]|"),
    ],
)
def test_links_of_many_pages_need_no_python(href, target):
    def asked(base, href):
        raise AssertionError(f"{href} was left to Python")

    compiled = compiled_links(asked)
    if compiled is None:
        pytest.skip("links were not built in C here")
    page = Blocks(LexborHTMLParser(""), [], [], [], [Anchor(href, "", "", "")], [])
    assert [link.url for link in compiled(page, URL)] == [f"https://a.example{target}"]
    assert join(URL, href) == f"https://a.example{target}"


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
    assert compiled(page, base) == collected(page, base)
