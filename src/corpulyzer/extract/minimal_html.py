"""Paragraphs as minimal HTML: the second output form of C4Corpus, which keeps what each paragraph was."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from itertools import groupby

_TAGS = {"h": "h2", "quote": "blockquote", "pre": "pre", "caption": "figcaption"}
_LISTS = {"li": ("<ul>", "</ul>")}


def minimal_html(paragraphs: Iterable[tuple[str, str]]) -> str:
    """One element a line for each (text, kind). Nothing of the page's own markup is left.

    >>> print(minimal_html([("Naslov", "h"), ("A < B", "p"), ("x", "li")]))
    <h2>Naslov</h2>
    <p>A &lt; B</p>
    <ul>
    <li>x</li>
    </ul>
    """
    lines: list[str] = []
    for kind, group in groupby(paragraphs, key=lambda paragraph: paragraph[1]):
        tag = kind if kind in _LISTS else _TAGS.get(kind, "p")
        before, after = _LISTS.get(kind, ("", ""))
        items = [f"<{tag}>{escape(text, quote=False)}</{tag}>" for text, _ in group]
        lines += filter(None, [before, *items, after])
    return "\n".join(lines)
