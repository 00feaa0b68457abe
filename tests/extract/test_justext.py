"""C4-5: jusText's classes with the constants of C4Corpus."""

import pytest
from selectolax.lexbor import LexborHTMLParser

from corpulyzer.extract import extract
from corpulyzer.extract.justext import JusText, frequent_words
from corpulyzer.extract.walk import blocks_of

STOP = frozenset({"s"})


def words(length, share, total=100):
    """Text of `length` characters in which `share` of the words are stop words."""
    stops = round(share * total)
    body = " ".join(["s"] * stops + ["x"] * (total - stops))
    return body + "y" * (length - len(body)) if length >= len(body) else body


GOOD = words(201, 0.4)


def chosen(html, extractor=None):
    blocks = (extractor or JusText(STOP))(blocks_of(LexborHTMLParser(f"<body>{html}</body>")))
    return [block.text for block in blocks]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (words(201, 0.32), True),  # longer than 200 and 32 % stop words: good by itself
        (words(200, 0.32), False),  # not longer: near-good, and bad without a good neighbour
        (words(201, 0.31), False),  # between 30 and 32 %: near-good
        (words(201, 0.29), False),  # bad
        (words(201, 0.4)[:-1] + "©", False),
    ],
)
def test_long_text_with_stop_words_is_good_by_itself_c4_5(text, kept):
    assert chosen(f"<p>{text}</p>") == ([text] if kept else [])


@pytest.mark.parametrize(("text", "kept"), [(words(201, 0.30), True), (words(201, 0.29), False)])
def test_near_good_text_beside_good_text_is_good_c4_5(text, kept):
    assert (text in chosen(f"<p>{GOOD}</p><p>{text}</p>")) is kept


@pytest.mark.parametrize(("linked", "kept"), [(50, True), (51, False)])
def test_more_than_a_fifth_in_links_is_bad_c4_5(linked, kept):
    text = words(250, 0.4)
    html = f"<p><a href=/>{text[-linked:]}</a> {text[: 249 - linked]}</p>"
    assert bool(chosen(html)) is kept


@pytest.mark.parametrize(("length", "kept"), [(69, True), (70, False)])
def test_text_below_70_characters_is_short_and_follows_its_neighbours_c4_5(length, kept):
    text = "y" * length  # no stop words: bad if it is long enough to tell
    assert (text in chosen(f"<p>{GOOD}</p><p>{text}</p><p>{GOOD}</p>")) is kept


def test_short_text_with_a_link_is_bad_even_between_good_texts_c4_5():
    html = f"<p>{GOOD}</p><p>some more words of text, <a href=/>a</a></p><p>{GOOD}</p>"
    assert chosen(html) == [GOOD, GOOD]


def test_short_text_between_good_and_bad_is_good_only_beside_near_good_c4_5():
    near = words(201, 0.31)
    assert chosen(f"<p>{GOOD}</p><p>short</p>") == [GOOD]
    assert chosen(f"<p>{GOOD}</p><p>short</p><p>{near}</p>") == [GOOD, "short", near]


@pytest.mark.parametrize(("between", "kept"), [(200, True), (201, False)])
def test_a_heading_at_most_200_characters_before_good_text_is_kept_c4_5(between, kept):
    html = f"<h2>Title</h2><p>{'y' * between}</p><p>{GOOD}</p>"
    assert ("Title" in chosen(html)) is kept
    assert "Title" not in chosen(html.replace("h2", "p"))


def test_stop_words_come_from_the_page_where_none_are_given():
    sentence = (
        "Inkosi yathi kubantu bayo mabaze kuye ngoko nangoko kuba inkosi yathi ifuna ukuthetha nabo bonke. "
    )
    menu = "".join(
        f"<li>Igama{i} elahlukileyo{i} nelinye{i} lesithathu{i} nelesine{i} nelesihlanu{i}</li>"
        for i in range(9)
    )
    assert chosen(f"<p>{sentence * 5}</p><p>{sentence * 4}</p><ul>{menu}</ul>", JusText()) == [
        (sentence * 5).strip(),
        (sentence * 4).strip(),
    ]


def test_frequent_words_are_the_fewest_that_cover_the_share():
    assert frequent_words(["a a a b b c"], share=0.5) == {"a"}
    assert frequent_words(["a a a b b c"], share=0.6) == {"a", "b"}
    assert frequent_words([]) == frozenset()


def test_lines_of_one_paragraph_are_judged_together():
    half = words(0, 0.4, total=60)
    assert chosen(f"<p>{half}<br>{half}</p>") == [half, half]
    assert chosen(f"<p>{half}</p>") == []


def test_it_is_in_the_table_of_extractors():
    assert extract(b"", extractor="justext").reason == "empty"
