"""Pages of the built-in web as HTML, sitemaps and feeds as XML; their links are those of `links`."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from html import escape

from corpulyzer.lab.demo.pages import layouts
from corpulyzer.lab.demo.pages.frames import Anchor, Frame, make_frame
from corpulyzer.lab.demo.pages.html_parts import bullets, text
from corpulyzer.lab.demo.pages.layouts import Layout
from corpulyzer.lab.demo.pages.marks import translation_marks
from corpulyzer.lab.demo.prose import Article
from corpulyzer.lab.demo.web.links import PageLinks
from corpulyzer.lab.demo.web.sites import Dice, Place, writer
from corpulyzer.records import Link
from corpulyzer.url import join

# Which of a page's lists of links a layout shows; the others are put beside the text.
SHOWN = {
    "news": ("menu", "related"), "wordpress": ("menu", "related"), "blog": ("related",), "forum": (),
    "encyclopedia": ("menu",), "tables": ("menu",), "line_breaks": ("menu",), "div_soup": ("menu", "related"),
    "home_page": ("menu", "related"),
}  # fmt: skip
LAYOUTS: dict[str, Layout] = {each.__name__: each for each in (*layouts.ARTICLE_LAYOUTS, layouts.home_page)}
MARKS = {mark.name: mark for mark in translation_marks()}


def html_page(dice: Dice, place: Place, article: Article, links: PageLinks) -> str:
    """The page at a place: its article among the links of the page."""
    layout = layout_of(place)
    beside = [*(link for part in ("menu", "related") if part not in SHOWN[layout]
                for link in getattr(links, part)), *links.beside]  # fmt: skip
    mark = MARKS[place.site.mark].places if place.site.mark and place.edition.translated else {}
    frame = replace(
        _site_frame(dice, place.site.number, place.edition.language, place.edition.host),
        site=place.site.name.title(),
        menu=_anchors(links.menu),
        related=_anchors(links.related),
        head="".join(map(_head_link, links.head)) + mark.get("head", ""),
        top=_switch(links.languages) + mark.get("top", ""),
        beside=(bullets(_anchors(beside), "more") if beside else "") + mark.get("beside", ""),
        foot=mark.get("foot", ""),
    )
    return LAYOUTS[layout](article, frame)


def layout_of(place: Place) -> str:
    """The layout of a page: that of its site for articles; a print view is plain, the rest are lists."""
    if place.view in ("article", "tag", "date"):
        return place.site.layout
    return "line_breaks" if place.view == "print" else "home_page"


def shown_links(place: Place, url: str, links: PageLinks, shape: tuple[str, int]) -> tuple[Link, ...]:
    """All links of the page as HTML has them, those that its layout brings along included.

    `shape` is the topic of the article and the number of its paragraphs.
    """
    listed = [*links.head, *links.languages, *links.menu, *links.related, *links.beside]
    listed += _of_layout(place, url, shape)
    if layout_of(place) == "home_page":
        more = writer(place.edition.language).labels["read_more"]
        listed += [Link(link.url, more) for link in links.related]
    if place.site.mark == "machine_translated_from" and place.edition.translated:
        rel, root = "alternate machine-translated-from", f"http://{place.edition.host}"
        listed.append(Link(f"{root}/en/", rel=rel, hreflang="en", element="link"))
    return tuple(dict.fromkeys(listed))


def _of_layout(place: Place, url: str, shape: tuple[str, int]) -> list[Link]:
    """The links that a layout has of its own."""
    topic, paragraphs = shape
    root, labels = f"http://{place.edition.host}", writer(place.edition.language).labels
    name, layout = place.site.name.title(), layout_of(place)
    links = [(f"{root}/", name)] if layout in ("news", "blog", "forum") else []
    if layout == "wordpress":
        return [Link(f"{root}/", name, rel="home"), Link(f"{root}/tag/1", topic, rel="tag")]
    if layout == "encyclopedia":
        links.append(("?action=edit", labels["edit"]))
    if layout == "forum":
        links += [(f"{root}/{page}", labels[page]) for page in ("login", "register")]
        links += [(f"?reply={number}", labels["reply"]) for number in range(paragraphs)]
        links += [("?page=0", labels["previous"]), ("?page=2", labels["next"])]
    return [Link(str(join(url, href)), words) for href, words in links]


def sitemap(links: PageLinks) -> str:
    """A sitemap of these links, with their languages where they are known."""
    entries = []
    for link in links.beside:
        href = escape(link.url)
        alternate = (f'<xhtml:link rel="alternate" hreflang="{link.hreflang}" href="{href}"/>'
                     if link.hreflang else "")  # fmt: skip
        entries.append(f"<url><loc>{href}</loc>{alternate}</url>")
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
        'xmlns:xhtml="http://www.w3.org/1999/xhtml">\n' + "\n".join(entries) + "\n</urlset>\n"
    )


def feed(place: Place, links: PageLinks) -> str:
    """An RSS feed of these links."""
    items = "\n".join(
        f"<item><title>{text(link.anchor)}</title><link>{escape(link.url)}</link></item>"
        for link in links.beside
    )
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel>'
        f"<title>{place.site.name}</title><language>{writer(place.edition.language).code}</language>\n"
        f"{items}\n</channel></rss>\n"
    )


@lru_cache(maxsize=1 << 12)
def _site_frame(dice: Dice, number: int, language: str, host: str) -> Frame:
    """What is the same on all pages of a site: footer, notices, comments."""
    return make_frame(writer(language), host, dice.rng(number, language, "frame"))


def _anchors(links: tuple[Link, ...] | list[Link]) -> tuple[Anchor, ...]:
    return tuple(Anchor(escape(link.url), link.anchor) for link in links)


def _head_link(link: Link) -> str:
    hreflang = f' hreflang="{link.hreflang}"' if link.hreflang else ""
    kind = ' type="application/rss+xml"' if link.element == "feed" else ""
    return f'<link rel="{link.rel}"{kind}{hreflang} href="{escape(link.url)}">\n'


def _switch(links: tuple[Link, ...]) -> str:
    """The list of the page's other languages."""
    if not links:
        return ""
    items = "".join(
        f'<a href="{escape(link.url)}"{f""" hreflang="{link.hreflang}" """ if link.hreflang else ""}>'
        f"{text(link.anchor)}</a> "
        for link in links
    )
    return f'<div class="languages">{items}</div>\n'
