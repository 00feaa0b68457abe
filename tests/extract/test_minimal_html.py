"""The second output form of C4Corpus."""

from corpulyzer.extract import extract


def test_minimal_html_keeps_what_a_paragraph_was_and_no_other_markup_c4():
    html = (
        b"<div id=x><h3>H</h3><p onclick=y>a &lt; <b>b</b></p><ul><li>i<li>j</ul><blockquote>q</blockquote>"
    )
    assert extract(html, extractor="full_text").minimal_html.split("\n") == [
        "<h2>H</h2>",
        "<p>a &lt; b</p>",
        "<ul>",
        "<li>i</li>",
        "<li>j</li>",
        "</ul>",
        "<blockquote>q</blockquote>",
    ]
