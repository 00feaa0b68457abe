"""What is on a page of the built-in web, and what became of it: language, length, title, text, faults."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from corpulyzer.lab.demo.prose import Article
from corpulyzer.lab.demo.web.addresses import ARTICLE_VIEWS, Addresses
from corpulyzer.lab.demo.web.editions import Plan
from corpulyzer.lab.demo.web.sites import Dice, Edition, Place, Site, writer

SHORT_SHARE = 0.25
RESET = 0
LOOP = 307
# How the addresses of missing articles answer: cumulated shares, and the status.
FAULTS = ((0.40, 404), (0.55, 500), (0.65, RESET), (0.85, 301), (0.96, 302), (1.0, LOOP))


@dataclass(frozen=True)
class Content:
    """The articles of a web; each follows from the plan and where it stands."""

    plan: Plan
    dice: Dice
    addresses: Addresses

    def origin(self, place: Place) -> Place:
        """The place whose article a page shows: itself, or what it is a copy of."""
        site = place.site
        if site.mirrors >= 0:
            first = self.addresses.sites[site.mirrors]
            if place.number < first.editions[0].size:
                return Place(first, first.editions[0], "article", place.number)
        return Place(site, place.edition, "article", place.number)

    def language(self, site: Site, edition: Edition, number: int) -> str:
        """The language of an article's text."""
        if edition.scattered and self.dice.chance(site.number, number, "language") < edition.scattered:
            return site.target
        return edition.text

    def is_short(self, place: Place) -> bool:
        """Whether an article is a remark of one sentence, too short to count."""
        first = self.origin(place)
        return self.dice.chance(first.site.number, first.edition.number, first.number, "short") < SHORT_SHARE

    def fault(self, place: Place) -> int:
        """The status that an address answers with: 200, an error, a redirect, or RESET."""
        if place.view not in ARTICLE_VIEWS:
            return 302 if place.view == "root" else 200
        site, edition = place.site, place.edition
        if self.dice.chance(site.number, edition.number, place.number, "fault") >= site.faults:
            return 200
        drawn = self.dice.chance(site.number, edition.number, place.number, "which")
        return next(status for limit, status in FAULTS if drawn < limit)

    def title(self, place: Place) -> str:
        """The headline of the article at a place."""
        first = self.origin(place)
        language = self.language(first.site, first.edition, first.number)
        return _title(self.dice, language, first.site.number, first.edition.number, first.number)

    def article(self, place: Place) -> Article:
        """The article at a place."""
        first = self.origin(place)
        language = self.language(first.site, first.edition, first.number)
        prose = writer(language)
        rng = self.dice.rng(first.site.number, first.edition.number, first.number, "text")
        topic, count = self.shape(place)
        author, date = prose.names(rng), prose.date(rng)
        if self.is_short(place):
            paragraphs: tuple[str, ...] = (f"{prose.slot('comment', rng)} – {author}",)
        else:
            paragraphs = tuple(prose.paragraph(rng, 3 + int(rng.random() * 3), topic) for _ in range(count))
        return Article(language, self.title(place), author, date, topic, paragraphs)

    def shape(self, place: Place) -> tuple[str, int]:
        """The topic of an article and the number of its paragraphs, which need no text to be made."""
        first = self.origin(place)
        language = self.language(first.site, first.edition, first.number)
        drawn = self.dice.number(first.site.number, first.edition.number, first.number, "shape")
        topics = tuple(writer(language).topics)
        return topics[drawn % len(topics)], 1 if self.is_short(place) else 2 + (drawn >> 32) % 4


@lru_cache(maxsize=1 << 16)
def _title(dice: Dice, language: str, site: int, edition: int, number: int) -> str:
    return writer(language).headline(dice.rng(site, edition, number, "title"))
