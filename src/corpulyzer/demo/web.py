"""The built-in web: a deterministic multilingual web of our own text, in which the truth of every URL is known.

A page follows from the seed and its URL alone, so the web may have millions of pages and keeps none. It is
read in memory (`page`, `links`, `truth`) or served on loopback as a proxy (`serve`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from corpulyzer.demo import web_render
from corpulyzer.demo.prose import Article
from corpulyzer.demo.web_addresses import COPY_VIEWS, Addresses
from corpulyzer.demo.web_content import LOOP, Content
from corpulyzer.demo.web_links import Linker, PageLinks
from corpulyzer.demo.web_plan import Plan, sites
from corpulyzer.demo.web_sites import Dice, Edition, Place, Site, writer
from corpulyzer.record import Link

if TYPE_CHECKING:
    from corpulyzer.demo.web_server import WebServer

HTML = "text/html; charset=utf-8"
XML = "application/xml; charset=utf-8"
TRAP_VIEWS = ("calendar", "facets", "deep")


@dataclass(frozen=True, slots=True)
class UrlTruth:
    """What is known of a URL, fetched or not.

    `kind` is that of its site, or `dead` for hosts that do not exist; `view` is what the URL stands for.
    `language` is that of the text which is there, or would be were it not for a fault; home pages, lists of
    articles and other pages without text of their own have none. `good` says that an ideal corpus of the target has the text of this page; it has it once, and
    `page` is the URL that stands for all copies. A page that is not the first of its copies names the first
    in `duplicate_of`. `status` 0 is a connection that is reset.
    """

    url: str
    kind: str
    view: str
    status: int
    language: str = ""
    good: bool = False
    duplicate_of: str = ""
    disallowed: bool = False
    trap: bool = False
    location: str = ""

    @property
    def page(self) -> str:
        return self.duplicate_of or self.url


@dataclass(frozen=True, slots=True)
class Answer:
    """What the web answers to a request for a URL."""

    truth: UrlTruth
    body: bytes = b""
    content_type: str = HTML
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class BuiltInWeb:
    """A web of `sites` sites with about `pages` articles, some of them in the language `target`.

    >>> web = BuiltInWeb("urd", sites=20, pages=300)
    >>> web.truth(web.seeds(1, rich=1.0)[0]).good
    True
    """

    target: str
    seed: int = 0
    sites: int = 240
    pages: int = 30_000

    @cached_property
    def plan(self) -> tuple[Site, ...]:
        """The sites, with all their parameters."""
        return sites(Plan(self.target, self.seed, self.sites, self.pages))

    @cached_property
    def addresses(self) -> Addresses:
        return Addresses(self.plan, Dice(self.seed))

    @cached_property
    def content(self) -> Content:
        wish = Plan(self.target, self.seed, self.sites, self.pages)
        return Content(wish, Dice(self.seed), self.addresses)

    @cached_property
    def linker(self) -> Linker:
        return Linker(self.content)

    def truth(self, url: str) -> UrlTruth:
        """The truth of a URL: of any, also of those that no page links to."""
        place = self.addresses.place(url)
        if place is None:
            host = url.partition("://")[2].partition("/")[0].partition(":")[0]
            known = self.addresses.hosts.get(host)
            if known is None:
                return UrlTruth(url, "dead", "", 502)
            if url.endswith("/robots.txt"):
                return UrlTruth(url, known[0][0].kind, "robots", 200)
            return UrlTruth(url, known[0][0].kind, "missing", 404, disallowed=_disallowed(known[0][0], url))
        return self._truth_of(place, url)

    def links(self, url: str) -> tuple[Link, ...]:
        """The links of the page at a URL, as its HTML has them; none where there is no page."""
        place = self.addresses.place(url)
        if place is None or self._truth_of(place, url).status != 200:
            return ()
        links = self.linker(place)
        if place.view in ("sitemap", "feed"):
            return links.beside
        if place.view not in ("article", *COPY_VIEWS):
            return web_render.shown_links(place, url, links, "", ("", 0))
        return web_render.shown_links(place, url, links, self.content.title(place), self.content.shape(place))

    def text(self, url: str) -> str:
        """The main text of the page at a URL: what a perfect extractor keeps of it."""
        place = self.addresses.place(url)
        if place is None or self._truth_of(place, url).status != 200:
            return ""
        return self._article(place).text

    def page(self, url: str) -> Answer:
        """The answer to a request for a URL."""
        place = self.addresses.place(url)
        truth = self.truth(url)
        if truth.view == "robots":
            host = url.partition("://")[2].partition("/")[0].partition(":")[0]
            return Answer(truth, robots(*self.addresses.hosts[host][0]).encode(), "text/plain")
        if place is None or truth.status != 200:
            location = (("Location", truth.location),) if truth.location else ()
            return Answer(truth, self._notice(place, truth).encode(), headers=location)
        links = self.linker(place)
        if place.view == "sitemap":
            return Answer(truth, web_render.sitemap(links).encode(), XML)
        if place.view == "feed":
            return Answer(truth, web_render.feed(place, links).encode(), "application/rss+xml; charset=utf-8")
        html = web_render.html_page(Dice(self.seed), place, self._article(place), links)
        return Answer(truth, html.encode())

    def seeds(self, count: int = 40, rich: float = 0.25) -> tuple[str, ...]:
        """URLs to begin a crawl with: a share of `rich` ones, which are good, and random ones (CZ-8, CZ-30).

        A random seed is a page of any site, in whatever language.
        """
        from corpulyzer.demo.web_seeds import seeds

        return seeds(self, count, rich)

    def serve(self, **options: Any) -> WebServer:
        """A server of this web on loopback, to be used as a context manager."""
        from corpulyzer.demo.web_server import WebServer

        return WebServer(self, **options)

    def _truth_of(self, place: Place, url: str) -> UrlTruth:
        site, edition = place.site, place.edition
        trap = place.view in TRAP_VIEWS or (site.trap == "session" and "sid=" in place.extra)
        truth = UrlTruth(
            url, site.kind, place.view, self.content.fault(place),
            disallowed=_disallowed(site, url), trap=trap,
        )  # fmt: skip
        if place.view not in ("article", *COPY_VIEWS):
            home = self.addresses.of(Place(site, edition, "home")) if place.view == "root" else ""
            return replace(truth, location=home)
        first = self.content.origin(place)
        original = self.addresses.of(first)
        language = self.content.language(first.site, first.edition, first.number)
        good = (
            truth.status == 200 and language == self.target and not edition.translated
            and not truth.disallowed and not self.content.is_short(place)
        )  # fmt: skip
        return replace(
            truth,
            language=language,
            good=good,
            duplicate_of=original if original != url else "",
            location=self._location(place, truth.status),
        )

    def _location(self, place: Place, status: int) -> str:
        """Where a redirect leads: to another article, to another site, or to itself."""
        if status == LOOP:
            return self.addresses.of(place)
        if status == 301:
            number = (place.number * 7 + 3) % place.edition.size
            return self.addresses.article(place.site, place.edition, number)
        if status == 302:
            chance = self.content.dice.chance(place.site.number, place.number, "elsewhere")
            site, edition = self.linker.pools["any"](chance)
            return self.addresses.of(Place(site, edition, "home"))
        return ""

    def _article(self, place: Place) -> Article:
        if place.view in ("article", *COPY_VIEWS):
            return self.content.article(place)
        prose = writer(place.edition.language)
        return Article(prose.language, prose.navigation[0], "", "", "", ())

    def _notice(self, place: Place | None, truth: UrlTruth) -> str:
        labels = writer(place.edition.language if place else self.target).labels
        words = labels["moved" if truth.location else "missing" if truth.status == 404 else "failed"]
        title = f"<title>{truth.status}</title>"
        return f"<html><head>{title}</head><body><h1>{words}</h1></body></html>"


def robots(site: Site, edition: Edition) -> str:
    """The robots.txt of a site."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in site.disallow)]
    if site.crawl_delay:
        lines.append(f"Crawl-delay: {site.crawl_delay:g}")
    if site.sitemap:
        lines += ["", f"Sitemap: http://{edition.host}{edition.prefix}/sitemap.xml"]
    return "\n".join(lines) + "\n"


def _disallowed(site: Site, url: str) -> bool:
    path = "/" + url.partition("://")[2].partition("/")[2]
    return path.startswith(site.disallow) if site.disallow else False


if __name__ == "__main__":
    from corpulyzer.demo.web_main import main

    main()
