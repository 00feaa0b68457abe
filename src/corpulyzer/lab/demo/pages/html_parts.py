"""Pieces of HTML that layouts are put together from."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from corpulyzer.lab.demo.pages.frames import Anchor, Frame
from corpulyzer.lab.demo.prose import Article, Prose


def document(article: Article, frame: Frame, body: str, head: str = "") -> str:
    """A whole HTML5 document, in the language and direction of its site."""
    return f"""<!DOCTYPE html>
<html lang="{frame.prose.code}" dir="{frame.prose.direction}">
<head>{meta_charset(frame)}
<title>{text(article.title)} - {text(frame.site)}</title>
{head}{frame.head}</head>
<body>
{frame.top}{body}
</body>
</html>
"""


def text(words: str) -> str:
    """Words as the content of an element."""
    return escape(words, quote=False)


def lines(items: Iterable[str], tag: str) -> str:
    """An element for each item."""
    return "\n".join(f"<{tag}>{text(item)}</{tag}>" for item in items)


def paragraphs(article: Article) -> str:
    """The article as `p` elements."""
    return lines(article.paragraphs, "p")


def bullets(anchors: Iterable[Anchor], name: str = "list") -> str:
    """A list of links."""
    items = "".join(f'<li><a href="{anchor.href}">{text(anchor.text)}</a></li>' for anchor in anchors)
    return f'<ul class="{name}">{items}</ul>'


def footer(frame: Frame) -> str:
    """The end of a page; its © is not ASCII, so that a wrong encoding shows on every page."""
    return f'<footer class="footer"><p>© {text(frame.site)}. {text(frame.footer)}</p>{frame.foot}</footer>'


def meta_charset(frame: Frame) -> str:
    """The declaration of the page's encoding, or nothing."""
    if not frame.charset:
        return ""
    return f'<meta http-equiv="Content-Type" content="text/html; charset={frame.charset}">'


def own_language(article: Article, frame: Frame) -> str:
    """The attributes of an element whose language is not that of the site."""
    if article.language == frame.prose.language:
        return ""
    prose = Prose(article.language)
    return f' lang="{prose.code}" dir="{prose.direction}"'
