"""Filters: each drops what its rule says, and says why."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpulyzer.errors import UserError
from corpulyzer.page.filter import Filters, judge
from corpulyzer.page.filter.content_size import CANDIDATES, ContentSize, largest_keeping
from corpulyzer.page.filter.hosts import Hosts
from corpulyzer.page.filter.language import LanguageShare, Sentences
from corpulyzer.page.filter.machine_translation import MachineTranslation
from corpulyzer.page.filter.prose import Prose, Repetition
from corpulyzer.page.filter.quality import Encoding, Length, Punctuation, broken_characters
from corpulyzer.page.filter.received import Mime, RawSize
from corpulyzer.records import KEEP, Page, drop

URL = "https://a.pk/"


def test_a_short_page_is_dropped_and_says_why_cz_6():
    verdict = ContentSize(min_bytes=256)(Page(URL, target_bytes=255))
    assert not verdict.kept
    assert (verdict.reason, verdict.facts) == ("content_size", {"found": 255, "wanted": 256})
    assert ContentSize(min_bytes=256)(Page(URL, target_bytes=256)) == KEEP


def test_content_size_can_count_characters():
    page = Page(URL, target_bytes=300, target_characters=150)
    assert ContentSize(min_bytes=200)(page).kept
    assert not ContentSize(min_bytes=200, unit="characters")(page).kept


def choose_threshold(sizes, candidates=CANDIDATES):
    kept = {least: sum(size for size in sizes if size >= least) for least in candidates}
    return largest_keeping(kept, sum(sizes))


def test_the_threshold_is_the_largest_that_keeps_95_percent_of_the_bytes_cz_6():
    assert choose_threshold([10, 40, 300, 3000]) == 256
    assert choose_threshold([512] * 10) == 512
    assert choose_threshold([100] * 10) == 64
    assert choose_threshold([5] * 10) == 0
    assert choose_threshold([]) == 512, "nothing to lose"


def test_exactly_95_percent_is_enough():
    assert choose_threshold([50, 950], candidates=(32, 64)) == 64
    assert choose_threshold([51, 949], candidates=(32, 64)) == 32


def test_the_printed_table_of_corpulyzer_gives_256_cz_31():
    printed = {0: 607.0, 32: 604.64, 64: 604.04, 128: 601.64, 256: 586.41, 512: 572.0}
    assert largest_keeping(printed, 607.0) == 256


def test_a_rich_page_has_256_target_bytes_cz_8():
    assert ContentSize().min_bytes == 256


@pytest.mark.parametrize(
    "mime, kept", [("text/html", True), ("application/xhtml+xml", True), ("image/png", False), ("", True)]
)
def test_only_pages_that_can_be_text_are_accepted_hr_3_c4_1(mime, kept):
    assert Mime()(Page(URL, mime=mime)).kept is kept


def test_a_refused_content_type_is_named():
    assert Mime()(Page(URL, mime="image/png")).detail == "image/png"


@pytest.mark.parametrize("size, kept", [(49_999, False), (50_000, True), (500_000, True), (500_001, False)])
def test_hrwac_takes_pages_of_50_to_500_kilobytes_hr_3(size, kept):
    assert RawSize(min_bytes=50_000, max_bytes=500_000)(Page(URL, body=b"x" * size)).kept is kept


def test_without_bounds_every_size_is_accepted():
    assert RawSize()(Page(URL, body=b"")).kept
    assert RawSize()(Page(URL, body=b"x" * 10_000_000)).kept


def sentences(target, total):
    return Page(URL, scores={"sentences": total, "target_sentences": target})


@pytest.mark.parametrize(
    "target, total, paper, code",
    [
        (6, 100, True, True),
        (5, 100, False, True),
        (4, 100, False, False),
        (2, 5, False, True),
        (3, 7, True, True),
        (0, 0, False, False),
    ],
)
def test_more_than_five_sentences_or_forty_percent_xh_4(target, total, paper, code):
    assert Sentences()(sentences(target, total)).kept is paper
    assert Sentences(inclusive=True)(sentences(target, total)).kept is code


def test_language_share_is_target_bytes_of_the_bytes_of_all_languages_cz_27():
    """Line breaks are ours: a hundred lines of one letter, half of them in the language, are half of it."""
    page = Page(URL, text="\n".join("x" * 100), languages={"urd": 50, "eng": 30, "und": 20}, target_bytes=50)
    assert LanguageShare(0.5)(page).kept
    assert LanguageShare(0.51)(page).facts == {"found": 0.5, "wanted": 0.51}
    assert not LanguageShare(0.1)(Page(URL)).kept


def test_a_text_of_sixty_words_is_long_enough_hr_9():
    assert Length(60)(Page(URL, text="riječ " * 60)).kept
    assert Length(60)(Page(URL, text="riječ " * 59)).facts == {"found": 59, "wanted": 60}


def test_words_with_combining_marks_count_once():
    assert Length(2)(Page(URL, text="हिन्दी वाक्य")).kept
    assert not Length(3)(Page(URL, text="हिन्दी वाक्य")).kept


@pytest.mark.parametrize(
    "text", ["sadrÅ¾aj i joÅ¡", "Ø§Ø±Ø¯Ùˆ Ø²Ø¨Ø§Ù†", "a\ufffdb\ufffdc", "Ð¿Ñ€Ð¸Ð²ÐµÑ‚", "â€œquotedâ€\x9d"]
)
def test_text_from_a_wrong_decoding_is_dropped_hr_9(text):
    assert not Encoding()(Page(URL, text=text)).kept


@pytest.mark.parametrize(
    "text", ["sadržaj i još", "اردو زبان", "Âge d’or, À bientôt", "Ärzte Übung ÅNGSTRÖM", "привет"]
)
def test_well_decoded_text_has_no_broken_characters(text):
    assert broken_characters(text) == 0


def test_less_than_one_percent_of_broken_characters_is_tolerated():
    assert Encoding()(Page(URL, text="a" * 100 + "\ufffd")).kept
    assert not Encoding()(Page(URL, text="a" * 99 + "\ufffd")).kept


@given(st.integers(0, 40), st.lists(st.sampled_from(["â€™", "Ã©", "\ufffd", "à", "Â", " "]), max_size=6))
def test_a_quick_look_at_broken_characters_decides_nothing_else(letters, pieces):
    text = "a" * letters * 10 + "".join(pieces)
    visible = len(text.replace(" ", ""))
    broken = broken_characters(text) / visible if visible else 0
    assert Encoding()(Page(URL, text=text)).kept == (broken < 0.01)


def test_too_much_punctuation_is_dropped_hr_9():
    assert Punctuation()(Page(URL, text="abc. abc, ")).kept
    assert Punctuation(0.25)(Page(URL, text="aaa.")).kept, "exactly a quarter"
    assert not Punctuation(0.25)(Page(URL, text="aa.!")).kept
    assert not Punctuation(0.25)(Page(URL, text="ہے۔؟،")).kept, "in any script"


def test_a_blocked_name_matches_the_host_and_all_below_it_xh_2():
    hosts = Hosts(block=("xh.eturbonews.com", "wikipedia.org"))
    assert not hosts(Page("https://xh.eturbonews.com/a")).kept, "an entry with a sub-domain must match"
    assert not hosts(Page("https://xh.wikipedia.org/")).kept
    assert hosts(Page("https://eturbonews.com/")).kept
    assert hosts(Page("https://notwikipedia.org/")).kept


def test_an_allow_list_limits_the_corpus():
    hosts = Hosts(allow=("hr",))
    assert hosts(Page("https://a.hr/")).kept
    assert "not on the allow list" in hosts(Page("https://a.si/")).detail


def test_the_first_filter_that_drops_gives_the_verdict():
    chain = (Mime(), ContentSize())
    assert judge(Page(URL, mime="image/png"), chain).reason == "mime"
    assert judge(Page(URL, mime="text/html"), chain).reason == "content_size"
    assert judge(Page(URL, mime="text/html", target_bytes=999), chain) == KEEP


def test_an_unknown_filter_lists_those_there_are():
    with pytest.raises(UserError) as caught:
        Filters().chain(("contentsize",))
    assert "content_size" in caught.value.hint


def test_what_people_said_of_a_site_goes_before_fingerprints_xh_27():
    by_hand = MachineTranslation(sites=("made.example",), not_sites=("human.made.example",))
    page = Page("https://xh.made.example/1")
    assert by_hand(page) == drop("machine_translation", "people said so of made.example")
    assert not by_hand.follows(page)
    own = Page("https://human.made.example/", machine_translation="gtranslate_comment")
    assert by_hand(own) == KEEP and by_hand.follows(own), "the nearest domain decides"
    other = Page(URL, machine_translation="gtranslate_comment")
    assert by_hand(other) == drop("machine_translation", "gtranslate_comment")
    assert by_hand(Page(URL)) == KEEP


def test_a_text_that_says_the_same_again_is_repetitive():
    line = "one two three four five six"
    page = Page(URL, text="\n".join((line, line, "seven eight nine ten")))
    verdict = Repetition(max_share=0.1)(page)
    # Sixteen words are twelve runs of five; the two runs of the line are said twice.
    assert (verdict.reason, verdict.facts) == ("repetition", {"found": 2 / 12, "wanted": 0.1})
    assert Repetition(max_share=2 / 12)(page) == KEEP
    assert Repetition(max_share=0)(Page(URL, text="one two")) == KEEP


def test_a_menu_is_no_prose_in_any_script():
    menu, said = "Home\nAbout us\nContact", "یہ ایک جملہ ہے۔\nHe said: “So it is.”"
    assert Prose(min_share=0.99)(Page(URL, text=said)) == KEEP
    verdict = Prose(min_share=0.5)(Page(URL, text=menu))
    assert (verdict.reason, verdict.facts) == ("prose", {"found": 0.0, "wanted": 0.5})
    assert Prose(min_share=0)(Page(URL, text="ข้อความไทย")) == KEEP
