"""The built-in web: a deterministic web of our own text in seven languages, the truth of every URL known.

A page follows from the seed and its URL alone, so the web may have millions of pages and keeps none. It is
read in memory (`page`, `links`, `truth`) or served on loopback as a proxy (`serve`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from corpulyzer.lab.demo.prose import Article
from corpulyzer.lab.demo.web import render
from corpulyzer.lab.demo.web.addresses import ARTICLE_VIEWS, Addresses
from corpulyzer.lab.demo.web.content import LOOP, Content
from corpulyzer.lab.demo.web.editions import Plan
from corpulyzer.lab.demo.web.links import Linker
from corpulyzer.lab.demo.web.plan import sites
from corpulyzer.lab.demo.web.sites import Dice, Edition, Place, Site, writer
from corpulyzer.records import Link
from corpulyzer.url import host_of

if TYPE_CHECKING:
    from corpulyzer.lab.demo.web.server import WebServer

HTML = "text/html; charset=utf-8"
XML = "application/xml; charset=utf-8"
RSS = "application/rss+xml; charset=utf-8"
TRAP_VIEWS = ("calendar", "facets", "deep")


@dataclass(frozen=True, slots=True)
class UrlTruth:
    """What is known of a URL, fetched or not.

    `kind` is that of its site, or `dead` for hosts that do not exist; `view` is what the URL stands for.
    `language` is that of the text which is there, or would be were it not for a fault; home pages, lists of
    articles and other pages without text of their own have none. `good` says that an ideal corpus of the
    target has the text of this page. It has it once: a page that repeats another names it in `duplicate_of`,
    and `page` is the URL that stands for all copies. `status` 0 is a connection that is reset.
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
    wait_seconds: float = 0.0


@dataclass(frozen=True)
class BuiltInWeb:
    """A web of `sites` sites with about `pages` articles, some of them in the language `target`.

    With more `strangers` the target is rarer: so many times as many sites are hubs or in the language of
    most sites. `also` are further targets, between which and the first the sites take turns; a good page is
    one in any of them.

    >>> web = BuiltInWeb("urd", sites=20, pages=300)
    >>> web.truth(web.seeds(1, rich=1.0)[0]).good
    True
    """

    target: str
    seed: int = 0
    sites: int = 240
    pages: int = 30_000
    strangers: int = 1
    also: tuple[str, ...] = ()

    @property
    def targets(self) -> frozenset[str]:
        """The target languages."""
        return frozenset((self.target, *self.also))

    @cached_property
    def plan(self) -> tuple[Site, ...]:
        """The sites, with all their parameters."""
        return sites(self._wish)

    @cached_property
    def addresses(self) -> Addresses:
        """What every URL stands for."""
        return Addresses(self.plan)

    @cached_property
    def content(self) -> Content:
        """What is on every page."""
        return Content(self._wish, Dice(self.seed), self.addresses)

    @cached_property
    def linker(self) -> Linker:
        """Where every page leads."""
        return Linker(self.content)

    @cached_property
    def good_pages(self) -> int:
        """How many distinct good pages there are; counted one by one, so slow for a web of millions."""
        places = (
            Place(site, edition, "article", number)
            for site in self.plan
            for edition in site.editions
            if edition.text in self.targets or edition.scattered
            for number in range(edition.size)
        )
        truths = (self._truth_of(place, self.addresses.of(place)) for place in places)
        return len({truth.page for truth in truths if truth.good})

    def truth(self, url: str) -> UrlTruth:
        """The truth of a URL: of any, also of those that no page links to."""
        place = self.addresses.place(url)
        return self._truth_of(place, url) if place else self._truth_of_missing(url)

    def links(self, url: str) -> tuple[Link, ...]:
        """The links of the page at a URL, as its HTML has them; none where there is no page."""
        place = self.addresses.place(url)
        if place is None or self.content.fault(place) != 200:
            return ()
        links = self.linker(place)
        if place.view in ("sitemap", "feed"):
            return links.beside
        shape = self.content.shape(place) if place.view in ARTICLE_VIEWS else ("", 0)
        return render.shown_links(place, url, links, shape)

    def text(self, url: str) -> str:
        """The main text of the page at a URL: what a perfect extractor keeps of it."""
        place = self.addresses.place(url)
        if place is None or self.content.fault(place) != 200:
            return ""
        return self._article(place).text

    def target_bytes(self, url: str) -> int:
        """Bytes of the main text at a URL if it is in a target language; 0 for all else."""
        truth = self.truth(url)
        return len(self.text(url).encode()) if truth.language in self.targets else 0

    @property
    def target_share(self) -> float:
        """The share of all articles that are in a target language."""
        editions = [edition for site in self.plan for edition in site.editions]
        own = sum(each.size if each.text in self.targets else each.size * each.scattered for each in editions)
        return own / sum(each.size for each in editions)

    def page(self, url: str) -> Answer:
        """The answer to a request for a URL."""
        place = self.addresses.place(url)
        if place is None:
            return self._missing(url)
        truth, wait = self._truth_of(place, url), place.site.slowness
        if truth.status != 200:
            location = (("Location", truth.location),) if truth.location else ()
            notice = self._notice(place.edition.language, truth)
            return Answer(truth, notice, headers=location, wait_seconds=wait)
        links = self.linker(place)
        if place.view == "sitemap":
            return Answer(truth, render.sitemap(links).encode(), XML, wait_seconds=wait)
        if place.view == "feed":
            return Answer(truth, render.feed(place, links).encode(), RSS, wait_seconds=wait)
        html = render.html_page(self.content.dice, place, self._article(place), links)
        return Answer(truth, html.encode(), wait_seconds=wait)

    def seeds(self, count: int = 40, rich: float = 0.25) -> tuple[str, ...]:
        """URLs to begin a crawl with: a share of `rich` ones, which are good, and random ones (CZ-8, CZ-30).

        A random seed is a page of any site, in whatever language.
        """
        from corpulyzer.lab.demo.web.seeds import seeds

        return seeds(self, count, rich)

    def serve(self, **options: Any) -> WebServer:
        """A server of this web on loopback, to be used as a context manager."""
        from corpulyzer.lab.demo.web.server import WebServer

        return WebServer(self, **options)

    @property
    def _wish(self) -> Plan:
        return Plan(self.target, self.seed, self.sites, self.pages, self.strangers, self.also)

    def _missing(self, url: str) -> Answer:
        truth = self._truth_of_missing(url)
        if truth.view == "robots":
            return Answer(truth, robots(*self.addresses.hosts[host_of(url)][0]).encode(), "text/plain")
        return Answer(truth, self._notice(self.target, truth))

    def _truth_of_missing(self, url: str) -> UrlTruth:
        """The truth of a URL that stands for no page: robots.txt, nothing, or not even a host."""
        editions = self.addresses.hosts.get(host_of(url))
        if not editions:
            return UrlTruth(url, "dead", "", 502)
        site, _ = editions[0]
        if url.partition("://")[2].partition("/")[2] == "robots.txt":
            return UrlTruth(url, site.kind, "robots", 200)
        return UrlTruth(url, site.kind, "missing", 404, disallowed=_disallowed(site, url))

    def _truth_of(self, place: Place, url: str) -> UrlTruth:
        site, status = place.site, self.content.fault(place)
        closed, location = _disallowed(site, url), self._location(place, status)
        trap = place.view in TRAP_VIEWS or (site.trap == "session" and "sid=" in place.extra)
        if place.view not in ARTICLE_VIEWS:
            return UrlTruth(
                url, site.kind, place.view, status, disallowed=closed, trap=trap, location=location
            )
        first = self.content.origin(place)
        original = self.addresses.of(first)
        language = self.content.language(first.site, first.edition, first.number)
        fine = status == 200 and language in self.targets and not closed and not place.edition.translated
        return UrlTruth(
            url=url,
            kind=site.kind,
            view=place.view,
            status=status,
            language=language,
            good=fine and not self.content.is_short(place),
            duplicate_of=original if original != url else "",
            disallowed=closed,
            trap=trap,
            location=location,
        )

    def _location(self, place: Place, status: int) -> str:
        """Where a redirect leads: to another article, to another site, or to itself."""
        size = place.edition.size
        if place.view == "root" or (status == 301 and size == 1):
            return self.addresses.of(Place(place.site, place.edition, "home"))
        if status == LOOP:
            return self.addresses.of(place)
        if status == 301:
            number = (place.number + max(1, size // 3)) % size
            return self.addresses.article(place.site, place.edition, number)
        if status == 302:
            return self.linker.outside.any_home(place.site.number, place.number, "elsewhere")
        return ""

    def _article(self, place: Place) -> Article:
        if place.view in ARTICLE_VIEWS:
            return self.content.article(place)
        prose = writer(place.edition.language)
        return Article(prose.language, prose.navigation[0], "", "", "", ())

    def _notice(self, language: str, truth: UrlTruth) -> bytes:
        """The short page that comes with an error or a redirect."""
        labels = writer(language).labels
        words = labels["moved" if truth.location else "missing" if truth.status == 404 else "failed"]
        title = f"<title>{truth.status}</title>"
        return f"<html><head>{title}</head><body><h1>{words}</h1></body></html>".encode()


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
