"""CZ-4: Boilerpipe's ArticleExtractor, filter by filter by hand, and whole pages against boilerpy3."""

import logging

import pytest

from corpulyzer.lab.evaluate.extraction import read_gold
from corpulyzer.lab.evaluate.text_metrics import shingle
from corpulyzer.page.extract import extract
from corpulyzer.page.extract.published.article import is_content
from corpulyzer.page.extract.published.as_written import pieces
from corpulyzer.page.extract.published.text_blocks import TextBlock, text_blocks

LONG = "These are many words of running text that nobody would put into a menu or under a picture of a cat."
LINK = "<p><a href=/x>Another page</a></p>"


def article(html, title=""):
    page = f"<html><head><title>{title}</title></head><body>{html}</body></html>"
    return list(extract(page.encode(), extractor="article").paragraphs)


def block(words, linked=0):
    return TextBlock("", words, linked, 0, -1, "p")


@pytest.mark.parametrize(
    ("before", "this", "after", "content"),
    [
        (block(0), block(17), block(0), True),
        (block(0), block(16), block(0), False),
        (block(4), block(16), block(0), False),
        (block(5), block(16), block(0), True),
        (block(0), block(3), block(16), True),
        (block(0), block(3), block(15), False),
        (block(9, linked=5), block(40), block(17), True),  # 5/9 is not more than .555556
        (block(5, linked=3), block(40), block(17), False),
        (block(5, linked=3), block(41), block(0), True),
        (block(5, linked=3), block(3), block(18), True),
        (block(9), block(60, linked=20), block(60), False),  # 1/3 is more than .333333
        (block(9), block(61, linked=20), block(60), True),
    ],
)
def test_the_decision_tree_is_the_published_one_cz_4(before, this, after, content):
    assert is_content(before, this, after) is content


def test_content_takes_the_block_before_it_along_and_reaches_over_one_block():
    links = "".join(f"<p><a href=/x>{text}</a></p>" for text in ("One", "Two"))
    html = f"{LINK}<p>{LONG} {LONG}</p>{links}<p>{LONG} {LONG} {LONG}</p>"
    assert article(html) == ["Another page", f"{LONG} {LONG}", "Two", f"{LONG} {LONG} {LONG}"]


def test_of_two_passages_the_one_with_more_words_is_kept():
    html = f"<p>{LONG}</p>{LINK * 3}<p>Lead</p><p>{LONG} {LONG}</p>"
    assert article(html)[-1] == f"{LONG} {LONG}" and LONG not in article(html)


@pytest.mark.parametrize("title", ["The news", "The news | A Paper", "A Paper - The news", "Home » The news"])
def test_the_passages_between_the_title_and_the_largest_one_are_kept(title):
    html = f"<h1>The news</h1><p>{LONG}</p>{LINK * 3}<p>Lead</p><p>{LONG} {LONG}</p>"
    assert article(html, title)[:2] == ["The news", LONG]
    assert LONG not in article(html, "Something else")


@pytest.mark.parametrize("end", ["Comments", "12 comments so far", "Please rate this", "© Reuters 2008"])
def test_nothing_is_read_from_the_line_on_that_ends_an_article(end):
    html = f"<p>{LONG * 4}</p><p>{end}</p><p>{LONG} A comment.</p>"
    assert article(html) == [LONG * 4]
    assert len(article(html.replace(end, "Something else"))) == 3
    assert len(article(f"<p>{LONG}</p><p>{end}</p><p>{LONG}</p>")) == 3, "too little stands before it"


def test_full_text_words_are_those_of_blocks_that_fill_their_lines():
    short, long = "ab " * 100, "abcdefghijkl " * 100
    blocks = text_blocks(f"<body><p>{short}<p>{long}<p>one two").blocks
    assert [b.words for b in blocks] == [100, 100, 2]
    assert [b.full_text for b in blocks] == [100, 0, 0]  # 27, 6 and 2 words a line


def test_every_tag_parts_the_text_but_for_inline_ones():
    html = "<body>a<b>b</b> c<br>d<small>e</small><a href=/>f</a>g<br/>h"
    assert [(b.text, b.words, b.linked) for b in text_blocks(html).blocks] == [
        ("ab c", 2, 0),
        ("d", 1, 0),
        ("e", 1, 0),
        ("f gh", 2, 1),
    ]


def test_what_is_not_read_is_no_block():
    html = "no<title>T</title><body>a<option>b</option><noscript>c</noscript><script>d</script> → </body>e"
    found = text_blocks(html)
    assert ([b.text for b in found.blocks], found.title) == (["a"], "T")


def test_words_keep_their_marks():
    assert [b.words for b in text_blocks("<body>हिंदी भाषा<p>می\u200cخواهم<p>\u200d").blocks] == [2, 1]


def test_pieces_are_what_is_written_whatever_the_markup():
    html = (
        """<P title="a > b" it's>x<br/><img src=y/>< 3<!-- <p> --><![if x]><script>"<p>"</SCRIPT></ p></p"""
    )
    assert list(pieces(html)) == [
        ("start", "p"),
        ("text", "x"),
        ("empty", "br"),
        ("start", "img"),
        ("text", "<"),
        ("text", " 3"),
        ("start", "script"),
        ("end", "script"),
    ]


@pytest.mark.parametrize(
    "hostile", ["<a b='" * 50_000, "<!--" * 50_000, "<script>" * 50_000, "</x>" * 50_000]
)
def test_markup_without_an_end_takes_no_longer_than_other_markup(hostile):
    assert text_blocks(f"<body>{'<div>' * 50_000}{hostile}").blocks == []


# Mean F1 of shingles and the share of pages with the same text.
SAMPLES = {
    "scrapinghub": (0.99, 0.96),
    "daniel_el": (0.98, 0.95),
    "daniel_pl": (0.98, 0.95),
    "cleaneval": (0.97, 0.95),
}
SETS = (*SAMPLES, "cleanportaleval", "dragnet", "l3s_gn1", "trafilatura_eval", "wcxb_dev", "wcxb_more")


def against_boilerpy3(pages):
    """F1 of each page against boilerpy3's text, and whether the two are the same, white space apart."""
    theirs = pytest.importorskip("boilerpy3.extractors").ArticleExtractor(raise_on_failure=False)
    logging.getLogger("boilerpy3").setLevel(logging.CRITICAL + 1)
    for page in pages:
        wanted = theirs.get_content(page.html.decode("utf-8", "replace"))
        found = extract(page.html, extractor="article").text
        yield shingle(wanted, found).f1, "".join(wanted.split()) == "".join(found.split())


@pytest.mark.parametrize("name", SAMPLES)
def test_the_text_is_boilerpy3s_cz_4(name, shared_data):
    measured = list(against_boilerpy3(read_gold(shared_data(f"extraction/{name}.tar.gz"))[::6]))
    f1, same = (sum(column) / len(measured) for column in zip(*measured, strict=True))
    assert f1 >= SAMPLES[name][0] and same >= SAMPLES[name][1], (f1, same)


@pytest.mark.endurance
def test_the_text_is_boilerpy3s_over_all_shared_pages_cz_4(shared_data, scale):
    pages = [page for name in SETS for page in read_gold(shared_data(f"extraction/{name}.tar.gz"))]
    pages = pages[:: scale(100, 20, 1)]
    measured = list(against_boilerpy3(pages))
    f1, same = (sum(column) / len(measured) for column in zip(*measured, strict=True))
    assert f1 >= 0.98 and same >= 0.96, (f1, same)
