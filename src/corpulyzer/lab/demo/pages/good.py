"""Pages that belong in a corpus of the target language, and their neighbours in other languages."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import replace

from corpulyzer.lab.demo.pages import layouts
from corpulyzer.lab.demo.pages.desk import ARABIC_SUBSTITUTES, HOSTS, LEGACY, Desk, Sample, dropped
from corpulyzer.lab.demo.pages.marks import license_marks
from corpulyzer.lab.demo.prose import Article, Prose

PAGES_PER_RICH_SITE = 14
PAGES_PER_OTHER_SITE = 5
DECLARED = ("header", "meta", "nowhere", "wrongly")

# The layouts of a language's five sites, page by page in turn.
SITE_LAYOUTS: tuple[tuple[layouts.Layout, ...], ...] = (
    (layouts.news,),
    (layouts.blog,),
    (layouts.forum,),
    (layouts.encyclopedia,),
    (layouts.tables, layouts.line_breaks, layouts.div_soup),
)


def rich(desk: Desk) -> Iterator[Sample]:
    """Five sites written in the target language, each with its layout and its front page."""
    for host, choices in zip(HOSTS[desk.target], SITE_LAYOUTS, strict=True):
        yield front_page(desk, host, desk.target)
        for i in range(PAGES_PER_RICH_SITE):
            url = f"https://{host}/{desk.prose.code}/{2019 + i % 6}/{i + 101}.html"
            yield desk.page(url, "rich", choices[i % len(choices)])


def repeated_notice(desk: Desk) -> Iterator[Sample]:
    """A site that prints the same paragraph inside the text of each page; it is no part of the truth."""
    host = desk.host("readers")
    for i in range(10):
        url = f"https://{host}/?p={i + 11}"
        article = desk.article(url)
        shown = replace(article, paragraphs=(*article.paragraphs, desk.prose.notice))
        sample = desk.page(url, "repeated_notice", layouts.wordpress, article=shown)
        yield replace(sample, truth=replace(sample.truth, text=article.text))


def other_languages(desk: Desk) -> Iterator[Sample]:
    """Sites in the six other languages, the target's look-alikes among them."""
    for language in desk.others:
        for host, choices in (HOSTS[language][0], SITE_LAYOUTS[0]), (HOSTS[language][4], SITE_LAYOUTS[4]):
            yield front_page(desk, host, language)
            for i in range(PAGES_PER_OTHER_SITE):
                url = f"https://{host}/{Prose(language).code}/{i + 201}.html"
                page = desk.page(url, "other_language", choices[i % len(choices)], language=language)
                yield dropped(page, "language")


def mixed_sites(desk: Desk) -> Iterator[Sample]:
    """Target articles on foreign sites, foreign articles under a target menu, and sites split by path."""
    code = desk.prose.code
    abroad, at_home = f"www.herald-{code}.test", f"menu-only-{code}.test"
    for i in range(6):
        url = f"https://{abroad}/community/{i + 31}.html"
        yield desk.page(url, "foreign_site", site_language=desk.stranger)
        url = f"https://{at_home}/page{i + 41}.html"
        yield dropped(
            desk.page(url, "menu_only", language=desk.stranger, site_language=desk.target), "language"
        )
        yield desk.page(f"https://{desk.host('portal')}/{code}/{i + 51}", "split_site", layouts.wordpress)
        url = f"https://{desk.host('portal')}/{Prose(desk.stranger).code}/{i + 51}"
        yield dropped(desk.page(url, "split_site", layouts.wordpress, language=desk.stranger), "language")


def mixed_paragraphs(desk: Desk) -> Iterator[Sample]:
    """Pages with a foreign paragraph after each of their own: most of the text is in the target."""
    for i in range(3):
        url = f"https://{desk.host('bilingual')}/{i + 61}.html"
        article = desk.article(url, paragraphs=4)
        rng = desk.rng(url, "stranger")
        foreign = [Prose(desk.stranger).paragraph(rng, 2) for _ in article.paragraphs]
        both = [part for pair in zip(article.paragraphs, foreign, strict=True) for part in pair]
        yield desk.page(url, "mixed_paragraphs", article=replace(article, paragraphs=tuple(both)))


def licensed(desk: Desk) -> Iterator[Sample]:
    """Pages under Creative Commons licenses, said in every way that is common."""
    for i, mark in enumerate(license_marks(desk.prose)):
        url = f"https://{desk.host('commons')}/{mark.name}/{i + 71}"
        layout = layouts.ARTICLE_LAYOUTS[i % len(layouts.ARTICLE_LAYOUTS)]
        yield desk.page(url, f"license_{mark.name}", layout, license=mark.license, **mark.places)


def encodings(desk: Desk) -> Iterator[Sample]:
    """Pages in the encodings of their language's past, declared here, there, nowhere or wrongly."""
    for language in dict.fromkeys((desk.target, "hrv", "slv")):
        for charset in LEGACY[language]:
            for declared in DECLARED if language == desk.target else DECLARED[1:2]:
                yield _encoded(desk, language, charset, declared)
    for declared in ("nowhere", "wrongly"):
        yield _encoded(desk, desk.target, "utf-8", declared)
    for charset in ("utf-8", "utf-16le", "utf-16be"):
        yield _encoded(desk, desk.target, charset, "mark")


def front_page(desk: Desk, host: str, language: str) -> Sample:
    """A front page, which has no text of its own."""
    empty = Article(language, Prose(language).navigation[0], "", "", "", ())
    page = desk.page(f"https://{host}/", "home_page", layouts.home_page, article=empty)
    return dropped(page, "no_prose")


def _encoded(desk: Desk, language: str, charset: str, declared: str) -> Sample:
    url = f"http://{desk.host('old')}/{Prose(language).code}/{charset}-{declared}.html"
    article = desk.article(url, language)
    if charset == "windows-1256":
        written = tuple(paragraph.translate(ARABIC_SUBSTITUTES) for paragraph in article.paragraphs)
        article = replace(article, title=article.title.translate(ARABIC_SUBSTITUTES), paragraphs=written)
    said = {"header": charset, "meta": charset, "wrongly": "iso-8859-1"}.get(declared, "")
    html = desk.html(url, article, layouts.tables, charset=said)
    page = desk.page(url, f"charset_{declared}", article=article, charset=charset)
    mark = {"utf-8": codecs.BOM_UTF8, "utf-16le": codecs.BOM_UTF16_LE, "utf-16be": codecs.BOM_UTF16_BE}
    body = html.encode(charset, "xmlcharrefreplace")
    sample = replace(
        page,
        body=mark[charset] + body if declared == "mark" else body,
        content_type=f"text/html; charset={said}" if declared in ("header", "wrongly") else "text/html",
    )
    return sample if language == desk.target else dropped(sample, "language")
