"""C4-5: jusText's classes with the constants of C4Corpus."""

import statistics

import pytest
import regex
from selectolax.lexbor import LexborHTMLParser

from corpulyzer.errors import UserError
from corpulyzer.lab.evaluate.extraction import read_gold
from corpulyzer.lab.evaluate.text_metrics import shingle
from corpulyzer.page.extract import extract, extractor_named
from corpulyzer.page.extract.published.justext import JusText, frequent_words, read_stop_words
from corpulyzer.page.extract.published.justext_paragraphs import paragraphs_of
from corpulyzer.page.extract.walk import blocks_of

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


def test_without_stop_words_length_and_links_decide_c4_5():
    long, near, short = "y" * 201, "y" * 200, "y" * 69
    assert chosen(f"<p>{long}</p>", JusText()) == [long]
    assert chosen(f"<p>{near}</p>", JusText()) == []
    assert chosen(f"<p>{near}</p><p>{short}</p><p>{long}</p>", JusText()) == [near, short, long]
    assert chosen(f"<p><a href=/>{long}</a></p>", JusText()) == []


def test_no_words_of_an_agglutinative_language_are_lost_without_a_list_c4_5():
    """isiXhosa, of which hardly a word comes back: the words of the page itself made half of it bad."""
    text = " ".join(f"ngokwenkqubo{chr(97 + i)} yabafundi{chr(97 + i)}" for i in range(20))
    assert chosen(f"<p>{text}</p><p>{text[::-1]}</p>", JusText()) == [text, text[::-1]]


def test_a_file_of_stop_words_makes_the_thresholds_those_of_c4corpus(tmp_path):
    (tmp_path / "words.txt").write_text("S\n\nna\n", "utf-8")
    assert read_stop_words(str(tmp_path / "words.txt")) == {"s", "na"}
    listed = extractor_named("justext", str(tmp_path / "words.txt"))
    good, bad = words(201, 0.32), words(201, 0.29)
    assert chosen(f"<p>{good}</p>", listed) == [good] and chosen(f"<p>{bad}</p>", listed) == []
    assert chosen(f"<p>{bad}</p>", extractor_named("justext")) == [bad]


def test_a_file_of_stop_words_that_is_not_there_is_named(tmp_path):
    with pytest.raises(UserError, match=r"none\.txt"):
        extractor_named("justext", str(tmp_path / "none.txt"))


def test_frequent_words_are_the_fewest_that_cover_the_share():
    assert frequent_words(["a a a b b c"], share=0.5) == {"a"}
    assert frequent_words(["a a a b b c"], share=0.6) == {"a", "b"}
    assert frequent_words([]) == frozenset()
    # Of ten running words na and i make up five; the numbers, the most frequent of all, are no words.
    assert frequent_words(["na 1990 na 1990 na 1990 i 1990 i 12"], share=0.5) == {"na", "i"}
    assert frequent_words(["mp3 mp3 2e ۵ na"], share=0.2) == {"na"}


def test_lines_of_one_paragraph_are_judged_together():
    half = words(0, 0.4, total=60)
    assert chosen(f"<p>{half}<br>{half}</p>") == [f"{half} {half}"]
    assert chosen(f"<p>{half}<br/><br/>{half}</p>") == []
    assert chosen(f"<p>{half}</p>") == []


def test_paragraphs_are_those_of_the_package():
    html = "<title>t</title><body>a<section>b</section> <form>c</form><h2>d <i>e</i></h2><select>f</select>g<br><br>h"
    found = [(p.text, p.is_heading, p.tag) for p in paragraphs_of(html)]
    assert found == [("a b c", False, "p"), ("d e", True, "h2"), ("g", False, "p"), ("h", False, "p")]


def test_it_is_in_the_table_of_extractors():
    assert extract(b"", extractor="justext").reason == "empty"


# Mean F1 of shingles against the package, without a list and with that of the language. Of the 68 pages of
# CleanEval one (458) comes out empty here and has 2,533 characters in the package: a defect of ours.
SAMPLES = {
    "cleaneval": (0.97, 0.97, "English"),
    "daniel_el": (0.98, 0.98, "Greek"),
    "daniel_pl": (0.98, 0.98, "Polish"),
}
SETS = (
    *SAMPLES,
    "cleanportaleval",
    "dragnet",
    "l3s_gn1",
    "scrapinghub",
    "trafilatura_eval",
    "wcxb_dev",
    "wcxb_more",
)


def against_the_package(pages, stop_words):
    """F1 of each page that the package can read."""
    package = pytest.importorskip("justext")
    ours = JusText(stop_words)
    low, high = (0.30, 0.32) if stop_words else (0.0, 0.0)
    for page in pages:
        html = page.html.decode("utf-8", "replace")
        try:
            theirs = package.justext(html, stop_words, stopwords_low=low, stopwords_high=high)
        except ValueError:  # control characters, which lxml refuses
            continue
        wanted = "\n".join(paragraph.text for paragraph in theirs if not paragraph.is_boilerplate)
        found = "\n".join(block.text for block in ours(blocks_of(LexborHTMLParser(html))))
        yield shingle(wanted, found).f1


@pytest.mark.parametrize("name", SAMPLES)
def test_the_text_is_that_of_the_package_with_the_same_list_and_with_none_c4_5(name, shared_data):
    pages = read_gold(shared_data(f"extraction/{name}.tar.gz"))[::10]
    without, listed, language = SAMPLES[name]
    stop_words = pytest.importorskip("justext").get_stoplist(language)
    assert statistics.fmean(against_the_package(pages, frozenset())) >= without
    assert statistics.fmean(against_the_package(pages, stop_words)) >= listed


@pytest.mark.endurance
def test_the_text_is_that_of_the_package_over_all_shared_pages_c4_5(shared_data, scale):
    pages = [page for name in SETS for page in read_gold(shared_data(f"extraction/{name}.tar.gz"))]
    pages = pages[:: scale(100, 20, 1)]
    assert statistics.fmean(against_the_package(pages, frozenset())) >= 0.98


@pytest.mark.parametrize("name", ["164", "369", "458"])
def test_pages_of_which_the_package_gives_nothing_but_the_source_of_frames_are_empty(shared_data, name):
    """The only pages of CleanEval with text in the package alone: it reads what stands in `<iframe>` as text."""
    package = pytest.importorskip("justext")
    page = (shared_data("extraction/cleaneval.tar.gz") / "html" / f"{name}.html").read_bytes()

    def theirs(html):
        found = package.justext(html, frozenset(), stopwords_low=0, stopwords_high=0)
        return [paragraph for paragraph in found if paragraph.class_type == "good"]

    assert any(regex.search(r"<\w+ .*http://", paragraph.text) for paragraph in theirs(page))
    unframed = regex.sub(
        rb"<(iframe|noscript)\b.*?</\1\s*>", b"", page, flags=regex.DOTALL | regex.IGNORECASE
    )
    assert theirs(unframed) == [] and extract(page, extractor="justext").text == ""
