"""The links of a page of the built-in web: mostly within its site, like to like, and to hubs."""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass, field, replace
from itertools import accumulate

from corpulyzer.demo.frames import SECTIONS as MENU
from corpulyzer.demo.web_addresses import PER_LISTING, Addresses
from corpulyzer.demo.web_content import Content
from corpulyzer.demo.web_sites import Dice, Edition, Place, Site, writer
from corpulyzer.record import Link

LIKE_SHARE = 0.55
HUB_SHARE = 0.3
HOME_SHARE = 0.35
DEAD_SHARE = 0.01
NAMED_SHARE = 0.1
COPY_SHARE = 0.25
PLAIN_ANCHOR_SHARE = 0.08
SITEMAP_ARTICLES = 200
FEED_ARTICLES = 10
MENU_WORDS = {path.strip("/"): place for place, path in enumerate(MENU)}


@dataclass(frozen=True, slots=True)
class PageLinks:
    """The links of a page by where they stand."""

    menu: tuple[Link, ...] = ()
    related: tuple[Link, ...] = ()
    beside: tuple[Link, ...] = ()
    languages: tuple[Link, ...] = ()
    head: tuple[Link, ...] = ()

    def with_session(self, source: str, host: str, session: str) -> PageLinks:
        """The same, each link to the site itself with a session that no other page has."""

        def added(link: Link) -> Link:
            if not link.url.startswith(f"http://{host}/") or link.element != "a":
                return link
            return replace(link, url=f"{link.url}{'&' if '?' in link.url else '?'}sid={session}")

        return replace(
            self, menu=tuple(map(added, self.menu)), related=tuple(map(added, self.related)),
            beside=tuple(map(added, self.beside)),
        )  # fmt: skip


@dataclass(frozen=True)
class Pool:
    """Sites to choose from, larger ones more often."""

    members: tuple[tuple[Site, Edition], ...]
    sums: tuple[float, ...]

    def __call__(self, chance: float) -> tuple[Site, Edition]:
        return self.members[min(bisect(self.sums, chance * self.sums[-1]), len(self.members) - 1)]


def make_pool(members: list[tuple[Site, Edition]], exponent: float = 0.5) -> Pool:
    """A pool in which a site's weight goes with its size to the power of `exponent`."""
    return Pool(tuple(members), tuple(accumulate(edition.size**exponent for _, edition in members)))


@dataclass(frozen=True)
class Linker:
    """Draws the links of every page."""

    content: Content
    pools: dict[str, Pool] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        everyone = [(site, edition) for site in self.addresses.sites for edition in site.editions]
        for language in {edition.language for _, edition in everyone}:
            of_language = [pair for pair in everyone if pair[1].language == language]
            self.pools[language] = make_pool(of_language)
        self.pools["any"] = make_pool(everyone, 0.0)
        self.pools["hub"] = make_pool([p for p in everyone if p[0].kind == "hub"] or everyone[:1])

    @property
    def addresses(self) -> Addresses:
        return self.content.addresses

    @property
    def dice(self) -> Dice:
        return self.content.dice

    def __call__(self, place: Place) -> PageLinks:
        """The links of the page at a place that answers with a page."""
        draw = {
            "article": self._article, "home": self._home, "section": self._section, "print": self._print,
            "sitemap": self._sitemap, "feed": self._feed, "calendar": self._calendar,
            "facets": self._facets, "deep": self._deep,
        }.get(place.view, self._article if place.view in ("tag", "date") else self._static)  # fmt: skip
        links = draw(place)
        if place.site.trap == "session" and place.view not in ("sitemap", "feed"):
            source = self.addresses.of(place)
            session = f"{self.dice.number(source, 'session') & 0xFFFFFFFFFFFF:012x}"
            links = links.with_session(source, place.edition.host, session)
        return links

    def _article(self, place: Place) -> PageLinks:
        site, edition, number = place.site, place.edition, place.number
        key = (site.number, edition.number, number)
        near = [number - 1, number + 1]
        far = [self.dice.below(edition.size, *key, "related", i) for i in range(4)]
        related = [self._to_article(place, other, i) for i, other in enumerate(near + far)
                   if 0 <= other < edition.size and other != number]  # fmt: skip
        beside = [self._copy(place, view, number) for view in site.copies]
        wanted = 6 if site.kind == "hub" else (0, 0, 1, 1, 2, 3)[self.dice.below(6, *key, "outside")]
        beside += self._outside(place, wanted)
        return PageLinks(self._menu(place), tuple(related), tuple(beside), self._languages(place),
                         self._head(place))  # fmt: skip

    def _print(self, place: Place) -> PageLinks:
        first = replace(place, view="article", extra="")
        return PageLinks(beside=(Link(self.addresses.of(first), self.content.title(first)),))

    def _home(self, place: Place) -> PageLinks:
        site, edition = place.site, place.edition
        latest = range(min(edition.size, PER_LISTING))
        related = tuple(self._to_article(place, number, number) for number in latest)
        beside = [*self._trap_entries(place), *self._outside(place, 10 if site.kind == "hub" else 4)]
        return PageLinks(self._menu(place), related, tuple(beside), self._languages(place), self._head(place))

    def _section(self, place: Place) -> PageLinks:
        site, edition = place.site, place.edition
        start = place.number * PER_LISTING
        step = 1 if place.section == "archive" else len(site.sections)
        first = 0 if place.section == "archive" else site.sections.index(place.section)
        numbers = [first + step * i for i in range(start, start + PER_LISTING)]
        related = tuple(
            self._to_article(place, number, i) for i, number in enumerate(numbers) if number < edition.size
        )
        labels = writer(edition.language).labels
        pages = self.addresses.listings(site, edition, place.section)
        around = [(place.number - 1, labels["previous"]), (place.number + 1, labels["next"])]
        beside = [Link(self.addresses.of(replace(place, number=page, extra="")), words)
                  for page, words in around if 0 <= page < pages]  # fmt: skip
        beside += self._outside(place, 1)
        return PageLinks(self._menu(place), related, tuple(beside), self._languages(place), self._head(place))

    def _static(self, place: Place) -> PageLinks:
        return PageLinks(self._menu(place), languages=self._languages(place))

    def _sitemap(self, place: Place) -> PageLinks:
        site, links = place.site, []
        for edition in site.editions:
            code = writer(edition.text).code if site.hreflang else ""
            links += [Link(self.addresses.article(site, edition, number), hreflang=code, element="sitemap")
                      for number in range(min(edition.size, SITEMAP_ARTICLES))]  # fmt: skip
        return PageLinks(beside=tuple(links))

    def _feed(self, place: Place) -> PageLinks:
        places = [Place(place.site, place.edition, "article", number)
                  for number in range(min(place.edition.size, FEED_ARTICLES))]  # fmt: skip
        links = (Link(self.addresses.of(each), self.content.title(each), element="feed") for each in places)
        return PageLinks(beside=tuple(links))

    def _calendar(self, place: Place) -> PageLinks:
        labels = writer(place.edition.language).labels
        around = ((-1, labels["previous"]), (1, labels["next"]), (12, labels["year"]))
        beside = [Link(self.addresses.of(replace(place, number=place.number + step, extra="")), words)
                  for step, words in around]  # fmt: skip
        return PageLinks(self._menu(place), beside=tuple(beside))

    def _facets(self, place: Place) -> PageLinks:
        chosen = dict(pair.partition("=")[::2] for pair in place.extra.split("&") if pair)
        beside = []
        for name in ("color", "order", "size", "view"):
            for value in range(3):
                if chosen.get(name) != str(value):
                    both = sorted({**chosen, name: str(value)}.items())
                    extra = "&".join(f"{a}={b}" for a, b in both)
                    beside.append(Link(self.addresses.of(replace(place, extra=extra)), f"{name} {value}"))
        return PageLinks(self._menu(place), beside=tuple(beside))

    def _deep(self, place: Place) -> PageLinks:
        base = self.addresses.of(replace(place, extra=""))
        words = writer(place.edition.language).navigation
        beside = tuple(Link(f"{base}{name}/", words[MENU_WORDS[name]]) for name in place.site.sections[:3])
        return PageLinks(self._menu(place), beside=beside)

    def _menu(self, place: Place) -> tuple[Link, ...]:
        site, edition = place.site, place.edition
        words = writer(edition.language).navigation
        places = [
            Place(site, edition, "home"),
            *(Place(site, edition, "section", section=name) for name in site.sections),
        ]
        if place.view == "home":
            places += [
                Place(site, edition, "section", section="archive"),
                *(
                    Place(site, edition, "static", section=name)
                    for name in ("about.html", "contact.html", "search")
                ),
            ]
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
        site, links = place.site, []
        if site.canonical and place.view in ("article", "tag", "date"):
            links.append(Link(self.addresses.of(self.content.origin(place)), rel="canonical", element="link"))
        if site.hreflang:
            links += [Link(self._counterpart(place, edition), rel="alternate",
                           hreflang=writer(edition.language).code, element="link")
                      for edition in site.editions]  # fmt: skip
        if site.feed and place.view == "home":
            links.append(
                Link(self.addresses.of(Place(site, place.edition, "feed")), rel="alternate", element="feed")
            )
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
        return replace(link, anchor=self._words(link, site, edition, key))

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

    def _outside(self, place: Place, count: int) -> list[Link]:
        site, edition = place.site, place.edition
        links = []
        for i in range(count):
            key = (site.number, edition.number, place.view, place.section, place.number, "out", i)
            drawn = self.dice.chance(*key)
            if drawn < DEAD_SHARE:
                links.append(Link(f"http://gone{self.dice.below(500, *key, 'dead')}.test/", "www"))
                continue
            language = self._language_of(place)
            pool = "any" if site.kind == "hub" or drawn > LIKE_SHARE + HUB_SHARE else (
                language if drawn < LIKE_SHARE and language in self.pools else "hub")  # fmt: skip
            links.append(self._to_site(*self.pools[pool](self.dice.chance(*key, "site")), key))
        return links

    def _language_of(self, place: Place) -> str:
        if place.view == "article":
            return self.content.language(place.site, place.edition, place.number)
        return place.edition.language

    def _to_site(self, site: Site, edition: Edition, key: tuple[object, ...]) -> Link:
        drawn, prose = self.dice.chance(*key, "page"), writer(edition.language)
        if drawn < HOME_SHARE or not edition.size:
            named = self.dice.chance(*key, "named") < NAMED_SHARE
            home = self.addresses.of(Place(site, edition, "home"))
            return Link(home, prose.name if named else site.name.title())
        # Early articles are linked to more often than late ones.
        number = int(edition.size * self.dice.chance(*key, "number") ** 2)
        to = Place(site, edition, "article", number)
        return Link(self.addresses.of(to), self.content.title(to))

    def _trap_entries(self, place: Place) -> list[Link]:
        site, words = place.site, writer(place.edition.language).navigation[MENU_WORDS["archive"]]
        entry = {
            "calendar": Place(site, place.edition, "calendar"),
            "facets": Place(site, place.edition, "facets"),
            "deep": Place(site, place.edition, "deep", section="more/"),
        }.get(site.trap)
        return [Link(self.addresses.of(entry), words)] if entry else []
