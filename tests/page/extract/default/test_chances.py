"""What is computed in C is what NumPy computes: the same features, the same chances, the same blocks."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from corpulyzer.page.extract.blocks import Block, Blocks, Element, Step
from corpulyzer.page.extract.default import chances as module
from corpulyzer.page.extract.default.features import ANCESTORS, FEATURES, PageFeatures
from corpulyzer.page.extract.default.main_content import CLEAR, LEAST, best_threshold, title_of
from corpulyzer.page.extract.default.network import networks as module_networks
from corpulyzer.page.extract.walk import blocks_of

OWN = Path(__file__).parent.parent.parent.parent / "data" / "extraction" / "own" / "html"
PIECES = (
    "<p>", "</p>", "<div id=content class='post entry-content'>", "<div class=sidebar>", "</div>", "<br>", "<br><br>", "<a href=/x>", "</a>",
    "<ul class=menu><li>", "</ul>", "<table><tr><td>", "</table>", "<h1>", "</h1>", "<title>A title of the page</title>", "A title of the page",
    "A sentence of more than eight words, which ends as sentences do. ", "Short", "یہ ایک جملہ ہے جس میں آٹھ سے زیادہ الفاظ ہیں۔ ", "漢字かな交じり文。",
    "2021", "ABC", "|", "<section role=main>", "<footer>", "</footer>", "<pre>", "</pre>", "\U0001f600", "e\u0301", "<b>", "</b>",
)  # fmt: skip


@pytest.fixture(scope="module")
def compiled():
    found = module.compiled()
    if found is None:
        pytest.skip("features and networks were not built in C here")
    return found


def shown(compiled, page, title):
    """The arrays of a page that is shown in one piece."""
    seen = []
    compiled.features(page, title, lambda *arrays: seen.append(arrays))
    assert len(seen) == 1
    rows, first, last, words, start = seen[0]
    assert start == 0
    spans = [np.frombuffer(each, np.int64).reshape(-1, ANCESTORS) for each in (first, last)]
    return np.frombuffer(rows, np.float32).reshape(-1, len(FEATURES)), *spans, np.frombuffer(words)


def same(compiled, html):
    page = blocks_of(LexborHTMLParser(html))
    if not page.blocks:
        return
    title = title_of(page)
    features = PageFeatures(page, title)
    rows, first, last, words = shown(compiled, page, title)
    wanted = features.matrix(0, len(features)).T
    wrong = {FEATURES[column] for column in np.nonzero(~np.isclose(rows, wanted, 1e-5, 1e-6))[1]}
    assert not wrong
    assert np.array_equal([first.T, last.T], features.spans(0, len(features)))
    assert np.array_equal(words, features.words)
    expected, _ = module.computed(page, title)
    found, found_words = compiled.chances(page, title)
    assert np.allclose(found, expected, atol=1e-4)
    assert np.array_equal(found_words, words)
    chosen = [
        block
        for block, each in zip(page.blocks, expected >= best_threshold(expected, words), strict=True)
        if each
    ]
    assert compiled.chosen(page, title, LEAST, CLEAR) == chosen


def test_both_ways_choose_the_same_on_our_own_pages(compiled):
    pages = sorted(OWN.iterdir())
    assert len(pages) >= 60
    for page in pages:
        same(compiled, page.read_bytes())


@pytest.mark.scaled
def test_both_ways_choose_the_same_on_the_shared_pages(compiled, shared_data, scale):
    for name in ("cleaneval", "cleanportaleval", "daniel_el", "daniel_pl", "scrapinghub", "wcxb_dev"):
        for page in sorted(shared_data(f"extraction/{name}.tar.gz").rglob("html/*"))[:: scale(80, 20, 1)]:
            same(compiled, page.read_bytes())


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=40))
def test_both_ways_compute_the_same_whatever_the_markup(compiled, pieces):
    page = blocks_of(LexborHTMLParser("".join(pieces).encode("utf-8", "replace")))
    if not page.blocks:
        return
    title = title_of(page)
    features = PageFeatures(page, title)
    assert np.allclose(shown(compiled, page, title)[0], features.matrix(0, len(features)).T, 1e-5, 1e-6)
    assert np.allclose(compiled.chances(page, title)[0], module.computed(page, title)[0], atol=1e-4)


@pytest.mark.parametrize(
    "html", ["x", "<p>.", "<p>" + "a b " * 40_000, "<p>word</p>" * 3_000, "<div>" * 500 + "text"]
)
def test_both_ways_compute_the_same_on_strange_pages(compiled, html):
    same(compiled, html)


@pytest.mark.parametrize(
    ("block", "element", "step"),
    [
        (Block("text", "p", 1, 0, 0, 0, 0, 0), Element(-1, 1, 0), Step(-1, "p", None, None, "")),
        (Block("", "p", 0, 0, 0, 0, 0, 0), Element(-1, 1, 0), Step(-1, "p", None, None, "")),
        (Block("text", "p", 0, 0, 0, 0, 0, 0), Element(-1, 1, 7), Step(-1, "p", None, None, "")),
        (Block("text", "p", 0, 0, 0, 0, 0, 0), Element(-1, 1, 0), Step(3, "p", None, None, "")),
    ],
)
def test_what_no_walk_can_have_made_is_refused(compiled, block, element, step):
    page = Blocks(LexborHTMLParser(""), [block], [element], [step], [], [])
    with pytest.raises(ValueError, match="no walk"):
        compiled.chosen(page, "", LEAST, CLEAR)


def test_an_element_whose_blocks_do_not_follow_one_another_is_refused():
    library = pytest.importorskip("corpulyzer.native._compiled")
    weights = [module._by_input(network) for network in module.networks()]
    elements = [Element(-1, 1, 0), Element(0, 2, 1), Element(0, 2, 1)]
    steps = [Step(-1, "div", None, None, ""), Step(0, "p", None, None, "")]
    blocks = [Block("text", "p", 1 if number in (0, 99) else 2, 0, 0, 0, 0, 0) for number in range(100)]
    page = Blocks(LexborHTMLParser(""), blocks, elements, steps, [], [])
    with pytest.raises(ValueError, match="no walk"):
        module.Compiled(library, weights, 2).chances(page, "")


def test_there_can_be_many_networks(compiled, monkeypatch):
    monkeypatch.setattr(module, "networks", lambda: (*module_networks(), *module_networks()) * 3)
    module.compiled.cache_clear()
    page = blocks_of(LexborHTMLParser((OWN / sorted(OWN.iterdir())[0].name).read_bytes()))
    found, _ = module.compiled().chances(page, "")
    module.compiled.cache_clear()
    assert np.allclose(found, compiled.chances(page, "")[0], atol=1e-6)


def test_a_long_page_is_judged_in_the_same_pieces(monkeypatch):
    library = pytest.importorskip("corpulyzer.native._compiled")
    weights = [module._by_input(network) for network in module.networks()]
    page = blocks_of(LexborHTMLParser((OWN / sorted(OWN.iterdir())[0].name).read_bytes() * 5))
    window = len(page.blocks) // 3 + 1
    monkeypatch.setattr("corpulyzer.page.extract.default.network.WINDOW_BLOCKS", window)
    expected, words = module.computed(page, title_of(page))
    found, found_words = module.Compiled(library, weights, window).chances(page, title_of(page))
    assert np.allclose(found, expected, atol=1e-4)
    assert np.array_equal(found_words, words)


@given(st.lists(st.tuples(st.floats(0, 1, width=32), st.integers(1, 40)), min_size=1, max_size=30))
def test_both_ways_find_the_same_threshold(blocks):
    library = pytest.importorskip("corpulyzer.native._compiled")
    likely = np.array([chance for chance, _ in blocks], np.float32)
    words = np.array([count for _, count in blocks], float)
    assert library.threshold(likely, words, LEAST, CLEAR) == best_threshold(likely, words)


def test_a_network_of_other_sizes_is_left_to_numpy(monkeypatch):
    first, *others = module.networks()
    other = first._replace(answer=np.zeros(3, np.float32))
    monkeypatch.setattr(module, "networks", lambda: (*others, other))
    module.compiled.cache_clear()
    assert module.compiled() is None
    module.compiled.cache_clear()
