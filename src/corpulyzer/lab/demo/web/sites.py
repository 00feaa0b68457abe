"""The sites of the built-in web: what each is like, and what each of its addresses stands for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from random import Random

import xxhash

from corpulyzer.lab.demo.prose import Prose

LOOK_ALIKES = {
    "urd": "fas", "fas": "urd", "xho": "zul", "zul": "xho", "hrv": "slv", "slv": "hrv", "eng": "hrv",
}  # fmt: skip
NAMES = {
    "urd": "urdu", "fas": "persian", "xho": "xhosa", "zul": "zulu", "hrv": "croatian", "slv": "slovene",
    "eng": "english",
}  # fmt: skip


@cache
def writer(language: str) -> Prose:
    """The prose of a language, made once."""
    return Prose(language)


@dataclass(frozen=True, slots=True)
class Dice:
    """Chances that follow from the seed and a key alone, so that a page needs no other to be made first."""

    seed: int

    def number(self, *key: object) -> int:
        return xxhash.xxh3_64_intdigest("/".join(map(str, (self.seed, *key))).encode())

    def chance(self, *key: object) -> float:
        return (self.number(*key) >> 11) * 2.0**-53

    def below(self, limit: int, *key: object) -> int:
        return self.number(*key) % limit

    def rng(self, *key: object) -> Random:
        return Random(self.number(*key))


@dataclass(frozen=True, slots=True)
class Edition:
    """A site in one language: where its pages are, how many articles it has, and in which language.

    `language` is that of menus, `text` that of articles; of `scattered` articles, that share is in the
    target instead. Addresses begin with `prefix`, or have the parameter `query`.
    """

    number: int
    language: str
    text: str
    host: str
    size: int
    prefix: str = ""
    query: str = ""
    scattered: float = 0.0
    translated: bool = False


@dataclass(frozen=True, slots=True)
class Site:
    """A web site. Everything on it follows from these few parameters.

    `target` is the target language whose turn it was, `copies` are the other views in which it shows an
    article, `mirrors` the number of the site whose articles it repeats, `faults` the share of its articles
    that are not there, `trap` the kind of endless addresses that it makes; `disallow` are beginnings of
    paths, `crawl_delay` and `slowness` are seconds.
    """

    number: int
    kind: str
    name: str
    target: str
    editions: tuple[Edition, ...]
    style: str
    layout: str
    sections: tuple[str, ...]
    anchors: str = "title"
    paths_for_pages: bool = False
    copies: tuple[str, ...] = ()
    mirrors: int = -1
    faults: float = 0.02
    trap: str = ""
    disallow: tuple[str, ...] = ()
    crawl_delay: float = 0.0
    slowness: float = 0.0
    hreflang: bool = False
    canonical: bool = False
    sitemap: bool = False
    feed: bool = False
    mark: str = ""

    @property
    def size(self) -> int:
        return sum(edition.size for edition in self.editions)


@dataclass(frozen=True, slots=True)
class Place:
    """What an address stands for: a view of an edition, the number of the article or page, and a variant.

    `extra` is what an address has beyond the one that its site would give: parameters that change nothing.
    """

    site: Site
    edition: Edition
    view: str
    number: int = 0
    section: str = ""
    extra: str = ""
