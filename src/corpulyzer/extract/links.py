"""The links of a page, absolute, with the words and languages that they carry."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import chain
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
    return (_compiled() or collected)(page, Resolver(base_of(page, url)))


def collected(page: Blocks, resolve: Resolver) -> tuple[Link, ...]:
    """The distinct links of a page, resolved one by one."""
    found: dict[Link, None] = {}
    anchors = (
        (href, text[:MAX_ANCHOR_CHARACTERS], rel.lower(), lang, "a") for href, rel, lang, text in page.anchors
    )
    for href, *rest in chain(_declared(page), anchors):
        if target := resolve(href):
            found[Link(target, *rest)] = None
            if len(found) == MAX_LINKS:
                break
    return tuple(found)


@cache
def _compiled() -> Callable[[Blocks, Resolver], tuple[Link, ...]] | None:
    return compiled_links()


def compiled_links() -> Callable[[Blocks, Resolver], tuple[Link, ...]] | None:
    """The same in C, in a fifth of the time; None where it was not built."""
    try:
        from corpulyzer.extract._links import links  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        return None
    plain = bytes(code in _PLAIN_BYTES for code in range(256))
    limits = ("a", Link, MAX_LINKS, MAX_ANCHOR_CHARACTERS, plain, _NO_PAGES)

    def compiled(page: Blocks, resolve: Resolver) -> tuple[Link, ...]:
        asked = (resolve.origin, resolve.folder, resolve.page, resolve)
        found: tuple[Link, ...] = links(list(_declared(page)), page.anchors, *limits, *asked)
        return found

    return compiled


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

    __slots__ = ("_base", "folder", "origin", "page")

    def __init__(self, base: str) -> None:
        self._base = base
        origin, path = _parted(base)
        self.origin = origin if is_plain_origin(origin) else ""
        self.page = self.origin + path if self.origin and _is_plain(path) else ""
        # What a link that is neither absolute nor begins with a slash is put behind.
        self.folder = self.page[: self.page.rfind("/") + 1]

    def __call__(self, href: str) -> str:
        href = href.partition("#")[0].strip()
        if _is_plain(href):
            if href.startswith(_HTTP):
                end = href.find("/", 8)
                if end > 0 and is_plain_origin(href[:end]):
                    return href
            elif self.origin and href.startswith("/") and not href.startswith("//"):
                return self.origin + href
        if not href or href.lower().startswith(_NO_PAGES):
            return ""
        absolute = join(self._base, href)
        return absolute if isinstance(absolute, str) and absolute.startswith(_HTTP) else ""


@lru_cache(maxsize=2_000)
def is_plain_origin(origin: str) -> bool:
    """Whether scheme and host are written as the standard would write them."""
    return "xn--" not in origin and _PLAIN_ORIGIN.fullmatch(origin) is not None


def _parted(base: str) -> tuple[str, str]:
    """The origin of an http address and its path; empty where it has no path."""
    start = base.find("/", 8) if base.startswith(_HTTP) else -1
    return (base[:start], base[start:].partition("?")[0]) if start > 0 else ("", "")


def _is_plain(address: str) -> bool:
    """Whether each character stands for itself, and none begins a step to this folder or the one above."""
    return not address.encode("utf-8", "replace").translate(None, _PLAIN_BYTES) and "/." not in address


def _declared(page: Blocks) -> Iterator[tuple[str, str, str, str, str]]:
    for node in page.facts:
        tag = node.tag
        if tag in ("link", "area", "frame"):
            candidate = _from_fact(tag, node.attributes)
            if tag != "link" or not _RELATIONS.isdisjoint(candidate[2].split()):
                yield candidate


def _from_fact(tag: str, attributes: Mapping[str, str]) -> tuple[str, str, str, str, str]:
    element = "feed" if attributes.get("type", "").lower() in _FEEDS else tag
    href = attributes.get("src" if tag == "frame" else "href", "")
    words = attributes.get("title") or attributes.get("alt", "")
    rel, hreflang = attributes.get("rel", ""), attributes.get("hreflang", "")
    return href, words[:MAX_ANCHOR_CHARACTERS], rel.lower(), hreflang, element
