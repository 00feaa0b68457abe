"""Addresses without end, as careless software makes them: calendars, filters, paths that repeat."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from corpulyzer.lab.demo.pages.frames import SECTIONS as MENU
from corpulyzer.lab.demo.web.addresses import Addresses
from corpulyzer.lab.demo.web.sites import Place, writer
from corpulyzer.records import Link

FACETS = ("color", "order", "size", "view")
MENU_WORDS = {path.strip("/"): place for place, path in enumerate(MENU)}


def calendar(addresses: Addresses, place: Place) -> list[Link]:
    """The month before, the month after, and the same month a year later."""
    labels = writer(place.edition.language).labels
    around = ((-1, labels["previous"]), (1, labels["next"]), (12, labels["year"]))
    months = [(replace(place, number=place.number + step, extra=""), words) for step, words in around]
    return [Link(addresses.of(month), words) for month, words in months]


def facets(addresses: Addresses, place: Place) -> list[Link]:
    """The same list with one filter changed, and its next page, which is always there."""
    chosen = dict(pair.partition("=")[::2] for pair in place.extra.split("&") if pair)
    start = chosen.get("start", "0")
    following = str(int(start) + 20 if start.isdecimal() and len(start) < 12 else 20)
    changes = [(name, str(value)) for name in FACETS for value in range(3) if chosen.get(name) != str(value)]
    links = []
    for name, value in [*changes, ("start", following)]:
        extra = "&".join(f"{a}={b}" for a, b in sorted({**chosen, name: value}.items()))
        links.append(Link(addresses.of(replace(place, extra=extra)), f"{name} {value}"))
    return links


def deep(addresses: Addresses, place: Place) -> list[Link]:
    """Sections linked to by relative paths, each of which is one level further down."""
    base, words = addresses.of(replace(place, extra="")), writer(place.edition.language).navigation
    return [Link(f"{base}{name}/", words[MENU_WORDS[name]]) for name in place.site.sections[:3]]


TRAPS: dict[str, Callable[[Addresses, Place], list[Link]]] = {
    "calendar": calendar,
    "facets": facets,
    "deep": deep,
}


def entrance(addresses: Addresses, place: Place) -> list[Link]:
    """The link of a home page into its site's trap, if it has one to walk into."""
    if place.site.trap not in TRAPS:
        return []
    section = "more/" if place.site.trap == "deep" else ""
    first = Place(place.site, place.edition, place.site.trap, section=section)
    return [Link(addresses.of(first), writer(place.edition.language).navigation[MENU_WORDS["archive"]])]
