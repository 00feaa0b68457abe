"""Layouts show the article whole, and nothing in them is mistaken for it."""

from random import Random

import pytest
import regex
from selectolax.lexbor import LexborHTMLParser

from corpulyzer.lab.demo.pages import layouts
from corpulyzer.lab.demo.pages.frames import make_frame
from corpulyzer.lab.demo.pages.layouts import ARTICLE_LAYOUTS, Layout
from corpulyzer.lab.demo.prose import LANGUAGES, Article, Prose


def rendered(layout: Layout, language: str, site_language: str = "") -> tuple[Article, str]:
    article = Prose(language).article(Random(f"{layout.__name__}/{language}"))
    frame = make_frame(Prose(site_language or language), "www.a.example", Random(3))
    return article, layout(article, frame)


def words(html: str) -> str:
    body = LexborHTMLParser(html).body
    assert body is not None
    return regex.sub(r"\s+", " ", body.text(separator=" "))


@pytest.mark.parametrize("layout", ARTICLE_LAYOUTS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_shows_every_paragraph_once_and_more_besides(layout: Layout, language: str) -> None:
    article, html = rendered(layout, language)
    shown = words(html)
    assert [shown.count(paragraph) for paragraph in article.paragraphs] == [1] * len(article.paragraphs)
    assert len(shown) > len(article.text) + 200


@pytest.mark.parametrize("layout", ARTICLE_LAYOUTS)
def test_text_from_right_to_left_says_so(layout: Layout) -> None:
    assert 'dir="rtl"' in rendered(layout, "urd")[1]
    assert 'dir="rtl"' not in rendered(layout, "hrv")[1]


def test_an_article_on_a_foreign_site_names_its_own_language() -> None:
    _, html = rendered(layouts.news, "urd", "eng")
    assert '<html lang="en" dir="ltr">' in html
    assert '<article class="story" lang="ur" dir="rtl">' in html


@pytest.mark.parametrize("layout", [layouts.home_page, layouts.gallery])
def test_front_pages_and_galleries_have_links_or_captions_and_no_text(layout: Layout) -> None:
    article, html = rendered(layout, "slv")
    assert not any(paragraph in words(html) for paragraph in article.paragraphs)
    assert len(LexborHTMLParser(html).css("a")) >= 12


def test_layouts_differ_in_the_elements_that_hold_the_text() -> None:
    assert "<p>" not in rendered(layouts.line_breaks, "eng")[1].split('id="text"')[1].split("</div>")[0]
    assert "<P align" in rendered(layouts.tables, "eng")[1]
    assert "</P>" not in rendered(layouts.tables, "eng")[1]
    soup = LexborHTMLParser(rendered(layouts.div_soup, "eng")[1])
    assert not soup.css("div p, article, ul, table")
    assert LexborHTMLParser(rendered(layouts.encyclopedia, "eng")[1]).css("table.wikitable td")


def test_markup_in_a_text_is_shown_not_obeyed() -> None:
    article = Article("eng", "A < B", "C & D", "1", "school", ("One <b>bold</b> & two.",))
    frame = make_frame(Prose("eng"), "a.example", Random(1))
    for layout in ARTICLE_LAYOUTS:
        assert "One <b>bold</b> & two." in words(layout(article, frame))
