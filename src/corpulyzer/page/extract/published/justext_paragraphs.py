"""Paragraphs as jusText makes them: text between certain tags, or between two `<br>`.

Sections, articles and other elements that came with HTML5 part words but not paragraphs, what is hidden is
read, and white space between two tags is none.
"""

from __future__ import annotations

import regex

from corpulyzer.page.extract.elements import KINDS
from corpulyzer.page.extract.published.as_written import pieces
from corpulyzer.page.extract.published.text_blocks import OpenElements

PARTING = set(
    "body blockquote caption center col colgroup dd div dl dt fieldset h1 h2 h3 h4 h5 h6 legend li optgroup"
    " option p pre table td tfoot th thead tr ul".split()
)
UNREAD = set("applet button iframe layer object script select style textarea title".split())
HEADINGS = set("h1 h2 h3 h4 h5 h6".split())

_SPACE = regex.compile(r"\s+")


class Paragraph:
    """A run of text: its characters in links, whether it stands in a heading, and in which tag."""

    __slots__ = ("is_heading", "links", "parts", "tag", "text")

    def __init__(self, is_heading: bool, tag: str) -> None:
        self.parts: list[str] = []
        self.links = 0
        self.is_heading = is_heading
        self.tag = tag
        self.text = ""

    @property
    def link_density(self) -> float:
        """The share of its characters that are in links."""
        return self.links / len(self.text) if self.text else 0.0


def paragraphs_of(html: str) -> list[Paragraph]:
    """The paragraphs of a page from its source, among them empty ones, where a lone `<br>` stood."""
    walk = _Walk()
    for kind, value in pieces(html):
        if kind == "text":
            walk.text(value)
        elif kind == "end":
            walk.end(value)
        else:
            walk.start(value)
            if kind == "empty" and value not in ("br", "hr", "img", "input"):
                walk.end(value)
    walk.part()
    return walk.paragraphs


class _Walk:
    """What has been found so far, and what the next text stands in."""

    def __init__(self) -> None:
        self.paragraphs: list[Paragraph] = []
        self._open = OpenElements()
        self._unread = ""
        self._headings = 0
        self._is_linked = False
        self._is_broken = False
        self._next = Paragraph(is_heading=False, tag="p")

    def start(self, tag: str) -> None:
        if self._unread:
            return
        self._open.start(tag)
        self._headings += tag in HEADINGS
        if tag in UNREAD:
            self._unread = tag
        elif tag in PARTING or (tag == "br" and self._is_broken):
            self.part()
        elif tag != "form":
            self._is_broken = tag == "br"
            self._is_linked = self._is_linked or tag == "a"
            if self._is_broken or (tag in KINDS and self._next.parts):
                self._next.parts.append(" ")

    def end(self, tag: str) -> None:
        if self._unread:
            self._unread = "" if tag == self._unread else self._unread
            return
        self._open.end(tag)
        if tag in HEADINGS and self._headings:
            self._headings -= 1
        if tag in PARTING:
            self.part()
        elif tag in KINDS and self._next.parts:
            self._next.parts.append(" ")
        if tag == "a":
            self._is_linked = False

    def text(self, text: str) -> None:
        if self._unread or text.isspace():
            return
        text = _SPACE.sub(" ", text)
        self._next.parts.append(text)
        self._next.links += len(text) if self._is_linked else 0
        self._is_broken = False

    def part(self) -> None:
        """End a paragraph, and begin the next."""
        if self._next.parts:
            self._next.text = _SPACE.sub(" ", "".join(self._next.parts).strip())
            self.paragraphs.append(self._next)
        self._next = Paragraph(self._headings > 0, self._open.innermost()[1])
