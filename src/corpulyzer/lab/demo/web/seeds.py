"""Seeds of a crawl on the built-in web."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from corpulyzer.lab.demo.web.sites import Place

if TYPE_CHECKING:
    from corpulyzer.lab.demo.web import BuiltInWeb

TRIES = 10_000


def seeds(web: BuiltInWeb, count: int, rich: float) -> tuple[str, ...]:
    """Distinct URLs, of which the share `rich` are good pages and the rest are pages of any site."""
    wanted = round(count * rich)
    good = _draw(web, wanted, "rich", lambda url: web.truth(url).good and not web.truth(url).duplicate_of)
    known = set(good)
    others = _draw(web, count - wanted, "random", lambda url: url not in known and _is_page(web, url))
    return (*good, *others)


def _draw(web: BuiltInWeb, count: int, name: str, fits: Callable[[str], bool]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    dice, sites = web.content.dice, web.plan
    for number in range(TRIES if count else 0):
        site = sites[dice.below(len(sites), "seed", name, number)]
        edition = site.editions[dice.below(len(site.editions), "seed", name, number, "edition")]
        article = dice.below(edition.size, "seed", name, number, "article")
        url = web.addresses.of(Place(site, edition, "article", article))
        if fits(url):
            found[url] = None
        if len(found) == count:
            break
    return tuple(found)


def _is_page(web: BuiltInWeb, url: str) -> bool:
    truth = web.truth(url)
    return truth.status == 200 and not truth.disallowed
