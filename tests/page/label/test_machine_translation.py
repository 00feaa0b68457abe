"""Fingerprints of machine translation (XH-5 and after)."""

import pytest

from corpulyzer.page.filter.machine_translation import MachineTranslation
from corpulyzer.page.label.machine_translation import SERVICE_LANGUAGES, machine_translation
from corpulyzer.records import Link, Page


def fingerprint(html="", url="https://a.example/", links=()):
    return machine_translation(Page(url, decoded=html, links=tuple(links))).machine_translation


def alternates(codes):
    return [
        Link(f"https://a.example/{code}/", rel="alternate", hreflang=code, element="link") for code in codes
    ]


@pytest.mark.parametrize(
    "html, name",
    [
        ("<!-- delivered by GTranslate v3 --><p>x", "gtranslate_comment"),
        ('<link rel="alternate machine-translated-from" hreflang=en href="/en">', "machine_translated_from"),
        ('<meta name="translation-stats" content="{}">', "transposh_stats"),
        ('<script src="https://tdns2.gtranslate.net/x.js"></script>', "gtranslate_delivery"),
        ('<style id="gtranslate-style-css"></style>', "gtranslate_style"),
        ('<li class="widget widget_gtranslate">', "gtranslate_widget"),
        ('<html lang=xh class="translated-ltr"><p>x', "translation_proxy"),
    ],
)
def test_each_fingerprint_is_known(html, name):
    assert fingerprint(html) == name


def test_a_page_made_by_people_has_none():
    assert fingerprint("<p>We wrote about GTranslate and translation-stats today.</p>") == ""


def test_an_hreflang_set_that_no_human_site_has():
    assert fingerprint(links=alternates(sorted(SERVICE_LANGUAGES)[:31])) == "hreflang_set"
    assert fingerprint(links=alternates(sorted(SERVICE_LANGUAGES)[:30])) == ""


def test_a_site_that_people_translate_into_hundreds_of_languages_is_not_one():
    own = [f"q{a}{b}" for a in "abcdef" for b in "abcdef"]
    assert fingerprint(links=alternates([*sorted(SERVICE_LANGUAGES), *own])) == ""


def test_regions_of_one_language_count_once():
    assert fingerprint(links=alternates([f"en-{a}{b}" for a in "abcdef" for b in "abcdef"])) == ""


def test_the_three_policies_of_xh_5():
    page = Page("https://a.example/", machine_translation="gtranslate_comment")
    verdict = MachineTranslation("drop")(page)
    assert (verdict.kept, verdict.reason, verdict.detail) == (
        False,
        "machine_translation",
        "gtranslate_comment",
    )
    assert MachineTranslation("keep")(page).kept
    assert MachineTranslation("keep_no_links")(page).kept
    followed = {
        policy: MachineTranslation(policy).follows(page) for policy in ("drop", "keep", "keep_no_links")
    }
    assert followed == {"drop": False, "keep": True, "keep_no_links": False}
    assert MachineTranslation("drop").follows(Page("https://a.example/")), "a page made by people"


def test_the_paper_knew_one_fingerprint_only():
    only = MachineTranslation("drop", fingerprints=("gtranslate_comment",))
    assert only(Page("https://a.example/", machine_translation="hreflang_set")).kept
    assert not only(Page("https://a.example/", machine_translation="gtranslate_comment")).kept
