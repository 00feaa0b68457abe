"""In which languages a site of the built-in web is, and where each of them has its pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from corpulyzer.lab.demo.prose import LANGUAGES
from corpulyzer.lab.demo.web.sites import LOOK_ALIKES, NAMES, Edition, writer

# The target's part of the articles of sites in two languages, and of those where it is scattered.
TARGET_PARTS = (0.15, 0.25, 0.4)
SCATTERED = (0.15, 0.35)


@dataclass(frozen=True, slots=True)
class Plan:
    """What a web is to be: its target language, how many sites, and about how many articles in all.

    `strangers` says how many times as many sites are hubs or in the language of most sites. Where there are
    several targets, `also` has the others: sites take turns, so one that is named twice has twice the sites.
    """

    target: str
    seed: int
    sites: int
    pages: int
    strangers: int = 1
    also: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for target in (self.target, *self.also):
            if target not in LANGUAGES:
                raise ValueError(f"no prose in {target!r}: the built-in web speaks {', '.join(LANGUAGES)}")

    def of_site(self, number: int) -> Plan:
        """The plan of one of the sites: for the target whose turn it is."""
        targets = (self.target, *self.also)
        return replace(self, target=targets[number % len(targets)], also=())

    @property
    def stranger(self) -> str:
        """The language that most sites are in, and that the target's sites are mixed with."""
        return "hrv" if self.target == "eng" else "eng"

    @property
    def others(self) -> tuple[str, ...]:
        known = (self.target, self.stranger, LOOK_ALIKES[self.target])
        return tuple(language for language in LANGUAGES if language not in known)


@dataclass(frozen=True, slots=True)
class Wish:
    """What is decided of a site before its editions are: the `rank` is its number among its kind."""

    kind: str
    rank: int
    language: str
    host: str
    size: int


def editions(plan: Plan, wish: Wish) -> tuple[Edition, ...]:
    """The editions of a site: one, unless its kind is to have two languages."""
    make = EDITIONS.get(wish.kind)
    if make:
        return make(plan, wish)
    return (Edition(0, wish.language, wish.language, wish.host, wish.size),)


def by_path(plan: Plan, wish: Wish) -> tuple[Edition, ...]:
    """Two languages under two prefixes: codes, a name, a code on one side only, or names that say nothing."""
    code, foreign, name = writer(plan.target).code, writer(plan.stranger).code, NAMES[plan.target]
    choices = ((f"/{foreign}", f"/{code}"), ("", f"/{name}"), ("", f"/{code}"), ("/v1", "/v2"))
    theirs, ours = choices[wish.rank % len(choices)]
    rest, part = _parts(wish)
    return (
        Edition(0, plan.stranger, plan.stranger, wish.host, rest, prefix=theirs),
        Edition(1, plan.target, plan.target, wish.host, part, prefix=ours),
    )


def by_subdomain(plan: Plan, wish: Wish) -> tuple[Edition, ...]:
    """Two languages on two hosts."""
    ours = (writer(plan.target).code, NAMES[plan.target])[wish.rank % 2]
    rest, part = _parts(wish)
    return (
        Edition(0, plan.stranger, plan.stranger, f"www.{wish.host}", rest),
        Edition(1, plan.target, plan.target, f"{ours}.{wish.host}", part),
    )


def by_query(plan: Plan, wish: Wish) -> tuple[Edition, ...]:
    """Two languages told apart by a parameter."""
    query = f"{('lang', 'hl')[wish.rank % 2]}={writer(plan.target).code}"
    rest, part = _parts(wish)
    return (
        Edition(0, plan.stranger, plan.stranger, wish.host, rest),
        Edition(1, plan.target, plan.target, wish.host, part, query=query),
    )


def scattered(plan: Plan, wish: Wish) -> tuple[Edition, ...]:
    """One site in which some articles are in the target, and nothing in their addresses says so."""
    share = SCATTERED[wish.rank % len(SCATTERED)]
    return (Edition(0, plan.stranger, plan.stranger, wish.host, wish.size, scattered=share),)


def navigation_only(plan: Plan, wish: Wish) -> tuple[Edition, ...]:
    """Menus and headlines in the target, articles in another language."""
    return (Edition(0, plan.target, plan.stranger, wish.host, wish.size),)


def translated(plan: Plan, wish: Wish) -> tuple[Edition, ...]:
    """Articles, and what a machine made of them in the target."""
    theirs, ours, half = writer(plan.stranger).code, writer(plan.target).code, wish.size // 2
    return (
        Edition(0, plan.stranger, plan.stranger, wish.host, half, prefix=f"/{theirs}"),
        Edition(1, plan.target, plan.target, wish.host, wish.size - half, prefix=f"/{ours}", translated=True),
    )


EDITIONS: dict[str, Callable[[Plan, Wish], tuple[Edition, ...]]] = {
    each.__name__: each for each in (by_path, by_subdomain, by_query, scattered, navigation_only, translated)
}


def _parts(wish: Wish) -> tuple[int, int]:
    """The articles of a site in two languages, and how many of them are in the target."""
    target = max(1, round(wish.size * TARGET_PARTS[wish.rank % len(TARGET_PARTS)]))
    return wish.size - target, target
