"""Edges of the web graph: what is kept of a link, and that the compiled way keeps the same."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpulyzer.graph import collected, compiled_edges, edge_batch
from corpulyzer.record import Edge, Fetch, Link, schema_of
from corpulyzer.url import canonical, join, site_of, url_id

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
    said = Edge(1, 2, url_id(target), target, "b.example", 3, "anchor", "nofollow", "ur", "a")
    assert edge == {name: getattr(said, name) for name in schema_of(Edge).names}


def test_a_link_to_what_is_no_page_is_no_edge():
    links = (Link("mailto:a@b.example"), Link("https://b.example/"), Link("ftp://b.example/"))
    batch = edge_batch([(FETCH, links), (replace(FETCH, id=9), ()), (replace(FETCH, id=5), links[1:])])
    assert batch.column("source_id").to_pylist() == [1, 5]


def test_no_pages_have_no_edges():
    assert edge_batch([]).num_rows == 0
    assert edge_batch([]).schema == schema_of(Edge)


@settings(deadline=None)
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
