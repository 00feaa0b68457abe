"""Links of the built-in web from one site to another: to the same language, to hubs, or to any site."""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass, field
from itertools import accumulate

from corpulyzer.lab.demo.web.content import Content
from corpulyzer.lab.demo.web.sites import Edition, Place, Site, writer
from corpulyzer.records import Link

# Of the links to other sites: those to sites in the page's language, to hubs; the rest go to any site.
LIKE_SHARE = 0.55
HUB_SHARE = 0.3
# Links to home pages rather than articles, those of them that are named for the language, and dead ones.
HOME_SHARE = 0.35
NAMED_SHARE = 0.1
DEAD_SHARE = 0.01
DEAD_HOSTS = 500


@dataclass(frozen=True, slots=True)
class Pool:
    """Sites to choose from, with running sums of their weights."""

    members: tuple[tuple[Site, Edition], ...]
    sums: tuple[float, ...]

    def __call__(self, chance: float) -> tuple[Site, Edition]:
        return self.members[min(bisect(self.sums, chance * self.sums[-1]), len(self.members) - 1)]


def make_pool(members: list[tuple[Site, Edition]], exponent: float = 0.5) -> Pool:
    """A pool in which a site's weight goes with its size to the power of `exponent`."""
    return Pool(tuple(members), tuple(accumulate(edition.size**exponent for _, edition in members)))


@dataclass(frozen=True)
class Outside:
    """Draws the links of a page to other sites."""

    content: Content
    pools: dict[str, Pool] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        everyone = [(site, edition) for site in self.content.addresses.sites for edition in site.editions]
        for language in sorted({edition.language for _, edition in everyone}):
            of_language = [pair for pair in everyone if pair[1].language == language]
            self.pools[language] = make_pool(of_language)
        self.pools["any"] = make_pool(everyone, 0.0)
        self.pools["hub"] = make_pool([pair for pair in everyone if pair[0].kind == "hub"] or everyone[:1])

    def __call__(self, place: Place, count: int) -> list[Link]:
        site, edition = place.site, place.edition
        page = (site.number, edition.number, place.view, place.section, place.number, "out")
        return [self._link(place, (*page, number)) for number in range(count)]

    def any_home(self, *key: object) -> str:
        """The home page of a site drawn by the key."""
        site, edition = self.pools["any"](self.content.dice.chance(*key))
        return self.content.addresses.of(Place(site, edition, "home"))

    def _link(self, place: Place, key: tuple[object, ...]) -> Link:
        dice = self.content.dice
        drawn, language = dice.chance(*key), self._language_of(place)
        if drawn < DEAD_SHARE:
            return Link(f"http://gone{dice.below(DEAD_HOSTS, *key, 'dead')}.test/", "www")
        if place.site.kind == "hub" or drawn > LIKE_SHARE + HUB_SHARE:
            pool = "any"
        else:
            pool = language if drawn < LIKE_SHARE and language in self.pools else "hub"
        return self._to_site(*self.pools[pool](dice.chance(*key, "site")), key)

    def _language_of(self, place: Place) -> str:
        if place.view == "article":
            return self.content.language(place.site, place.edition, place.number)
        return place.edition.language

    def _to_site(self, site: Site, edition: Edition, key: tuple[object, ...]) -> Link:
        dice, addresses = self.content.dice, self.content.addresses
        if dice.chance(*key, "page") < HOME_SHARE:
            named = dice.chance(*key, "named") < NAMED_SHARE
            words = writer(edition.language).name if named else site.name.title()
            return Link(addresses.of(Place(site, edition, "home")), words)
        # Early articles are linked to more often than late ones.
        number = int(edition.size * dice.chance(*key, "number") ** 2)
        to = Place(site, edition, "article", number)
        return Link(addresses.of(to), self.content.title(to))
