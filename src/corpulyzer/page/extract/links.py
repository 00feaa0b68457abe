"""The links of a page, absolute, with the words and languages that they carry."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import chain
from string import ascii_letters, digits

import regex

from corpulyzer.native import compiled
from corpulyzer.page.extract.blocks import Blocks
from corpulyzer.records import Link
from corpulyzer.url import join

MAX_LINKS = 10_000
MAX_ANCHOR_CHARACTERS = 500

_RELATIONS = {"alternate", "canonical", "next", "prev", "amphtml", "license"}
_FEEDS = {"application/rss+xml", "application/atom+xml", "application/feed+json"}
_NO_PAGES = ("javascript:", "mailto:", "tel:", "data:", "about:", "whatsapp:", "sms:")
_HTTP = ("http://", "https://")
_PLAIN_ORIGIN = regex.compile(r"https?://(?:[a-z0-9]++(?:-[a-z0-9]++)*+\.)++[a-z]{2,}")
_PLAIN_BYTES = (ascii_letters + digits + "/?_~!$&()*+,:;=@.-").encode()


def links_of(page: Blocks, url: str) -> tuple[Link, ...]:
    """The distinct links of a page at `url`, without fragments: the first `MAX_LINKS` of them.

    `element` is the tag that holds the link, `feed` for a link to an RSS or Atom feed.
    """
    return (_compiled() or collected)(page, base_of(page, url))


def collected(page: Blocks, base: str) -> tuple[Link, ...]:
    """The distinct links of a page, resolved one by one."""
    resolve = Resolver(base)
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
def _compiled() -> Callable[[Blocks, str], tuple[Link, ...]] | None:
    return compiled_links()


def resolved(base: str, href: str) -> str:
    """What `href` means on the page `base`, as a `Resolver` has it."""
    return _resolver(base)(href)


def compiled_links(
    resolve: Callable[[str, str], str] = resolved,
) -> Callable[[Blocks, str], tuple[Link, ...]] | None:
    """The same in C, in a tenth of the time, odd addresses left to `resolve`; None if not built."""
    if compiled is None:
        return None
    plain = bytes(code in _PLAIN_BYTES for code in range(256))
    asked = (Link, MAX_LINKS, MAX_ANCHOR_CHARACTERS, plain, _RELATIONS, _FEEDS, _NO_PAGES, resolve)

    def collect(page: Blocks, base: str) -> tuple[Link, ...]:
        found: tuple[Link, ...] = compiled.links(page.facts, page.anchors, base, *asked)
        return found

    return collect


def base_of(page: Blocks, url: str) -> str:
    """The address against which the links of a page are read: `<base>` if it has one."""
    for node in page.facts:
        if node.tag == "base" and (href := node.attributes.get("href")):
            return Resolver(url)(href) or url
    return url


class Resolver:
    """The absolute form of an http link on the page `base`, without fragment; empty if it is none.

    Four links of five are in normal form already, which is checked faster than they are parsed.

    >>> Resolver("http://a.pk/x/y")("../z?q#f")
    'http://a.pk/z?q'
    """

    __slots__ = ("_base", "_origin")

    def __init__(self, base: str) -> None:
        self._base = base
        end = base.find("/", 8) if base.startswith(_HTTP) else -1
        self._origin = base[:end] if end > 0 and is_plain_origin(base[:end]) else ""

    def __call__(self, href: str) -> str:
        href = href.partition("#")[0].strip()
        if _is_plain(href):
            if href.startswith(_HTTP):
                end = href.find("/", 8)
                if end > 0 and is_plain_origin(href[:end]):
                    return href
            elif self._origin and href.startswith("/") and not href.startswith("//"):
                return self._origin + href
        if not href or href.lower().startswith(_NO_PAGES):
            return ""
        absolute = join(self._base, href)
        return absolute if isinstance(absolute, str) and absolute.startswith(_HTTP) else ""


@lru_cache(maxsize=4)
def _resolver(base: str) -> Resolver:
    return Resolver(base)


@lru_cache(maxsize=2_000)
def is_plain_origin(origin: str) -> bool:
    """Whether scheme and host are written as the standard would write them."""
    return "xn--" not in origin and _PLAIN_ORIGIN.fullmatch(origin) is not None


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
