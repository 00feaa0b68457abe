"""What URLs and anchors say: patterns, stems, languages, scope, traps."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))

from link_rows import clues_of, link

from corpulyzer.corpus.settings.config import Config
from corpulyzer.corpus.settings.tables import CorpusTable
from corpulyzer.jobs.crawl.link_reader import reader_of
from corpulyzer.language import Language
from corpulyzer.web.frontier.clues import OTHER, SCRIPT, TARGET, UNKNOWN, ReadLinks
from corpulyzer.web.frontier.link_words import AnchorReader
from corpulyzer.web.frontier.pattern import LanguageWords, pattern_of, stem_of
from corpulyzer.web.frontier.scope import Scope
from corpulyzer.web.frontier.settings import FrontierSettings
from corpulyzer.web.frontier.state import passages
from corpulyzer.web.frontier.traps import Traps

WORDS = LanguageWords(
    frozenset({"ur", "urd"}), ("urdu", "اردو"), frozenset({"en", "fa"}), frozenset({"english"})
)


@pytest.mark.parametrize(
    "one, other",
    [
        (
            "https://a.pk/news/2024/05/title-of-a-story-1.html",
            "https://a.pk/news/2019/11/another-story-7.html",
        ),
        ("https://a.pk/view?id=12&lang=ur", "https://a.pk/view?id=7&lang=ur"),
        ("https://a.pk/?p=1", "https://a.pk/?p=2222"),
        ("https://a.pk/article-17", "https://a.pk/article-3"),
    ],
)
def test_pages_of_one_template_have_one_pattern(one, other):
    assert pattern_of(one) == pattern_of(other)


@pytest.mark.parametrize(
    "one, other",
    [
        ("https://a.pk/urdu/1.html", "https://a.pk/english/1.html"),
        ("https://a.pk/view?id=1&lang=ur", "https://a.pk/view?id=1&lang=en"),
        ("https://a.pk/story/1", "https://a.pk/print/1"),
        ("https://a.pk/story/1", "https://a.pk/story/1?sort=new"),
    ],
)
def test_sections_languages_and_views_have_patterns_of_their_own(one, other):
    assert pattern_of(one).pattern != pattern_of(other).pattern


def test_views_of_one_page_share_their_stem():
    views = ["story/512.html", "print/512", "story?id=512", "archive/2019/512", "story/512?sort=new"]
    assert {stem_of(f"https://a.pk/{view}") for view in views} == {"512"}
    assert stem_of("https://a.pk/a-long-title") == stem_of("https://a.pk/print/a-long-title") != ""
    assert stem_of("https://a.pk/") == stem_of("https://a.pk/about") == ""


@pytest.mark.parametrize(
    "url, said",
    [
        ("https://a.pk/ur/1", 2),
        ("https://ur.a.pk/1", 2),
        ("https://a.pk/1?lang=ur", 2),
        ("https://a.pk/ur-PK/1", 2),
        ("https://bbc.com/urdu", 2),
        ("https://a.pk/en/1", 1),
        ("https://en.a.pk/1", 1),
        ("https://a.pk/1?hl=fa", 1),
        ("https://a.pk/english/1", 1),
        ("https://a.pk/news/1", 0),
        ("https://a.ur/news", 0),
    ],
)
def test_a_url_says_its_language_by_path_host_or_query(url, said):
    assert WORDS(url) == said


def test_an_anchor_tells_by_script_and_where_it_is_long_enough_by_language():
    urdu = Language.find("urd")
    reader = AnchorReader(frozenset({"urd"}), urdu.ranges, lambda text: "urd" if "ہے" in text else "fas")
    assert reader("Read more") == OTHER
    assert reader("خبریں") == SCRIPT
    assert reader("یہ ایک اردو خبر ہے اور پڑھیں") == TARGET
    assert reader("این یک خبر فارسی است که بخوانید") == OTHER
    assert reader("2024") == UNKNOWN


@pytest.mark.parametrize(
    "scope, url, reason",
    [
        (Scope(), "https://a.pk/x", ""),
        (Scope(), "https://ur.wikipedia.org/wiki/x", "scope: blocked host"),
        (Scope(wikimedia=True), "https://ur.wikipedia.org/wiki/x", ""),
        (Scope(block=("xh.eturbonews.com",)), "https://xh.eturbonews.com/1", "scope: blocked host"),
        (Scope(block=("xh.eturbonews.com",)), "https://eturbonews.com/1", ""),
        (Scope(lists=("isixhosa",)), "https://xh.eturbonews.com/1", "scope: blocked host"),
        (Scope(lists=("isixhosa",)), "https://www.glosbe.com/", "scope: blocked host"),
        (Scope(lists=("isixhosa",)), "https://eturbonews.com/1", ""),
        (Scope(block=("eturbonews.com",)), "https://xh.eturbonews.com/1", "scope: blocked host"),
        (Scope(tlds=("hr",)), "https://a.hr/", ""),
        (Scope(tlds=("hr",)), "https://a.com/", "scope: top-level domain"),
        (Scope(hosts=("bbc.com",)), "https://www.bbc.com/urdu", ""),
        (Scope(hosts=("bbc.com",)), "https://notbbc.com/", "scope: host"),
        (Scope(paths=("/urdu",)), "https://bbc.com/urdu/1", ""),
        (Scope(paths=("/urdu",)), "https://bbc.com/news", "scope: path"),
        (Scope(), "https://a.pk/photo.JPG", "scope: kind of file"),
    ],
)
def test_scope_names_what_is_out_of_bounds(scope, url, reason):
    assert scope(url) == reason


@pytest.mark.parametrize(
    "url, reason",
    [
        ("https://a.pk/news/2024/05/story.html", ""),
        ("https://a.pk/events/2024/05/12", ""),
        ("https://a.pk/calendar/2187/05", "trap: calendar"),
        ("https://a.pk/calendar?month=3&year=1733", "trap: calendar"),
        ("https://a.pk/" + "x/y/" * 4, "trap: repeating segments"),
        ("https://a.pk/b/b/b/b/", "trap: repeating segments"),
        ("https://a.pk/" + "/".join("abcdefghijklmn"), "trap: depth"),
        ("https://a.pk/x?" + "&".join(f"f{n}=1" for n in range(8)), "trap: parameters"),
        ("https://a.pk/x?token=1&sess=4f9c2b7a9d8e1c3b5a6f", "trap: session"),
        ("https://a.pk/" + "a" * 1100, "trap: length"),
    ],
)
def test_traps_are_told_by_their_shape(url, reason):
    assert Traps()(url) == reason


def test_a_url_too_far_from_the_seeds_is_a_trap():
    assert Traps(max_hops=5)("https://a.pk/x", hops=6) == "trap: hops"


def digests(*paragraphs, language="urd"):
    spans, start = [], 0
    for paragraph in paragraphs:
        spans.append({"start": start, "end": start + len(paragraph), "language": language})
        start += len(paragraph) + 1
    return passages("\n".join(paragraphs), spans, "urd")


SENTENCES = [letter * (60 + number) for number, letter in enumerate("abcdefghijkl")]


def test_another_view_of_a_page_has_the_digests_of_the_first_whatever_its_title_and_date():
    plain = digests("A title", *SENTENCES[:6], "12 May 2024")
    assert digests(*SENTENCES[5::-1], "Home » 3 comments") == plain
    assert set(digests("x" * 90, *SENTENCES[:6])) & set(plain) - {0}, "also with a long notice above"


def test_pages_that_repeat_single_sentences_of_others_share_no_digest():
    pages = [digests(*(SENTENCES[(start + step) % 12] for step in (0, 2, 3, 7, 8))) for start in range(12)]
    known = [digest for page in pages for digest in page if digest]
    assert len(known) > 12 and len(set(known)) == len(known)


def test_a_page_without_text_has_no_digests():
    assert digests() == digests("", "12 34") == (0, 0, 0, 0)


XHOSA = """
Abantwana besikolo bafunda iincwadi ezininzi kwithala leencwadi ledolophu yabo.
Amafama avuna umbona nezinye izityalo ngexesha lasehlotyeni kwiindawo zasemaphandleni.
Urhulumente uthembise ukwakha iindlela ezintsha kunye nezikolo kweli phondo.
"""
ENGLISH = """
The children of the school read many books in the library of their town.
Farmers harvest maize and other crops in summer in the villages of the country.
The government has promised to build new roads and schools in this province.
"""


@pytest.mark.parametrize("text, told", [(XHOSA, (0.6, 1)), (ENGLISH, (0, 0))], ids=["isiXhosa", "English"])
def test_most_anchors_of_two_words_are_told_and_no_english_ones_xh_6(text, told):
    """The paper's rule: the most likely language is isiXhosa, with a confidence of one half."""
    config = Config(corpus=CorpusTable(language="xho"), frontier=FrontierSettings("anchor"))
    read = reader_of(config).anchor
    words = [line.split() for line in text.strip().splitlines()]
    anchors = [" ".join(line[place : place + 2]) for line in words for place in range(len(line) - 1)]
    assert told[0] <= sum(read(anchor) == TARGET for anchor in anchors) / len(anchors) <= told[1]


@pytest.mark.parametrize("strategy, frames", [("anchor", 0), ("focus", 3)])
def test_only_what_can_be_clicked_is_a_link_to_the_isixhosa_strategy_xh_6(strategy, frames):
    config = Config(corpus=CorpusTable(language="xho"), frontier=FrontierSettings(strategy))

    def followed(*links):
        return len(clues_of(ReadLinks(reader_of(config)), [link(**each) for each in links]))

    assert followed({"element": "a"}, {"element": "area"}) == 2
    others = {"element": "frame"}, {"element": "iframe"}, {"element": "link", "rel": "alternate"}
    assert followed(*others) == frames
    assert followed({"element": "link", "rel": "stylesheet"}) == 0


@pytest.mark.parametrize("strategy, found", [("anchor", TARGET), ("focus", SCRIPT), ("lrl", SCRIPT)])
def test_only_the_isixhosa_strategy_identifies_anchors_of_a_word_xh_6(strategy, found):
    config = Config(corpus=CorpusTable(language="xho"), frontier=FrontierSettings(strategy))
    read = reader_of(config).anchor
    assert read("Iindaba") == found
    assert read("News") != TARGET
