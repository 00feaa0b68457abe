"""Which sites the built-in web has: kinds by share, sizes by a power law, languages by kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from corpulyzer.lab.demo.pages.desk import HOSTS
from corpulyzer.lab.demo.pages.layouts import ARTICLE_LAYOUTS
from corpulyzer.lab.demo.web.editions import Plan, Wish, editions
from corpulyzer.lab.demo.web.sites import LOOK_ALIKES, Dice, Site


@dataclass(frozen=True, slots=True)
class Kind:
    """How many of the sites are of a kind, and how large they are on average against the others."""

    share: float
    size: float = 1.0


KINDS = {
    "rich": Kind(0.09, 1.2),
    "english": Kind(0.29, 2.0),
    "lookalike": Kind(0.10, 1.2),
    "other": Kind(0.06, 1.2),
    "hub": Kind(0.03, 4.0),
    "by_path": Kind(0.05, 1.2),
    "by_subdomain": Kind(0.04, 1.2),
    "by_query": Kind(0.04, 1.2),
    "scattered": Kind(0.04, 1.2),
    "navigation_only": Kind(0.07, 2.5),
    "archive": Kind(0.03, 0.8),
    "translated": Kind(0.04, 1.2),
    "slow": Kind(0.02, 0.4),
    "broken": Kind(0.03, 0.8),
    "trap": Kind(0.04, 0.4),
    "restricted": Kind(0.03, 0.4),
}
STRANGERS = ("english", "hub")
# The size of the n-th largest site of a kind goes with 1 / n to this power.
SIZE_EXPONENT = 0.7
SMALLEST = 4
SECTIONS = ("news", "sport", "culture", "health", "school", "farming", "opinion")
STYLES = ("number", "slug", "query", "post", "pretty")
# Where the kind needs addresses of a certain form: a parameter to add to, or a section in the path.
KIND_STYLES = {"by_query": ("query",), "restricted": ("number", "pretty")}
# What a site writes where it links to an article: mostly its title, but not everywhere.
ANCHORS = ("title", "title", "more", "number", "picture")
TRAPS = ("calendar", "facets", "deep", "session")
COPIES = (("print", "sort"), ("tag", "print"), ("date", "tag", "sort"))
MARKS = ("gtranslate_comment", "translation_stats", "machine_translated_from", "gtranslate_style",
         "gtranslate_widget", "gtranslate_host")  # fmt: skip
# An encyclopedia links to further views of each entry, a forum to one for each answer: those are copies.
COPYING_LAYOUTS = ("encyclopedia", "news", "blog")
PLAIN_LAYOUTS = tuple(
    each.__name__ for each in ARTICLE_LAYOUTS if each.__name__ not in ("forum", "encyclopedia")
)
ENDINGS = ("example", "example", "test", "news.example", "web.test")


def sites(plan: Plan) -> tuple[Site, ...]:
    """The sites of a web, the same for the same plan."""
    dice, shares = Dice(plan.seed), _shares(plan.strangers)
    counts = _counts(plan.sites, shares)
    kinds = [(kind, rank, count) for kind, count in counts.items() for rank in range(count)]
    total = sum(shares[kind] * KINDS[kind].size for kind in KINDS)
    made: list[Site] = []
    for number, (kind, rank, count) in enumerate(kinds):
        weights = [(place + 1) ** -SIZE_EXPONENT for place in range(count)]
        places = sorted(range(count), key=lambda place: dice.number(plan.target, kind, "rank", place))
        share = shares[kind] * KINDS[kind].size / total * weights[places[rank]] / sum(weights)
        size = max(SMALLEST, round(plan.pages * share))
        made.append(_site(plan.of_site(number), dice, number, kind, rank, size))
    return tuple(made)


def _shares(strangers: int) -> dict[str, float]:
    """The share of each kind among the sites."""
    weights = {kind: each.share * (strangers if kind in STRANGERS else 1) for kind, each in KINDS.items()}
    total = 1.0 if strangers == 1 else sum(weights.values())
    return {kind: weight / total for kind, weight in weights.items()}


def _counts(sites: int, shares: dict[str, float]) -> dict[str, int]:
    """Sites of each kind by largest remainder; one of each at least, where there are enough."""
    least = 1 if sites >= len(KINDS) else 0
    exact = {kind: share * sites for kind, share in shares.items()}
    counts = {kind: max(least, int(wanted)) for kind, wanted in exact.items()}
    by_rest = sorted(KINDS, key=lambda kind: (counts[kind] - exact[kind], kind))
    while sum(counts.values()) < sites:
        for kind in by_rest[: sites - sum(counts.values())]:
            counts[kind] += 1
    while sum(counts.values()) > sites:
        most = max(counts, key=lambda kind: (counts[kind] - exact[kind], kind))
        counts[most] -= 1
    return counts


def _site(plan: Plan, dice: Dice, number: int, kind: str, rank: int, size: int) -> Site:
    key = (plan.target, "site", number)
    language = _language(plan, kind, rank)
    stems = [host.partition(".")[0] for host in HOSTS[language]]
    name = f"{stems[dice.below(len(stems), *key, 'stem')]}{number + 11}"
    host = f"{name}.{ENDINGS[dice.below(len(ENDINGS), *key, 'ending')]}"
    some = 2 + dice.below(3, *key, "sections")
    styles = KIND_STYLES.get(kind, STYLES)
    layouts = COPYING_LAYOUTS if kind == "archive" else PLAIN_LAYOUTS
    return Site(
        number=number,
        kind=kind,
        name=name,
        target=plan.target,
        editions=editions(plan, Wish(kind, rank, language, host, size)),
        style=styles[dice.below(len(styles), *key, "style")],
        layout=layouts[dice.below(len(layouts), *key, "layout")],
        sections=SECTIONS[:some],
        paths_for_pages=dice.chance(*key, "pages") < 0.5,
        sitemap=dice.chance(*key, "sitemap") < 0.4,
        feed=dice.chance(*key, "feed") < 0.4,
        **{
            "anchors": ANCHORS[dice.below(len(ANCHORS), *key, "anchors")],
            "canonical": dice.chance(*key, "canonical") < 0.5,
            **_traits(dice, kind, rank, key),
        },
    )


def _traits(dice: Dice, kind: str, rank: int, key: tuple[object, ...]) -> dict[str, Any]:
    """What sets a kind apart, besides its languages."""
    if kind in ("by_path", "by_subdomain", "by_query"):
        return {"hreflang": kind == "by_query" or dice.chance(*key, "hreflang") < 0.6}
    if kind == "archive":
        # Every third repeats the articles of a rich site; rich sites have the first numbers.
        return {
            "copies": COPIES[rank % 3],
            "canonical": rank % 2 == 0,
            "mirrors": rank // 3 if rank % 3 == 2 else -1,
        }
    if kind == "translated":
        return {"mark": MARKS[rank % len(MARKS)]}
    if kind == "navigation_only":
        return {"anchors": "title"}
    if kind == "slow":
        return {"slowness": 0.15}
    if kind == "broken":
        return {"faults": 0.5}
    if kind == "trap":
        return {"trap": TRAPS[rank % len(TRAPS)]}
    if kind == "restricted":
        closed = ("/",) if rank % 4 == 3 else ("/private/", "/search")
        return {"disallow": closed, "crawl_delay": (0.5, 1.0)[rank % 2]}
    return {}


def _language(plan: Plan, kind: str, rank: int) -> str:
    """The main language of a site."""
    if kind in ("rich", "archive", "slow", "translated", "navigation_only"):
        return plan.target
    if kind == "lookalike":
        return LOOK_ALIKES[plan.target]
    if kind == "other":
        return plan.others[rank % len(plan.others)]
    if kind in ("broken", "trap", "restricted"):
        # Traps come in four sorts, so that both halves have all of them.
        return (plan.target, plan.stranger)[(rank // 4 if kind == "trap" else rank) % 2]
    return plan.stranger
