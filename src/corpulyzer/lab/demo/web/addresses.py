"""From addresses to what they stand for, and back: no list of pages is kept anywhere."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import regex

from corpulyzer.lab.demo.web.sites import Edition, Place, Site

FIRST_ID = 1000
PER_LISTING = 20
STATIC = ("about.html", "contact.html", "search", "login", "register")
TOPICS = (
    "festival",
    "harvest",
    "school",
    "river",
    "market",
    "election",
    "match",
    "road",
    "library",
    "health",
)
ARTICLE_VIEWS = ("article", "print", "tag", "date")

_PARTS = regex.compile(r"https?://([^/?#]*)([^?#]*)(?:\?([^#]*))?")
_LISTING = regex.compile(r"/([a-z]+)/(?:page/(\d+)/)?")
_COPY = regex.compile(r"/(print)/(\d+)|/(tag)/[a-z]+/(\d+)|/\d{4}/\d\d/\d\d/(\d+)")
_CALENDAR = regex.compile(r"/calendar/(\d{4})/(\d\d)")
_ARTICLES = {
    "number": regex.compile(r"/[a-z]+/(\d+)\.html"),
    "slug": regex.compile(r"/\d{4}/\d\d/[a-z-]+-(\d+)"),
    "pretty": regex.compile(r"/[a-z]+/[a-z-]+-(\d+)/"),
    "query": regex.compile(r"/story"),
    "post": regex.compile(r"/"),
}
_ID_NAMES = {"query": "id", "post": "p"}


@dataclass(frozen=True)
class Addresses:
    """The addresses of the sites of a web."""

    sites: tuple[Site, ...]
    hosts: dict[str, list[tuple[Site, Edition]]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        for site in self.sites:
            for edition in site.editions:
                self.hosts.setdefault(edition.host, []).append((site, edition))
        # The longest prefix first, since the shortest fits every path.
        for editions in self.hosts.values():
            editions.sort(key=lambda pair: (-len(pair[1].prefix), -len(pair[1].query)))

    def of(self, place: Place) -> str:
        """The URL of a place, as links of its site give it."""
        edition = place.edition
        path, query = self._path(place)
        parameters = sorted(part for part in (query, edition.query, place.extra) if part)
        return f"http://{edition.host}{edition.prefix}{path}" + (
            f"?{'&'.join(parameters)}" if parameters else ""
        )

    def place(self, url: str) -> Place | None:
        """What a URL stands for; None where its host has nothing there, or there is no such host."""
        found = _PARTS.fullmatch(url.partition("#")[0])
        if not found:
            return None
        host, path, query = found[1].partition(":")[0].lower(), found[2] or "/", found[3] or ""
        names = [pair for pair in query.split("&") if pair]
        for site, edition in self.hosts.get(host, ()):
            inside = path.startswith(f"{edition.prefix}/") and (not edition.query or edition.query in names)
            if inside:
                rest = [name for name in names if name != edition.query] if names else names
                return self._in_edition(site, edition, path[len(edition.prefix) :], rest)
            if path == "/" and not edition.query:
                return Place(site, site.editions[0], "root")
        return None

    def article(self, site: Site, edition: Edition, number: int) -> str:
        """The URL of an article."""
        return self.of(Place(site, edition, "article", number))

    def section(self, site: Site, edition: Edition, number: int) -> str:
        """The section that an article stands in."""
        if site.kind == "restricted" and number % 3 == 0:
            return "private"
        return site.sections[number % len(site.sections)]

    def _path(self, place: Place) -> tuple[str, str]:
        """Path and query of a place within its edition."""
        view, number, site = place.view, place.number, place.site
        if view in ARTICLE_VIEWS:
            return self._article_path(place)
        if view == "section":
            if not number:
                return f"/{place.section}/", ""
            if site.paths_for_pages:
                return f"/{place.section}/page/{number + 1}/", ""
            return f"/{place.section}/", f"page={number + 1}"
        if view == "calendar":
            return f"/calendar/{2024 + number // 12}/{number % 12 + 1:02d}", ""
        if view in ("static", "deep"):
            return f"/{place.section}", ""
        return {"home": "/", "sitemap": "/sitemap.xml", "feed": "/feed", "facets": "/catalog"}[view], ""

    def _article_path(self, place: Place) -> tuple[str, str]:
        site, number = place.site, place.number
        key, name = FIRST_ID + number, f"{TOPICS[number % 10]}-{TOPICS[number // 10 % 10]}"
        section = self.section(site, place.edition, number)
        year, month, day = 2015 + number % 10, number % 12 + 1, number % 28 + 1
        if place.view == "print":
            return f"/print/{key}", ""
        if place.view == "tag":
            return f"/tag/{TOPICS[number % 10]}/{key}", ""
        if place.view == "date":
            return f"/{year}/{month:02d}/{day:02d}/{key}", ""
        return {
            "number": (f"/{section}/{key}.html", ""),
            "slug": (f"/{year}/{month:02d}/{name}-{key}", ""),
            "pretty": (f"/{section}/{name}-{key}/", ""),
            "query": ("/story", f"id={key}"),
            "post": ("/", f"p={key}"),
        }[site.style]

    def _in_edition(self, site: Site, edition: Edition, path: str, names: list[str]) -> Place | None:
        for place in self._guesses(site, edition, path, names):
            plain_path, plain_query = self._path(place)
            if plain_path == path and (not plain_query or plain_query in names):
                rest = [name for name in names if name != plain_query]
                return replace(place, extra="&".join(rest)) if rest else place
        return None

    def _guesses(self, site: Site, edition: Edition, path: str, names: list[str]) -> Iterable[Place]:
        """Places that the path could be; the caller checks which one is."""
        key = _number_of(site.style, path, names)
        if key is not None and 0 <= key - FIRST_ID < edition.size:
            yield Place(site, edition, "article", key - FIRST_ID)
        if path == "/":
            yield Place(site, edition, "home")
        elif path in ("/sitemap.xml", "/feed"):
            if getattr(site, path.strip("/").partition(".")[0]):
                yield Place(site, edition, path.strip("/").partition(".")[0])
        elif path[1:] in STATIC:
            yield Place(site, edition, "static", section=path[1:])
        elif found := _COPY.fullmatch(path):
            view = found[1] or found[3] or "date"
            number = int(found[2] or found[4] or found[5]) - FIRST_ID
            if view in site.copies and 0 <= number < edition.size:
                yield Place(site, edition, view, number)
        elif site.trap and (place := _trap_place(site, edition, path)):
            yield place
        elif found := _LISTING.fullmatch(path):
            yield from self._listings(site, edition, found, names)

    def _listings(
        self, site: Site, edition: Edition, found: regex.Match[str], names: list[str]
    ) -> Iterable[Place]:
        page = next((int(n[5:]) for n in names if n.startswith("page=") and n[5:].isdecimal()), 1)
        page = int(found[2] or page)
        if found[1] in (*site.sections, "archive") and 0 < page <= self.listings(site, edition, found[1]):
            yield Place(site, edition, "section", page - 1, found[1])

    def listings(self, site: Site, edition: Edition, section: str) -> int:
        """How many pages a section's list of articles has."""
        articles = edition.size if section == "archive" else -(-edition.size // len(site.sections))
        return max(1, -(-articles // PER_LISTING))


def _number_of(style: str, path: str, names: list[str]) -> int | None:
    found = _ARTICLES[style].fullmatch(path)
    if not found:
        return None
    if style in _ID_NAMES:
        wanted = f"{_ID_NAMES[style]}="
        values = [name.removeprefix(wanted) for name in names if name.startswith(wanted)]
        return int(values[0]) if values and values[0].isdecimal() and len(values[0]) < 12 else None
    return int(found[1]) if len(found[1]) < 12 else None


def _trap_place(site: Site, edition: Edition, path: str) -> Place | None:
    if site.trap == "calendar" and (found := _CALENDAR.fullmatch(path)):
        number = (int(found[1]) - 2024) * 12 + int(found[2]) - 1
        return Place(site, edition, "calendar", number) if 1 <= int(found[2]) <= 12 else None
    if site.trap == "facets" and path == "/catalog":
        return Place(site, edition, "facets")
    if site.trap == "deep" and path.startswith("/more/"):
        return Place(site, edition, "deep", path.count("/"), path[1:])
    return None
