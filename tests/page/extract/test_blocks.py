"""The block model states where text stands, and nothing of the page is lost or made up."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from corpulyzer.page.extract.blocks import ARTICLE, FORM, LIST, NAV, TABLE, runs
from corpulyzer.page.extract.parse import flattened, parse
from corpulyzer.page.extract.walk import blocks_of
from corpulyzer.records import Page


def texts(html):
    return [block.text for block in blocks_of(LexborHTMLParser(html)).blocks]


def test_white_space_is_collapsed_and_inline_elements_do_not_part_words():
    assert texts("<p>One <b>t</b>wo\n\n three</p><div>four <i>five</i> <b>six</b></div>") == [
        "One two three",
        "four five six",
    ]


def test_text_parted_by_br_is_a_paragraph_of_its_own_hr_5():
    page = blocks_of(LexborHTMLParser("<div>a<br>b<br><br>c<br>&nbsp;<br>d<p>e</p></div>"))
    assert [(b.text, b.breaks) for b in page.blocks] == [("a", 0), ("b", 1), ("c", 2), ("d", 2), ("e", 0)]
    assert [[b.text for b in run] for run in runs(page.blocks)] == [["a", "b"], ["c"], ["d"], ["e"]]


def test_what_react_sends_late_is_text_though_it_is_hidden_at_first():
    assert texts("<div hidden id=S:0><p>sent late</p></div><div hidden id=S>not shown</div>") == ["sent late"]


POSTS = "".join(f"<p>Post {n}. {'Riječ ' * 30}</p>" for n in range(4))


def test_a_page_that_shows_nothing_without_scripts_is_read_as_it_is_without_them():
    page = blocks_of(
        LexborHTMLParser(f"<title>T</title><body><noscript><a href=/next>on</a>{POSTS}</noscript>")
    )
    assert [block.text[:6] for block in page.blocks] == ["on", *(f"Post {n}" for n in range(4))]
    assert [anchor.href for anchor in page.anchors] == ["/next"]
    assert [fact.text for fact in page.facts] == ["T"]


def test_a_request_to_turn_scripts_on_is_no_page_and_a_page_with_text_needs_none():
    assert texts("<body><noscript>Please turn on JavaScript.</noscript>") == []
    paragraph = f"<p>{'This can be seen. ' * 20}</p>"
    assert "Post 0" not in str(texts(f"<body>{paragraph * 2}<noscript>{POSTS}</noscript>"))


def test_an_article_in_noscript_is_found_beside_a_sidebar_and_a_list_of_links_is_no_article():
    sidebar = "".join(f"<li><a href=/{n}>Another story, number {n}</a> <b>new</b></li>" for n in range(40))
    article = f"<noscript><p>{'Some words of the story. ' * 30}</p></noscript>"
    found = texts(f"<body><ul>{sidebar}</ul>{article}")
    assert len(found) == 1 and found[0].startswith("Some words of the story.")
    links = "".join(f"<p><a href=/{n}>A page of this site, number {n}</a></p>" for n in range(90))
    found = texts(f"<body><p>{'A short story in one paragraph. ' * 8}</p><noscript>{links}</noscript>")
    assert len(found) == 1 and found[0].startswith("A short story")


def test_hidden_things_are_no_text_but_their_links_are_links():
    html = (
        "<title>t</title><body><script>s</script><style>s</style><noscript>n</noscript><template><p>t</template>"
        "<p>seen</p><div hidden>h <a href=/x>go</a></div><p style='Display: None'>d</p><svg><text>v</text></svg><textarea>a</textarea>"
        "<select><option>o</select><ruby>漢<rt>かん</rt></ruby>"
    )
    page = blocks_of(LexborHTMLParser(html))
    assert [block.text for block in page.blocks] == ["seen", "漢"]
    assert page.anchors == [("/x", "", "", "go")]


def test_text_is_in_nfc_but_markup_is_not_touched():
    assert texts("<p>e\u0301</p><p>a</p>\u0338b") == ["é", "a", "\u0338b"]


def test_kinds_say_what_a_block_is_and_within_where_it_stands():
    html = (
        "<article><h2>h</h2><p>p</p><ul><li><div>l</div></li></ul><blockquote><div>q</div></blockquote>"
        "<table><caption>c</caption><tr><td>d</td></tr></table></article><nav>n</nav><form><label>f</label></form>"
    )
    blocks = {b.text: b for b in blocks_of(LexborHTMLParser(html)).blocks}
    kinds = {text: block.kind for text, block in blocks.items()}
    assert kinds == {
        "h": "h",
        "p": "p",
        "l": "li",
        "q": "quote",
        "c": "caption",
        "d": "td",
        "n": "p",
        "f": "p",
    }
    assert blocks["l"].within == ARTICLE | LIST
    assert blocks["d"].within == ARTICLE | TABLE
    assert (blocks["n"].within, blocks["f"].within) == (NAV, FORM)


def test_blank_lines_part_preformatted_text():
    assert texts("<pre>one\ntwo\n \nthree</pre>") == ["one two", "three"]


def test_the_path_holds_tag_id_and_class_below_the_body():
    page = blocks_of(
        LexborHTMLParser("<div id=i class='a b'><p>x</p></div><div id=i class='a b'><p>y</p></div><p>z")
    )
    x, y, z = page.blocks
    below = page.step(x)
    above = page.paths[below.parent]
    assert [(step.tag, step.id, step.classes) for step in (above, below)] == [
        ("div", "i", "a b"),
        ("p", None, None),
    ]
    assert page.elements[x.element].path == page.elements[y.element].path != page.elements[z.element].path
    assert page.step(x).tag == "p"


def test_link_characters_and_tags_are_counted():
    page = blocks_of(LexborHTMLParser("<body><p>see <a href=u><b>this page</b></a> now</p><p>x</p>"))
    first, second = page.blocks
    assert (first.links, first.tags_inside) == (len("this page"), 4)
    assert first.link_density == pytest.approx(9 / 17)
    assert second.tags_before == 2


@pytest.mark.parametrize(
    "html", ["", "<frameset><frame src=a></frameset>", "<?xml version='1.0'?><rss/>", "<p>"]
)
def test_a_page_without_text_has_no_blocks(html):
    assert texts(html) == []


TAGS = ["div", "p", "b", "a href=/", "ul", "li", "table", "tr", "td", "br", "h2", "pre", "x-y", "section"]
soup = st.lists(
    st.one_of(
        st.sampled_from([f"<{tag}>" for tag in TAGS] + [f"</{tag.split()[0]}>" for tag in TAGS]),
        st.text("ab é\n", max_size=5),
        st.sampled_from(["&amp;", "&nbsp;", "<!-- c -->", "<script>s</script>", "<"]),
    ),
    max_size=40,
).map("".join)


@given(soup)
def test_every_visible_letter_is_in_one_block_and_in_order(html):
    tree = LexborHTMLParser(f"<body>{html}</body>")
    page = blocks_of(tree)
    nodes = [node for node in tree.body.traverse(include_text=True) if node.is_text_node]
    visible = "".join(node.text_content for node in nodes if node.parent.tag != "script")
    assert "".join("".join(b.text for b in page.blocks).split()) == "".join(visible.split())
    assert all(b.text == " ".join(b.text.split()) and 0 <= b.links <= len(b.text) for b in page.blocks)
    assert all(b.element < len(page.elements) for b in page.blocks)


def seconds(html):
    page = Page("https://a.example/", decoded=html)
    best = 9.0
    for _ in range(3):
        start = time.process_time()
        tree = parse(page).tree
        assert tree is not None
        assert blocks_of(tree).blocks
        best = min(best, time.process_time() - start)
    return best


@pytest.mark.parametrize(
    "page",
    [
        lambda n: "<div>" * (5 * n) + "text" + "</div>" * (5 * n),
        lambda n: "<a href=/x>link</a> " * (10 * n),
        lambda n: "<p>" + "word " * (200 * n),
        lambda n: "<table>" + "<tr><td>a<td>b" * (10 * n) + "</table>",
    ],
    ids=["nested", "links", "prose", "table"],
)
def test_time_grows_with_the_page_and_no_faster(page):
    # A busy machine may take twice the time for one of both; if it grew with the square, it were a hundred times.
    assert seconds(page(10_000)) < 40 * max(seconds(page(1_000)), 0.002)


def test_flattening_keeps_all_text_in_order():
    deep = "".join(f"<div>{i} " for i in range(600)) + "</div>" * 600
    assert texts(flattened(deep, 100))[-1].split() == [str(i) for i in range(99, 600)]
