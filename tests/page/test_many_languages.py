"""Pages of several languages in one corpus: each is judged by its own."""

from dataclasses import replace

import pytest

from corpulyzer.corpus.settings.config import merge
from corpulyzer.page.document import document_of
from corpulyzer.page.pipeline import fingerprints, judged_without, pipeline
from corpulyzer.records import Fetch, Page

HRV = "Stanovnici sela okupili su se u subotu kako bi zajedno obnovili stari mlin na potoku. "
SLV = "Prebivalci vasi so se v soboto zbrali, da bi skupaj obnovili stari mlin ob potoku. "
ENG = "The people of the village came together on Saturday to repair the old mill by the brook. "
FETCH = Fetch(
    id=7, url_id=7, url="https://a.example/1", site="a.example", round=0, archive="", offset=0, length=0
)
SEVERAL = '[corpus]\nlanguages = ["hrv", "slv"]\n[extract]\nmethod = "full_text"\n'


def config(text=SEVERAL):
    return merge(text, "x.toml", {}, {})[0]


def document(settings, *paragraphs):
    body = "".join(f"<p>{text}</p>" for text in paragraphs).encode()
    return document_of(pipeline(settings)(Page(FETCH.url, body=body, fetch=FETCH, mime="text/html")))


def size(text):
    return len(text.strip().encode())


def test_a_document_is_in_the_language_of_the_set_with_most_bytes():
    found = document(config(), ENG * 12, HRV * 4, SLV * 9)
    assert (found.language, found.verdict.kept) == ("slv", True)
    assert found.target_bytes == found.languages["slv"] > found.languages["hrv"] > 0
    assert found.target_characters == pytest.approx(found.target_bytes, rel=0.02), "it has few accents"


def test_a_document_with_none_of_them_is_dropped_and_says_what_it_is_in():
    found = document(config(), ENG * 12)
    assert (found.verdict.kept, found.verdict.reason, found.verdict.detail) == (
        False,
        "other_language",
        "eng",
    )
    assert (found.language, found.target_bytes) == ("eng", 0)
    assert document(config(SEVERAL.replace('"hrv", "slv"', '"all"')), ENG * 12).verdict.kept


def test_a_page_is_judged_by_the_filters_of_its_own_language():
    settings = config(SEVERAL + "[language.slv]\nfilter.length.min_words = 1000\n")
    assert document(settings, HRV * 9).verdict.kept
    dropped = document(settings, SLV * 9).verdict
    assert (dropped.reason, dropped.facts["wanted"]) == ("length", 1000)


def test_sentences_are_counted_of_the_documents_own_language():
    settings = config(SEVERAL + '[language.slv]\nfilter.document = ["sentences"]\n')
    scores = document(settings, HRV * 4, SLV * 9).scores
    assert (scores["sentences"], scores["target_sentences"]) == (13, 9)
    assert document(settings, HRV * 9).scores == {}, "this language does not judge by them"


def test_kept_paragraphs_are_those_of_the_documents_own_language():
    found = document(config(SEVERAL + '[identify]\nkeep = "target"\n'), HRV * 4, SLV * 9, ENG * 12)
    assert (found.language, found.text) == ("slv", (SLV * 9).strip())


def test_a_confidence_of_a_languages_own_holds_for_its_answers_alone():
    sure = config(SEVERAL + "[language.slv]\nidentify.min_confidence = 1.0\n")
    found = document(sure, HRV * 9, SLV * 9)
    assert found.languages.keys() == {"hrv", "und"}
    assert document(config(), HRV * 9, SLV * 9).languages.keys() == {"hrv", "slv"}


def test_what_is_left_without_repeated_paragraphs_may_be_in_another_language():
    settings = config()
    whole = document(settings, HRV * 11, SLV * 9)
    assert whole.language == "hrv"
    left = judged_without(whole, {0}, settings)
    assert (left.language, left.verdict.kept, left.target_bytes) == ("slv", True, size(SLV * 9))


@pytest.mark.parametrize("paragraphs", [(ENG * 12,), (ENG * 12, HRV * 4, SLV * 9), (SLV * 2,), ()])
def test_a_set_of_one_is_a_corpus_of_that_language(paragraphs):
    one, alone = (config(SEVERAL.replace('languages = ["hrv", "slv"]', key)) for key in
                  ('languages = ["hrv"]', 'language = "hrv"'))  # fmt: skip
    assert fingerprints(one) == fingerprints(alone)
    found = document(one, *paragraphs)
    assert found == document(alone, *paragraphs)
    sizes = {code: count for code, count in found.languages.items() if code != "und"}
    most = min(sizes, key=lambda code: (-sizes[code], code), default="und")
    assert (found.language, found.target_bytes) == (most, found.languages.get("hrv", 0))
    assert found.verdict.reason in ("content_size", "length", "no_text", "")


MENU = "<nav><ul><li><a href=/a>Naslovnica</a></li><li><a href=/b>Kontakt</a></li></ul></nav>"
OWN = '[language.slv]\nextract.method = "default"\n'


def read(settings, html):
    return document_of(pipeline(settings)(Page(FETCH.url, body=html.encode(), fetch=FETCH, mime="text/html")))


@pytest.mark.parametrize("own", [OWN, '[language.slv]\nextract.kinds = "tags"\n'])
def test_a_page_is_read_again_in_the_way_of_its_language(own):
    settings, alone = config(SEVERAL + own), config(SEVERAL).of_language("slv")
    text = {
        code: f"{MENU}<article><h2>X</h2>"
        + "".join(f"<p>{each * 9} {n}</p>" for n in range(5))
        + "</article>"
        for code, each in (("hrv", HRV), ("slv", SLV))
    }
    as_asked = replace(alone, extract=settings.by_language[0].extract)
    found = read(settings, text["slv"])
    usual = read(config(), text["slv"])
    assert found != usual and found.verdict.kept
    other = read(replace(as_asked, corpus=config().corpus), text["slv"])
    assert found == other, "as if the corpus had these settings"
    assert read(settings, text["hrv"]) == read(config(), text["hrv"]), "the other language is read once"


def test_a_second_reading_that_finds_nothing_is_the_document():
    settings = config(SEVERAL + '[language.slv]\nextract.method = "justext"\n')
    found = read(settings, f"<ul><li><a href=/x>{SLV}</a></li></ul>")
    assert (found.text, found.verdict.reason) == ("", "no_text")


def test_the_language_that_a_second_reading_finds_judges_the_document():
    settings = config(SEVERAL + OWN)
    menu = "".join(f"<li><a href=/{n}>{SLV}</a></li>" for n in range(40))
    html = f"<nav><ul>{menu}</ul></nav><article>" + f"<p>{HRV * 6}</p>" * 5 + "</article>"
    assert read(config(), html).language == "slv"
    found = read(settings, html)
    assert (found.language, found.verdict.kept, "slv" in found.languages) == ("hrv", True, False)


def test_a_way_of_its_own_to_find_text_counts_in_the_fingerprint_of_what_is_extracted():
    several, own = fingerprints(config()), fingerprints(config(SEVERAL + OWN))
    assert own["extract"] != several["extract"]
    surer = fingerprints(config(SEVERAL + OWN + "[language.hrv]\nidentify.min_confidence = 0.9\n"))
    assert surer["extract"] != own["extract"], "the language decides how a page is read"
    same = fingerprints(config(SEVERAL + '[language.slv]\nextract.method = "full_text"\n'))
    assert same == several


def test_tables_of_languages_count_in_fingerprints():
    several = fingerprints(config())
    strict = fingerprints(config(SEVERAL + "[language.slv]\nfilter.length.min_words = 9\n"))
    assert strict["filter"] != several["filter"]
    assert (strict["extract"], strict["identify"]) == (several["extract"], several["identify"])
    surer = fingerprints(config(SEVERAL + "[language.slv]\nidentify.min_confidence = 0.9\n"))
    assert surer["identify"] != several["identify"]
