"""The walk in C finds what that in Python finds, on every page; where it cannot, it is not used."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from corpulyzer.page.extract import compiled_walk as module
from corpulyzer.page.extract.blocks import Step
from corpulyzer.page.extract.default.chances import numbers_of_elements, numbers_of_paths
from corpulyzer.page.extract.default.class_words import _MASKS, GROUPS_OF
from corpulyzer.page.extract.walk import walked
from corpulyzer.text import clean

OWN = Path(__file__).parent.parent.parent / "data" / "extraction" / "own" / "html"
PIECES = (
    "<p>", "</p>", "<div id=a class='b c'>", "<div hidden>", "<div hidden id=S:1>", "<div hidden id>", "<div style='DISPLAY : none'>", "</div>", "<br>", "<a href=/x rel=nofollow>",
    "<a>", "<a href=''>", "</a>", "<b>", "</b>", "<pre>", "</pre>", "\n\n", " ", "&nbsp;", "\u2003", "\x1c", "word", "ایک", "漢", "e\u0301",
    "<table><tr><td>", "</table>", "<title>t</title>", "<meta name=author content='A B' itemprop=x>", "<link rel=canonical href=/c hreflang=ur>",
    "<script type='application/ld+json'>{}</script>", "<script>x()</script>", "<script type=text/x>", "<link rel=stylesheet href=s>", "<link rel='shortcut icon' href=s>", "<link>", "<svg><a href=/s>s</a></svg>", "<ul><li itemprop=articleBody>", "<section role=main>", "<div class='Posts related_items [x]Share-9ads é' role=NAVIGATION>",
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
    if root is None:
        return
    blocks, elements, paths, anchors, facts, is_clean = walk(root)
    expected = walked(root)
    assert (blocks, list(elements), list(paths), anchors, facts) == expected[:5]
    assert bytes(numbers_of_elements(elements)) == bytes(numbers_of_elements(expected[1]))
    assert bytes(numbers_of_paths(paths)) == bytes(numbers_of_paths(expected[2]))
    assert not is_clean or all(block.text == clean(block.text) for block in blocks)


def test_both_walks_find_the_same_on_our_own_pages(walk):
    pages = sorted(OWN.iterdir())
    assert len(pages) >= 60
    for page in pages:
        same(walk, page.read_bytes())


@pytest.mark.scaled
def test_both_walks_find_the_same_on_the_shared_pages(walk, shared_data, scale):
    for name in ("cleaneval", "cleanportaleval", "daniel_el", "daniel_pl", "scrapinghub", "wcxb_dev"):
        for page in sorted(shared_data(f"extraction/{name}.tar.gz").rglob("html/*"))[:: scale(10, 1, 1)]:
            same(walk, page.read_bytes())


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=40))
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


def test_paths_outlive_the_page_that_they_were_found_in(walk):
    paths = walk(LexborHTMLParser("<main id=a class=b role=c><p>text" + "<p>more" * 1_000).root)[2]
    assert list(paths)[-2:] == [Step(0, "main", "a", "b", "c"), Step(1, "p", None, None, "")]
    assert [len(paths), paths[1].tag] == [3, "main"]
    with pytest.raises(IndexError):
        paths[3]


@given(st.text(st.sampled_from("sS-_ 9éaAdsmenunavfoter"), max_size=12) | st.sampled_from(sorted(_MASKS)))
def test_class_words_are_looked_up_alike(walk, name):
    html = f'<div class="{name}">text</div>'
    _, _, paths, *_ = walk(LexborHTMLParser(html).root)
    assert memoryview(paths).cast("q")[-1] == GROUPS_OF[name]
