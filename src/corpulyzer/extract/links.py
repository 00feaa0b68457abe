"""The links of a page, absolute, with the words and languages that they carry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from string import ascii_letters, digits

import regex

from corpulyzer.extract.blocks import Blocks
from corpulyzer.record import Link
from corpulyzer.url import join

MAX_LINKS = 10_000
MAX_ANCHOR_CHARACTERS = 500

_RELATIONS = {"alternate", "canonical", "next", "prev", "amphtml", "license"}
_FEEDS = {"application/rss+xml", "application/atom+xml", "application/feed+json"}
_NO_PAGES = ("javascript:", "mailto:", "tel:", "data:", "about:", "whatsapp:", "sms:")
_HTTP = ("http://", "https://")
_PLAIN_ORIGIN = regex.compile(r"https?://(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]{2,}")
_PLAIN_BYTES = (ascii_letters + digits + "/?_~!$&()*+,:;=@.-").encode()


def links_of(page: Blocks, url: str) -> tuple[Link, ...]:
    """The distinct links of a page at `url`, without fragments: the first `MAX_LINKS` of them.

    `element` is the tag that holds the link, `feed` for a link to an RSS or Atom feed.
    """
    resolve = Resolver(base_of(page, url))
    found: dict[tuple[str, str, str, str, str], None] = {}
    for href, anchor, rel, hreflang, element in _candidates(page):
        if target := resolve(href):
            found[target, anchor, rel, hreflang, element] = None
            if len(found) == MAX_LINKS:
                break
    return tuple(Link(*link) for link in found)


def base_of(page: Blocks, url: str) -> str:
    """The address against which the links of a page are read: `<base>` if it has one."""
    for node in page.facts:
        if node.tag == "base" and (href := node.attributes.get("href")):
            return Resolver(url)(href) or url
    return url


class Resolver:
    """The absolute form of an http link on the page `base`, without fragment; empty if it is none.

    Four links of five are written as the standard would write them, and need no parser: that is seen
    faster than parsed.

    >>> Resolver("http://a.pk/x/y")("../z?q#f")
    'http://a.pk/z?q'
    """

    __slots__ = ("_base", "_origin", "_plain_origins")

    def __init__(self, base: str) -> None:
        self._base = base
        self._plain_origins: dict[str, bool] = {}
        origin = base[: base.find("/", 8)] if base.startswith(_HTTP) else ""
        self._origin = origin if self._is_plain_origin(origin) else ""

    def __call__(self, href: str) -> str:
        href = href.partition("#")[0].strip()
        if not href.encode("utf-8", "replace").translate(None, _PLAIN_BYTES) and "/." not in href:
            if href.startswith(_HTTP):
                end = href.find("/", 8)
                if end > 0 and self._is_plain_origin(href[:end]):
                    return href
            elif self._origin and href.startswith("/") and not href.startswith("//"):
                return self._origin + href
        if not href or href.lower().startswith(_NO_PAGES):
            return ""
        absolute = join(self._base, href)
        return absolute if isinstance(absolute, str) and absolute.startswith(_HTTP) else ""

    def _is_plain_origin(self, origin: str) -> bool:
        plain = self._plain_origins.get(origin)
        if plain is None:
            plain = "xn--" not in origin and _PLAIN_ORIGIN.fullmatch(origin) is not None
            self._plain_origins[origin] = plain
        return plain


def _candidates(page: Blocks) -> Iterator[tuple[str, str, str, str, str]]:
    for node in page.facts:
        tag = node.tag
        if tag in ("link", "area", "frame"):
            candidate = _from_fact(tag, node.attributes)
            if tag != "link" or not _RELATIONS.isdisjoint(candidate[2].split()):
                yield candidate
    for href, rel, hreflang, text in page.anchors:
        yield href, text[:MAX_ANCHOR_CHARACTERS], rel.lower(), hreflang, "a"


def _from_fact(tag: str, attributes: Mapping[str, str]) -> tuple[str, str, str, str, str]:
    element = "feed" if attributes.get("type", "").lower() in _FEEDS else tag
    href = attributes.get("src" if tag == "frame" else "href", "")
    words = attributes.get("title") or attributes.get("alt", "")
    rel, hreflang = attributes.get("rel", ""), attributes.get("hreflang", "")
    return href, words[:MAX_ANCHOR_CHARACTERS], rel.lower(), hreflang, element
