"""Fingerprints of pages that a machine translated.

The isiXhosa crawler knew one, GTranslate's comment (XH-5); the others were collected by people who build
corpora of small languages.
"""

from __future__ import annotations

from collections.abc import Callable

import regex

from corpulyzer.native.scan import has_any
from corpulyzer.records import Link, Page
from corpulyzer.records.changed import changed

MOST_LANGUAGES_BY_HAND = 30
SHARE_OF_SERVICE = 0.95

_HREFLANG = Link._fields.index("hreflang")

# The languages of the large translation service, as its widgets write them. Sites in more than thirty
# languages that are nearly all among these are made by it; those that people translate have others too.
SERVICE_LANGUAGES = frozenset(
    """
    af sq am ar hy as ay az bm eu be bn bho bs bg ca ceb ny zh co hr cs da dv doi nl en eo et ee tl fil fi
    fr fy gl ka de el gn gu ht ha haw he iw hi hmn hu is ig ilo id ga it ja jv jw kn kk km rw gom ko kri ku
    ckb ky lo la lv ln lt lg lb mk mai mg ms ml mt mi mr mni lus mn my ne no nb nn or om ps fa pl pt pa qu
    ro ru sm sa gd nso sr st sn sd si sk sl so es su sw sv tg ta tt te th ti ts tr tk ak uk ur ug uz vi cy
    xh yi yo zu
    """.split()
)

_COMMENT = regex.compile(r"<!--\s*delivered by GTranslate", regex.I)
_ALTERNATE = regex.compile(r"rel\s*=\s*[\"']?[^\"'>]*\bmachine-translated-from\b", regex.I)
_TRANSPOSH = regex.compile(r"<meta\b[^>]*\bname\s*=\s*[\"']?translation-stats\b", regex.I)
_DELIVERY = regex.compile(r"\btdns?\d*\.gtranslate\.net\b", regex.I)
_PROXY = regex.compile(r"<html\b[^>]*\bclass\s*=\s*[\"'][^\"']*\btranslated-(?:ltr|rtl)\b", regex.I)


def hreflang_languages(page: Page) -> set[str]:
    """The languages in which a page says that it exists, without regions and scripts."""
    # Hundreds of links are looked at for the few that name a language: by its place that takes a quarter.
    with_language = [link for link in page.links if link[_HREFLANG]]
    codes = {link.hreflang.lower() for link in with_language if "alternate" in link.rel.split()}
    return {code.partition("-")[0] for code in codes} - {"x"}


def translated_by_service(page: Page) -> bool:
    """More languages than people translate into, nearly all of them the service's."""
    languages = hreflang_languages(page)
    served = len(languages & SERVICE_LANGUAGES)
    return len(languages) > MOST_LANGUAGES_BY_HAND and served >= SHARE_OF_SERVICE * len(languages)


FINGERPRINTS: dict[str, Callable[[Page, str], object]] = {
    "gtranslate_comment": lambda _, html: "GTranslate" in html and _COMMENT.search(html),
    "machine_translated_from": lambda _, html: "machine-translated" in html and _ALTERNATE.search(html),
    "transposh_stats": lambda _, html: "translation-stats" in html and _TRANSPOSH.search(html),
    "gtranslate_delivery": lambda _, html: "gtranslate.net" in html and _DELIVERY.search(html),
    "gtranslate_style": lambda _, html: "gtranslate-style-css" in html,
    "gtranslate_widget": lambda _, html: "widget_gtranslate" in html,
    "translation_proxy": lambda page, _: ".translate.goog/" in page.url or _PROXY.search(_beginning(page)),
    "hreflang_set": lambda page, _: translated_by_service(page),
}
"""The fingerprints: functions of a page and its markup."""


def _beginning(page: Page) -> str:
    """The first two thousand characters of a page's markup."""
    return page.utf8[:8_000].decode("utf-8", "replace")[:2_000]


# Every fingerprint in the markup contains one of these, but for the proxy's.
_MARKS = (b"translation-stats", b"machine-translated", b"GTranslate", b"gtranslate")


def machine_translation(page: Page) -> Page:
    """The page with the first fingerprint of machine translation that it carries, if any."""
    names = _possible(page)
    html = page.html if len(names) == len(FINGERPRINTS) else ""
    for name in names:
        if FINGERPRINTS[name](page, html):
            return changed(page, machine_translation=name)
    return page


def _possible(page: Page) -> tuple[str, ...]:
    """The fingerprints that a page may have, by a cheap test: eight pages of ten lack "translat"."""
    html = page.utf8
    marked = has_any(html, (b"ranslat",))
    if marked and has_any(html, _MARKS):
        return tuple(FINGERPRINTS)
    return ("translation_proxy", "hreflang_set") if marked or ".translate." in page.url else ("hreflang_set",)
