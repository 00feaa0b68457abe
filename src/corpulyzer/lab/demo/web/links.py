"""The links of a page of the built-in web: menus, related articles, other languages, copies, neighbours."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from corpulyzer.lab.demo.web import traps
from corpulyzer.lab.demo.web.addresses import PER_LISTING, Addresses
from corpulyzer.lab.demo.web.content import Content
from corpulyzer.lab.demo.web.outside import Outside
from corpulyzer.lab.demo.web.sites import Dice, Edition, Place, Site, writer
from corpulyzer.lab.demo.web.traps import MENU_WORDS
from corpulyzer.records import Link

# Of a site's links to its articles: the share to another view, and the share without the title as anchor.
COPY_SHARE = 0.25
PLAIN_ANCHOR_SHARE = 0.08
SITEMAP_ARTICLES = 200
FEED_ARTICLES = 10
# How many other sites a page links to: an article draws one of these, home pages and hubs have more.
OUTSIDE = (0, 0, 1, 1, 2, 3)
OUTSIDE_OF_HOME, OUTSIDE_OF_HUB = 4, 6
STATIC = ("about.html", "contact.html", "search")


@dataclass(frozen=True, slots=True)
class PageLinks:
    """The links of a page by where they stand."""

    menu: tuple[Link, ...] = ()
    related: tuple[Link, ...] = ()
    beside: tuple[Link, ...] = ()
    languages: tuple[Link, ...] = ()
    head: tuple[Link, ...] = ()

    def with_session(self, host: str, session: str) -> PageLinks:
        """The same, each link to the site itself with a session that no other page has."""

        def added(link: Link) -> Link:
            if not link.url.startswith(f"http://{host}/") or link.element != "a":
                return link
            return link._replace(url=f"{link.url}{'&' if '?' in link.url else '?'}sid={session}")

        parts = {name: tuple(map(added, getattr(self, name))) for name in ("menu", "related", "beside")}
        return replace(self, **parts)


@dataclass(frozen=True)
class Linker:
    """Draws the links of every page."""

    content: Content
    outside: Outside = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "outside", Outside(self.content))

    @property
    def addresses(self) -> Addresses:
        return self.content.addresses

    @property
    def dice(self) -> Dice:
        return self.content.dice

    def __call__(self, place: Place) -> PageLinks:
        """The links of the page at a place that answers with a page."""
        if place.view in traps.TRAPS:
            ends = traps.TRAPS[place.view](self.addresses, place)
            links = PageLinks(self._menu(place), beside=tuple(ends))
        else:
            links = self._of_view(place)
        if place.site.trap == "session" and place.view not in ("sitemap", "feed"):
            session = f"{self.dice.number(self.addresses.of(place), 'session') & 0xFFFFFFFFFFFF:012x}"
            return links.with_session(place.edition.host, session)
        return links

    def _of_view(self, place: Place) -> PageLinks:
        if place.view in ("article", "tag", "date"):
            return self._article(place)
        views = {
            "home": self._home,
            "section": self._section,
            "print": self._print,
            "sitemap": self._sitemap,
            "feed": self._feed,
        }
        return views.get(place.view, self._static)(place)

    def _framed(self, place: Place, related: Iterable[Link], beside: Iterable[Link]) -> PageLinks:
        return PageLinks(
            self._menu(place), tuple(related), tuple(beside), self._languages(place), self._head(place)
        )

    def _article(self, place: Place) -> PageLinks:
        site, edition, number = place.site, place.edition, place.number
        key = (site.number, edition.number, number)
        far = (self.dice.below(edition.size, *key, "related", i) for i in range(4))
        others = enumerate((number - 1, number + 1, *far))
        related = [
            self._to_article(place, other, position)
            for position, other in others
            if 0 <= other < edition.size and other != number
        ]
        copies = [self._copy(place, view, number) for view in site.copies]
        wanted = OUTSIDE[self.dice.below(len(OUTSIDE), *key, "outside")]
        outside = self.outside(place, OUTSIDE_OF_HUB if site.kind == "hub" else wanted)
        return self._framed(place, related, copies + outside)

    def _print(self, place: Place) -> PageLinks:
        first = replace(place, view="article", extra="")
        return PageLinks(beside=(Link(self.addresses.of(first), self.content.title(first)),))

    def _home(self, place: Place) -> PageLinks:
        latest = range(min(place.edition.size, PER_LISTING))
        related = [self._to_article(place, number, number) for number in latest]
        more = OUTSIDE_OF_HUB if place.site.kind == "hub" else 0
        outside = self.outside(place, OUTSIDE_OF_HOME + more)
        return self._framed(place, related, traps.entrance(self.addresses, place) + outside)

    def _section(self, place: Place) -> PageLinks:
        site, edition = place.site, place.edition
        whole = place.section == "archive"
        step, first = (1, 0) if whole else (len(site.sections), site.sections.index(place.section))
        start = place.number * PER_LISTING
        numbers = [first + step * i for i in range(start, start + PER_LISTING)]
        related = [
            self._to_article(place, number, position)
            for position, number in enumerate(numbers)
            if number < edition.size
        ]
        return self._framed(place, related, self._pages(place) + self.outside(place, 1))

    def _pages(self, place: Place) -> list[Link]:
        """Links to the pages before and after one of a list."""
        labels = writer(place.edition.language).labels
        last = self.addresses.listings(place.site, place.edition, place.section) - 1
        around = [(place.number - 1, labels["previous"]), (place.number + 1, labels["next"])]
        return [
            Link(self.addresses.of(replace(place, number=page, extra="")), words)
            for page, words in around
            if 0 <= page <= last
        ]

    def _static(self, place: Place) -> PageLinks:
        return PageLinks(self._menu(place), languages=self._languages(place))

    def _sitemap(self, place: Place) -> PageLinks:
        links: list[Link] = []
        for edition in place.site.editions:
            code = writer(edition.text).code if place.site.hreflang else ""
            urls = self._first(place.site, edition, SITEMAP_ARTICLES)
            links += [Link(self.addresses.of(each), hreflang=code, element="sitemap") for each in urls]
        return PageLinks(beside=tuple(links))

    def _feed(self, place: Place) -> PageLinks:
        latest = self._first(place.site, place.edition, FEED_ARTICLES)
        links = (Link(self.addresses.of(each), self.content.title(each), element="feed") for each in latest)
        return PageLinks(beside=tuple(links))

    def _first(self, site: Site, edition: Edition, count: int) -> list[Place]:
        return [Place(site, edition, "article", number) for number in range(min(edition.size, count))]

    def _menu(self, place: Place) -> tuple[Link, ...]:
        site, edition = place.site, place.edition
        sections = (*site.sections, "archive") if place.view == "home" else site.sections
        static = STATIC if place.view == "home" else ()
        places = [
            Place(site, edition, "home"),
            *(Place(site, edition, "section", section=name) for name in sections),
            *(Place(site, edition, "static", section=name) for name in static),
        ]
        words = writer(edition.language).navigation
        return tuple(Link(self.addresses.of(each), words[MENU_WORDS[each.section]]) for each in places)

    def _languages(self, place: Place) -> tuple[Link, ...]:
        """Links to the same page in the site's other languages, or to their home pages."""
        links = []
        for edition in place.site.editions:
            if edition is not place.edition:
                prose = writer(edition.language)
                hreflang = prose.code if place.site.hreflang else ""
                links.append(Link(self._counterpart(place, edition), prose.name, hreflang=hreflang))
        return tuple(links)

    def _head(self, place: Place) -> tuple[Link, ...]:
        site, links = place.site, list[Link]()
        if site.canonical and place.view in ("article", "tag", "date"):
            links.append(Link(self.addresses.of(self.content.origin(place)), rel="canonical", element="link"))
        if site.hreflang:
            for edition in site.editions:
                to, code = self._counterpart(place, edition), writer(edition.language).code
                links.append(Link(to, rel="alternate", hreflang=code, element="link"))
        if site.feed and place.view == "home":
            feed = self.addresses.of(Place(site, place.edition, "feed"))
            links.append(Link(feed, rel="alternate", element="feed"))
        return tuple(links)

    def _counterpart(self, place: Place, edition: Edition) -> str:
        if place.view == "article" and place.number < edition.size:
            return self.addresses.article(place.site, edition, place.number)
        return self.addresses.of(Place(place.site, edition, "home"))

    def _to_article(self, place: Place, number: int, position: int) -> Link:
        site, edition = place.site, place.edition
        key = (site.number, edition.number, place.view, place.number, position)
        views = site.copies if site.copies and self.dice.chance(*key, "view") < COPY_SHARE else ("article",)
        link = self._copy(place, views[self.dice.below(len(views), *key, "which")], number)
        return link._replace(anchor=self._words(link, site, edition, key))

    def _words(self, link: Link, site: Site, edition: Edition, key: tuple[object, ...]) -> str:
        """What a site writes on a link to one of its articles."""
        prose = writer(edition.language)
        if site.anchors in ("number", "picture"):
            return f"» {key[-1]}" if site.anchors == "number" else ""
        if site.anchors == "more" or self.dice.chance(*key, "anchor") < PLAIN_ANCHOR_SHARE:
            return prose.labels["read_more"]
        if site.kind == "navigation_only":
            return prose.headline(self.dice.rng(*key, "headline"))
        return link.anchor

    def _copy(self, place: Place, view: str, number: int) -> Link:
        """A link to an article in one of its views."""
        extra = "sort=new" if view == "sort" else ""
        to = Place(place.site, place.edition, "article" if view == "sort" else view, number, extra=extra)
        return Link(self.addresses.of(to), self.content.title(to))
