"""Edges of the web graph: what is kept of a link, and that the compiled way keeps the same."""

from dataclasses import replace

import pytest
import xxhash
from hypothesis import given
from hypothesis import strategies as st

from corpulyzer.page.edges import collected, compiled_edges, edge_batch
from corpulyzer.records import Edge, Fetch, Link
from corpulyzer.records.columns import schema_of
from corpulyzer.url import NOISE, canonical, join, site_of, url_id

FETCH = Fetch(1, 2, "https://a.example/", "a.example", 3, "x.warc.gz", 0, 10)
PARAMETERS = st.lists(
    st.sampled_from(
        ["a=1", "b", "=c", "", "utm_source=x", "UTM_x", "s=1", "sid=" + "0f" * 16, "id=7", "%41=b", "b=2&"]
    )
)
PATHS = st.sampled_from(
    ["/", "", "/x/y.html", "/x;jsessionid=1", "/(S(x))/z", "/../é", "/a%7eb", "/./", "/x@y", "#f"]
)
HOSTS = st.sampled_from(
    ["a.example", "www.b.example", "B.example:80", "u:p@c.example", "d.example.", "127.0.0.1:1"]
)
ADDRESSES = st.builds(
    lambda scheme, host, path, query: join("", f"{scheme}{host}{path}" + ("?" + "&".join(query) if query else "")),
    st.sampled_from(["http://", "https://", "ftp://"]), HOSTS, PATHS, PARAMETERS,
)  # fmt: skip
LINKS = st.builds(
    Link, ADDRESSES.filter(bool), st.text(st.characters(codec="utf-8")), st.sampled_from(["", "nofollow"])
)


def test_an_edge_ends_at_the_canonical_address_of_its_link():
    links = (Link("https://www.b.example/x?utm_source=y&b=2&a=1#top", "anchor", "nofollow", "ur", "a"),)
    (edge,) = edge_batch([(FETCH, links)]).to_pylist()
    target = "https://www.b.example/x?a=1&b=2"
    spelling = "https://www.b.example/x?b=2&a=1"
    said = Edge(1, 2, url_id(target), target, "b.example", 3, "anchor", "nofollow", "ur", "a", spelling)
    assert edge == {name: getattr(said, name) for name in schema_of(Edge).names}


def test_a_link_to_what_is_no_page_is_no_edge():
    links = (Link("mailto:a@b.example"), Link("https://b.example/"), Link("ftp://b.example/"))
    batch = edge_batch([(FETCH, links), (replace(FETCH, id=9), ()), (replace(FETCH, id=5), links[1:])])
    assert batch.column("source_id").to_pylist() == [1, 5]


def test_no_pages_have_no_edges():
    assert edge_batch([]).num_rows == 0
    assert edge_batch([]).schema == schema_of(Edge)


# What is cut, sorted, decoded or left alone in an address, and what looks like it: in any order.
PIECES = (
    *"/ // . .. ./ ../ ; @ ( /( )) ? ?? & && = == # : .: a B z 7 x.html xn-- www. \\ | ~ ! $ ' * + ,".split(),
    *"% %% %4 %zz %41 %7e %7E %2e %2F %2f %3d %26 %23 %25 %e4%b8%ad %C3%A9".split(),
    *"utm_ utm_source=x UTM_Medium=y gclid=1 _ga at_medium= a=1 b=2 B=3 a a=0 aa=1".split(),
    *"s=1 S=2 sid=4 sess session=x ;jsessionid=1 ;sid=2 ;SID= ;sidx=1 ;v=1 /(S(x)) (y)".split(),
    *("sid=" + "0f" * 13, "s=" + "0f" * 12 + "0", "sid=" + "a1" * 14 + "=", "SESS=" + "zy" * 13, "&a" * 70),
    *(" ", "\0", "\n", "\x7f", "é", "\ud800", "x" * 300, "%7e" * 1300),
)
AUTHORITIES = (
    *"a.example www.b.example www.com www.xn--p1ai.example c.example. c.example.: d.example:80".split(),
    *"u@e.example 1.2.3.4 f.example1 [::1] A.example a_b.example -.example a www. g %41.b".split(),
    *("", "h.\n", "i.example:\n", "\0"),
)
MADE_UP = st.builds(
    lambda scheme, host, pieces: Link(f"{scheme}{host}{''.join(pieces)}"),
    st.sampled_from(["http://", "https://", "https://", "http:/", "HTTP://", "ftp://"]),
    st.sampled_from(AUTHORITIES),
    st.lists(st.sampled_from(PIECES), max_size=12).map(lambda many: ["/", *many] if len(many) % 4 else many),
)


@given(st.lists(MADE_UP, min_size=5, max_size=30))
def test_both_ways_make_the_same_of_addresses_that_nobody_wrote(links):
    compiled = compiled_edges()
    if compiled is None:
        pytest.skip("the edges were not built in C here")
    pages = [tuple(link for link in links if "\ud800" not in link.url)]
    assert compiled(pages) == collected(pages)
    for link in set(links) - set(pages[0]):
        assert outcome(compiled, link) == outcome(collected, link)


@pytest.mark.parametrize(
    "address",
    [
        "http://a.example/?b&sid=" + "0f" * 13,
        "http://a.example/?b&sid=" + "0f" * 12 + "0",
        "http://a.example/?gclids=1&agclid=2&utm=3&at_medi=4",
        "http://a.example/?" + "b&" * 65 + "a",
        "http://xn--a.example/",
        "http://0x7f.1/",
        "http://a.example/" + "x" * 4079,
        "http://a.example/" + "x" * 4080,
        "http://a.example/" + "x" * 4079 + "#f",
        "http://a.example/" + "x" * 4077 + "%7e",
    ],
)
def test_both_ways_make_the_same_at_the_limits(address):
    compiled = compiled_edges()
    if compiled is None:
        pytest.skip("the edges were not built in C here")
    assert compiled([(Link(address),)]) == collected([(Link(address),)])


def outcome(way, link):
    """The edges of a link, or why there are none: no text in Arrow has half a surrogate pair."""
    try:
        return way([(link,)])
    except UnicodeEncodeError:
        return "no text"


@pytest.mark.parametrize(
    "address",
    [
        "https://a.example/?b=2&a=1&utm_source=x&&gclid=3#top",
        "https://a.example/%7ex/%e4%b8%ad?q=%2f&%61=1",
        "https://a.example/x;y;z,artikel,1.html",
        "https://a.example/wiki/X_(y)?s=12",
        "https://a.example/@someone/x./y",
        "https://www.a.example/x?",
    ],
)
def test_addresses_of_many_pages_need_no_python(address):
    edges = pytest.importorskip("corpulyzer.native._compiled").edges

    def asked(url):
        raise AssertionError(f"{url} was left to Python")

    _, _, columns = edges([(Link(address),)], NOISE, asked, asked, xxhash.xxh3_64_intdigest)
    assert columns[0][1].decode() == canonical(address) != ""
    assert columns[1][1] == b"a.example"


def test_a_table_that_is_none_is_refused():
    edges = pytest.importorskip("corpulyzer.native._compiled").edges
    for wrong in ((b"", *NOISE[1:]), (*NOISE[:3], ("é",)), (*NOISE[:3], (1,))):
        with pytest.raises(ValueError, match="needed"):
            edges([], wrong, id, id, id)


@given(st.lists(st.lists(LINKS, max_size=8).map(tuple), max_size=4))
def test_both_ways_find_the_same_edges(pages):
    compiled = compiled_edges()
    if compiled is None:
        pytest.skip("the edges were not built in C here")
    counts, keys, texts = compiled(pages)
    others = collected(pages)
    assert (counts, keys, texts) == (others[0], others[1], others[2])
    kept = [link.url for links in pages for link in links if canonical(link.url)]
    assert texts[0].to_pylist() == [canonical(url) for url in kept]
    assert texts[1].to_pylist() == [site_of(canonical(url)) for url in kept]


def test_links_that_are_none_are_refused():
    compiled = compiled_edges()
    if compiled is None:
        pytest.skip("the edges were not built in C here")
    for wrong in ([("https://a.example/",)], [None], [(Link("https://a.example/", anchor=1),)], [(None,)]):
        with pytest.raises(TypeError):
            compiled(wrong)
