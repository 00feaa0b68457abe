"""CZ-4: an article extractor, then the longest node and its neighbours."""

from corpulyzer.page.extract import extract

LONG = "These are many words of running text that nobody would put into a menu or under a picture of a cat."
MEDIUM = "Six words stand in this line."


def paragraphs(html):
    return list(extract(f"<html><body>{html}</body></html>".encode(), extractor="web_am").paragraphs)


def test_only_the_level_of_the_longest_node_is_kept_cz_4():
    longest = f"{LONG} {LONG} {LONG}"
    html = f"<div><p>{LONG}</p><p>{longest}</p><div><p>{LONG} deeper</p></div></div><p>{LONG} above</p>"
    assert paragraphs(html) == [LONG, longest]


def test_lines_of_one_node_count_together_cz_4():
    lines = f"{LONG} one<br>{LONG} two"
    html = f"<div><div>{lines}</div></div><section><p>{LONG} {MEDIUM}</p></section>"
    assert paragraphs(html) == [f"{LONG} one", f"{LONG} two"]


def test_a_block_of_links_is_no_content_however_long_cz_4():
    assert paragraphs(f"<p>{LONG}</p><p>{LONG}</p><p><a href=/x>{LONG}</a></p>") == [LONG, LONG]
