"""The walk in C finds what that in Python finds, on every page; where it cannot, it is not used."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from corpulyzer.extract import compiled_walk as module
from corpulyzer.extract.walk import walked

OWN = Path(__file__).parent.parent / "data" / "extraction" / "own" / "html"
PIECES = (
    "<p>", "</p>", "<div id=a class='b c'>", "<div hidden>", "<div hidden id=S:1>", "<div hidden id>", "<div style='DISPLAY : none'>", "</div>", "<br>", "<a href=/x rel=nofollow>",
    "<a>", "<a href=''>", "</a>", "<b>", "</b>", "<pre>", "</pre>", "\n\n", " ", "&nbsp;", "\u2003", "\x1c", "word", "ایک", "漢", "e\u0301",
    "<table><tr><td>", "</table>", "<title>t</title>", "<meta name=author content='A B' itemprop=x>", "<link rel=canonical href=/c hreflang=ur>",
    "<script type='application/ld+json'>{}</script>", "<svg><a href=/s>s</a></svg>", "<ul><li itemprop=articleBody>", "<section role=main>",
    "<x-y>", "<!-- c -->", "<button>", "<img alt=i>", "<template><p>t</p></template>", "<h2 averyveryverylongname=1>", "<base href=//h/>",
)  # fmt: skip


@pytest.fixture(scope="module")
def walk():
    found = module.compiled_walk()
    if found is None:
        pytest.skip("the walk in C was not built here")
    return found


def same(walk, html):
    root = LexborHTMLParser(html).root
    assert root is None or walk(root) == walked(root)


def test_both_walks_find_the_same_on_our_own_pages(walk):
    pages = sorted(OWN.iterdir())
    assert len(pages) >= 60
    for page in pages:
        same(walk, page.read_bytes())


@pytest.mark.slow
def test_both_walks_find_the_same_on_the_shared_pages(walk, shared_data):
    for name in ("cleaneval", "cleanportaleval", "daniel_el", "daniel_pl", "scrapinghub", "wcxb_dev"):
        for page in sorted(shared_data(f"extraction/{name}.tar.gz").rglob("html/*")):
            same(walk, page.read_bytes())


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=40))
@settings(max_examples=400, deadline=None)
def test_both_walks_find_the_same_whatever_the_markup(walk, pieces):
    same(walk, "".join(pieces).encode("utf-8", "replace"))


@pytest.mark.parametrize(
    "html",
    [
        "",
        "<div>" * 50_000 + "text",
        "<p>" + "word " * 60_000 + "\n\n" + "word " * 100,
        "<a href=/x>link</a>" * 20_000,
        "<div class='c" + "' id='i".join(map(str, range(2_000))) + "'><p>x",
        "<p>\x00\x01</p><p>\ufffd</p>",
    ],
)
def test_both_walks_find_the_same_on_hostile_pages(walk, html):
    same(walk, html.encode())


@pytest.mark.parametrize("place", ["_TAG", "_NEXT", "_PARENT", "_CHILD", "_SIZE", "_ATTRIBUTE", "_OWNER"])
def test_a_parser_whose_nodes_lie_otherwise_is_not_read(monkeypatch, place):
    monkeypatch.setattr(module, place, 3)
    assert module.compiled_walk() is None
