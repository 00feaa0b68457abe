"""The second output form of C4Corpus."""

from selectolax.lexbor import LexborHTMLParser

from corpulyzer.page.extract import Extract, extract
from corpulyzer.page.extract.parse import parse
from corpulyzer.records import Page

HTML = (
    "<div id=x><h1>G</h1><h3><div>H</div></h3><p onclick=y>a &lt; <b>b</b></p>plain<ul><li>i<li>j</ul>"
    "<dl><dt>t<dd>d</dl><table><caption>c</caption><tr><th>k<td><div>v</div></table>"
    "<blockquote>q</blockquote><pre>r</pre>"
)
ELEMENTS = [
    *(("h1", "G"), ("h3", "H"), ("p", "a < b"), ("p", "plain"), ("li", "i"), ("li", "j"), ("dt", "t")),
    *(("dd", "d"), ("figcaption", "c"), ("th", "k"), ("td", "v"), ("blockquote", "q"), ("pre", "r")),
]


def elements(html):
    """The innermost elements as a parser reads them back, and their texts."""
    leaves = (node for node in LexborHTMLParser(html).css("body *") if node.first_child is not None)
    return [
        (node.tag, node.text()) for node in leaves if node.first_child.is_text_node and node.text().strip()
    ]


def test_minimal_html_keeps_the_original_tags_and_a_parser_finds_them_again_c4():
    found = extract(HTML.encode(), extractor="full_text")
    assert [pair for pair in elements(found.minimal_html) if pair[0] not in ("ul", "dl", "tr")] == ELEMENTS
    assert "onclick" not in found.minimal_html and "<b>" not in found.minimal_html
    assert found.kinds[:3] == ("h", "h", "p")


def test_items_stand_in_lists_and_cells_in_tables_c4():
    found = extract(b"<h3>H</h3><p>a &lt; <b>b</b></p><ul><li>i<li>j</ul>", extractor="full_text")
    assert found.minimal_html.split("\n") == [
        "<h3>H</h3>",
        "<p>a &lt; b</p>",
        "<ul>",
        "<li>i</li>",
        "<li>j</li>",
        "</ul>",
    ]


def test_rows_have_broad_kinds_unless_tags_are_asked_for():
    page = parse(Page("https://a.pk/", decoded=HTML))
    kinds = ["h", "h", "p", "p", "li", "li", "li", "li", "caption", "td", "td", "quote", "pre"]
    assert [span.kind for span in Extract("full_text")(page).paragraphs] == kinds
    tags = ["h1", "h3", "p", "p", "li", "li", "dt", "dd", "caption", "th", "td", "blockquote", "pre"]
    assert [span.kind for span in Extract("full_text", "tags")(page).paragraphs] == tags


def test_extractors_that_read_the_source_keep_tags_too():
    text = (
        "Many words stand in this long line of running text, so that it is taken for content by everyone. "
        * 3
    )
    html = f"<html><body><h1>Title</h1><ul><li>{text}</ul><p>{text}</body></html>".encode()
    for name in ("article", "justext"):
        found = extract(html, extractor=name)
        assert (found.tags, found.kinds) == (("h1", "li", "p"), ("h", "li", "p")), name
    page = parse(Page("https://a.pk/", decoded=html.decode()))
    assert [span.kind for span in Extract("justext")(page).paragraphs] == ["h", "li", "p"]
