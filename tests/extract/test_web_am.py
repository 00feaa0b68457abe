"""CZ-4: an article extractor, then the longest node and its neighbours."""

import pytest

from corpulyzer.extract import extract

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


@pytest.mark.parametrize(
    ("before", "words", "after", "kept"),
    [
        ("", 17, "", True),
        ("", 16, "", False),
        ("a b c d", 16, "", False),
        ("a b c d e", 16, "", True),
        ("", 3, "w " * 16, True),
        ("", 3, "w " * 15, False),
        ("<a href=/x>link</a>", 40, "w " * 17, False),
        ("<a href=/x>link</a>", 41, "", True),
        ("<a href=/x>link</a>", 3, "w " * 18, True),
    ],
)
def test_the_decision_tree_is_the_published_one_cz_4(before, words, after, kept):
    html = f"<p>{before}</p><p>{'v ' * words}</p><p>{after}</p>"
    assert ("v " * words).strip() in paragraphs(html) or not kept
    assert (" ".join("v" * words) in paragraphs(html)) is kept


def test_scripts_without_spaces_are_measured_too():
    text = "これは文章であり、言葉の間に空白がありませんが、それでも段落として長いものです。" * 3
    assert paragraphs(f"<p>{text}</p><p><a href=/>一</a></p>") == [text]
