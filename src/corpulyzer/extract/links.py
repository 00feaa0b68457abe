"""The links of a page, absolute, with the words and languages that they carry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import regex

from corpulyzer.extract.blocks import Blocks
from corpulyzer.record import Link
from corpulyzer.url import join

MAX_LINKS = 10_000
MAX_ANCHOR_CHARACTERS = 500

_RELATIONS = {"alternate", "canonical", "next", "prev", "amphtml", "license"}
_FEEDS = ("application/rss+xml", "application/atom+xml", "application/feed+json")
_NO_PAGES = ("javascript:", "mailto:", "tel:", "data:", "about:", "whatsapp:", "sms:")
# Addresses that the standard would leave as they are. Four links of five are, and need no parser.
_SEGMENT = r"(?:[\w!$&()*+,:;=@~-]|%(?!2[eE]))(?:[\w!$&()*+,:;=@~.-]|%(?!2[eE]))*"
_PLAIN = regex.compile(
    rf"(?a)(https?://(?:[a-z0-9-]+\.)+[a-z]{{2,}})?(/(?:{_SEGMENT}/)*+(?:{_SEGMENT})?+(?:\?[\w!$&()*+,:;=@~./%-]*+)?+)"
)
_ORIGIN = regex.compile(r"https?://[^/?#\\]+")


class _Candidate(NamedTuple):
    href: str
    anchor: str
    rel: str
    hreflang: str
    element: str


def links_of(page: Blocks, url: str) -> tuple[Link, ...]:
    """The distinct links of a page at `url`, without fragments: the first `MAX_LINKS` of them.

    `element` is the tag that holds the link, `feed` for a link to an RSS or Atom feed.
    """
    base = base_of(page, url)
    origin = _ORIGIN.match(base)
    found: dict[_Candidate, None] = {}
    for candidate in _candidates(page):
        target = resolve(candidate.href, base, origin[0] if origin else "")
        if target:
            found[candidate._replace(href=target)] = None
            if len(found) == MAX_LINKS:
                break
    return tuple(Link(*candidate) for candidate in found)


def base_of(page: Blocks, url: str) -> str:
    """The address against which the links of a page are read: `<base>` if it has one."""
    for node in page.facts:
        if node.tag == "base" and (href := node.attributes.get("href")):
            return resolve(href, url, "") or url
    return url


def resolve(href: str, base: str, origin: str) -> str:
    """The absolute form of an http link, without fragment; empty if it is none.

    >>> resolve("../z?q#f", "http://a.pk/x/y", "http://a.pk")
    'http://a.pk/z?q'
    """
    href = href.partition("#")[0].strip()
    plain = _PLAIN.fullmatch(href)
    if plain and "xn--" not in href:
        if plain[1]:
            return href
        if origin and not href.startswith("//"):
            return origin + href
    if not href or href.lower().startswith(_NO_PAGES):
        return ""
    absolute = join(base, href)
    return absolute if isinstance(absolute, str) and absolute.startswith(("http://", "https://")) else ""


def _candidates(page: Blocks) -> Iterator[_Candidate]:
    for node in page.facts:
        tag = node.tag or ""
        if tag in ("link", "area", "frame"):
            candidate = _from_fact(tag, node.attributes)
            if candidate.href and (tag != "link" or _RELATIONS & set(candidate.rel.split())):
                yield candidate
    for attributes, anchor in page.anchors:
        if href := attributes.get("href"):
            rel, hreflang = attributes.get("rel") or "", attributes.get("hreflang") or ""
            yield _Candidate(href, anchor[:MAX_ANCHOR_CHARACTERS], rel.lower(), hreflang, "a")


def _from_fact(tag: str, attributes: Mapping[str, str | None]) -> _Candidate:
    element = "feed" if (attributes.get("type") or "").lower() in _FEEDS else tag
    href = attributes.get("src" if tag == "frame" else "href") or ""
    words = attributes.get("title") or attributes.get("alt") or ""
    rel, hreflang = attributes.get("rel") or "", attributes.get("hreflang") or ""
    return _Candidate(href, words[:MAX_ANCHOR_CHARACTERS], rel.lower(), hreflang, element)
