"""Links out of sitemaps and feeds, as far as they can be read: no entity is expanded, nothing nests.

Files on the web are seldom sound XML, and some are made to harm parsers. So tags are read one by one, in
linear time, and what cannot be read is passed over.
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import regex

from corpulyzer.records import Link
from corpulyzer.url import spelled
from corpulyzer.warc.decode import decode_body

MAX_BYTES = 50 << 20
MAX_LINKS = 50_000

_TAG = regex.compile(
    r"<(?P<end>/?)(?:(?P<prefix>[\w.-]{1,30}):)?"
    r"(?P<name>urlset|url|sitemapindex|sitemap|rss|feed|rdf|item|entry|loc|link|guid|title|language)"
    r"(?P<attributes>(?:\s[^<>]{0,4000})?/?)>|<!\[CDATA\[|<!--",
    regex.IGNORECASE,
)
_ATTRIBUTE = regex.compile(r"""([A-Za-z_][\w.:-]{0,60})\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)')""")
_DECLARED = regex.compile(rb"""^<\?xml[^>]{0,200}encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']""")
_ENTRIES = ("url", "sitemap", "item", "entry")
_TEXTS = ("loc", "link", "guid", "title", "language")
_ROOTS = ("urlset", "sitemapindex", "rss", "feed", "rdf")
_FOREIGN = ("image", "video", "media", "itunes", "geo")


class _Token(NamedTuple):
    """A tag of interest, with the text behind it if it has one."""

    name: str
    prefix: str
    closing: bool
    attributes: dict[str, str]
    text: str


@dataclass(slots=True)
class _Entry:
    """What is known of one entry of a sitemap or feed."""

    kind: str
    address: str = ""
    title: str = ""
    language: str = ""
    alternates: list[tuple[str, str]] = field(default_factory=list)

    def links(self, base: str) -> Iterator[Link]:
        element = "sitemap" if self.kind == "sitemap" else "feed" if self.kind in ("item", "entry") else "loc"
        if address := spelled(self.address, base) if self.address else "":
            yield Link(address, self.title, "", self.language, element)
        for address, language in self.alternates:
            if target := spelled(address, base):
                yield Link(target, self.title, "alternate", language, element)


def source_links(
    body: bytes, base: str, *, max_bytes: int = MAX_BYTES, max_links: int = MAX_LINKS
) -> list[Link]:
    """The links of a sitemap, sitemap index, RSS or Atom feed, or list of URLs, packed by gzip or not.

    `element` is `loc`, `sitemap` (another sitemap to read) or `feed`; `rel` is `alternate` for the same
    page in the language `hreflang`; `anchor` is the title that a feed gives.
    """
    plain = decode_body(body, {"content-encoding": "gzip"}, max_bytes)[0]
    text = _decoded(plain)
    found = _entries(text) if "<" in text[:1000] else _lines(text)
    links: dict[Link, None] = {}
    for entry in found:
        for link in entry.links(base):
            links[link] = None
        if len(links) >= max_links:
            break
    return list(links)[:max_links]


def _decoded(body: bytes) -> str:
    if body[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return body.decode("utf-16", "replace")
    declared = _DECLARED.match(body.lstrip()[:300])
    try:
        return body.decode(declared[1].decode() if declared else "utf-8-sig", "replace")
    except LookupError:
        return body.decode("utf-8-sig", "replace")


def _lines(text: str) -> Iterator[_Entry]:
    for line in text.splitlines():
        if line.strip().startswith(("http://", "https://")):
            yield _Entry("url", line.strip())


def _entries(text: str) -> Iterator[_Entry]:
    """The entries of a file whose root is that of a sitemap or feed; they have the feed's language."""
    language, entry, known = "", None, False
    for token in _tokens(text):
        if token.name in _ROOTS:
            known = True
            language = token.attributes.get("xml:lang", language)
        elif not known or token.prefix in _FOREIGN:
            continue
        elif token.name in _ENTRIES:
            if entry is not None:
                yield entry
            entry = None if token.closing else _Entry(token.name, language=language)
        elif entry is not None and not token.closing:
            _take(entry, token)
        elif token.name == "language" and not token.closing:
            language = token.text
    if entry is not None:
        yield entry


def _take(entry: _Entry, token: _Token) -> None:
    """Learn from a tag within an entry."""
    address = token.attributes.get("href", "")
    if token.name == "link" and address:
        relation = token.attributes.get("rel", "alternate")
        language = token.attributes.get("hreflang", "")
        if entry.kind == "entry" and relation == "alternate" and not entry.address:
            entry.address, entry.language = address, language or entry.language
        elif relation == "alternate" and language:
            entry.alternates.append((address, language))
    elif token.name in ("loc", "link"):
        entry.address = token.text or entry.address
    elif token.name == "guid" and token.attributes.get("ispermalink", "true") == "true":
        entry.address = entry.address or (token.text if token.text.startswith("http") else "")
    elif token.name == "title":
        entry.title = token.text
    elif token.name == "language":
        entry.language = token.text


def _tokens(text: str) -> Iterator[_Token]:
    at = 0
    while tag := _TAG.search(text, at):
        end, prefix, name, attributes = tag.group("end", "prefix", "name", "attributes")
        content, at = "", tag.end()
        if name is None:
            # A comment, or a CDATA section outside the tags of interest.
            behind = text.find("-->" if tag[0] == "<!--" else "]]>", at)
            at = behind + 3 if behind >= 0 else len(text)
            continue
        name = name.lower()
        if name in _TEXTS and not end and not attributes.endswith("/"):
            content, at = _content(text, at)
        found = _attributes(attributes) if len(attributes) > 1 else {}
        yield _Token(name, (prefix or "").lower(), bool(end), found, content)


def _content(text: str, start: int) -> tuple[str, int]:
    """The text at `start`, in a CDATA section or not, and where it ends."""
    begin = start + len(text[start : start + 100]) - len(text[start : start + 100].lstrip())
    if text.startswith("<![CDATA[", begin):
        end = text.find("]]>", begin)
        return (text[begin + 9 : end].strip()[:4096], end + 3) if end >= 0 else ("", len(text))
    end = text.find("<", start, start + 20_000)
    stop = end if end >= 0 else min(len(text), start + 20_000)
    return html.unescape(text[start:stop]).strip()[:4096], stop


def _attributes(text: str) -> dict[str, str]:
    found = _ATTRIBUTE.finditer(text)
    return {match[1].lower(): html.unescape(match[2] or match[3] or "") for match in found}
