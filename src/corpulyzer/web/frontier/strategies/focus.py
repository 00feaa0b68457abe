"""Our own strategy: the chance that a fetch brings a good page, learned as the crawl goes."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Annotated, ClassVar

from annotated_types import Ge, Gt

from corpulyzer.web.frontier import NO_QUOTA, UNWANTED, Scores, Situation
from corpulyzer.web.frontier.clues import ASPECTS, EVIDENCE, SIBLING
from corpulyzer.web.frontier.tables import MICRO

if TYPE_CHECKING:
    import numpy as np

    from corpulyzer.web.frontier import Columns, Ints
    from corpulyzer.web.frontier.strategies.chance_model import Fitted, Floats, Indices

    Flags = np.ndarray[tuple[int], np.dtype[np.bool_]]

LEVELS = ("site_id", "section_id", "prefix_id", "copies of site", "copies of prefix")
SITE, PATTERN = LEVELS.index("site_id"), LEVELS.index("prefix_id")
_ORIGIN = prod(len(ASPECTS[aspect]) for aspect in ("words", "alternate", "anchor", "share"))
BEFORE_ALL = 100 * MICRO
LISTS_BEHIND = 16
"""A round takes one list of a pattern, and one more for so many URLs that it may take of the site."""
HUBS_COST = MICRO
"""Maps and lists, which hold no good page, wait for pages whose log-odds are no more than this much lower."""
# What is believed before the first page; a few hundred pages outweigh it.
PRIOR = {
    "": -1.0,
    "words other": -1.5,
    "words target": 1.5,
    "alternate other": -2.0,
    "alternate target": 2.0,
    "anchor other": -0.7,
    "anchor script": 0.3,
    "anchor target": 1.2,
    "anchor named": 1.2,
    "share under 10 %": -1.2,
    "share under 50 %": 0.0,
    "share under 90 %": 0.5,
    "share 90 % and more": 1.0,
    "origin its site": 0.2,
    "origin seed": 2.0,
    "sibling read": -0.5,
}


@dataclass(frozen=True, slots=True)
class Focus:
    """Scores a URL by its log-odds of being a good page: one that the corpus keeps and does not have yet.

    Evidence on the link counts for all sites alike; site, section and pattern add what they have shown.
    `optimism` raises uncertain scores, so that new sites are tried; quotas let a site or pattern grow only as
    fast as it brings good pages, so that trying costs little.
    """

    optimism: Annotated[float, "How many standard deviations an uncertain score is raised.", Ge(0)] = 0.3
    trial: Annotated[int, "URLs that a round may take of a site or pattern without good pages.", Ge(1)] = 4
    growth: Annotated[int, "URLs more for each good page that it has had.", Ge(1)] = 4
    memory: Annotated[float, "Weight of a page against one fetched a round later.", Gt(0)] = 0.9
    prior_sd: Annotated[
        float, "Standard deviation of the weights of evidence around their first values.", Gt(0)
    ] = 1.0
    site_sd: Annotated[float, "How much sites differ beyond their evidence, in log-odds.", Gt(0)] = 2.0
    section_sd: Annotated[float, "How much sections of a site differ.", Gt(0)] = 1.5
    pattern_sd: Annotated[float, "How much patterns of a section differ.", Gt(0)] = 1.0
    copies_sd: Annotated[
        float, "How much sites and patterns differ in whether they show pages twice.", Gt(0)
    ] = 1.5
    map_after: Annotated[
        int, "Good pages of a site before its sitemap is read, if it has fewer URLs left.", Ge(1)
    ] = 20
    reads_maps: ClassVar[bool] = True
    key: ClassVar[str] = EVIDENCE
    order: ClassVar[tuple[str, ...]] = ("hops", "round")

    def __call__(self, cells: Columns, past: Columns, now: Situation) -> Scores:
        import numpy as np

        pages = ~_are_maps(past["evidence"])
        past, cells = _with_copies({name: past[name][pages] for name in past}), _with_copies(cells)
        levels = [np.unique(past[level], return_inverse=True) for level in LEVELS]
        model = self._fitted(past, levels, now)
        groups = tuple(_positions(cells[name], keys) for name, (keys, _) in zip(LEVELS, levels, strict=True))
        kinds, kind = _kinds(cells["evidence"])
        logit = model.logit(_features(kinds), kind, groups)
        bonus = self.optimism * np.sqrt(model.variance(groups, self._spread))
        score = np.rint((logit + bonus) * MICRO).astype(np.int64)

        def past_sums(name: str, level: int) -> Ints:
            """For each cell what its group at a level gave in all."""
            keys, where = levels[level]
            sums = np.bincount(where, past[name], len(keys)).astype(np.int64)
            return np.append(sums, 0)[groups[level]]

        good = past_sums("good", SITE)
        site_quota = self.trial + self.growth * good
        supply = _Supply.of(cells)
        score = np.where(supply.maps | supply.lists, score - HUBS_COST, score)
        score = np.where(supply.maps, self._of_maps(good, supply, site_quota, score), score)
        score = np.where(supply.lists & (supply.unread_maps | (supply.pages >= site_quota)), UNWANTED, score)
        quota = self.trial + self.growth * past_sums("good", PATTERN)
        shows_copies = past_sums("copies", SITE) * 33 > past_sums("pages", SITE)
        return Scores(
            score,
            np.where(supply.lists, np.minimum(quota, 1 + site_quota // LISTS_BEHIND), quota),
            site_quota,
            # One URL of a stem per round on sites with copies: its page shows whether the others are copies.
            np.where(shows_copies, 1, NO_QUOTA),
        )

    @property
    def _spread(self) -> tuple[float, ...]:
        return (self.site_sd, self.section_sd, self.pattern_sd, self.copies_sd, self.copies_sd)

    def _fitted(self, past: Columns, levels: list[tuple[Ints, Indices]], now: Situation) -> Fitted:
        """The model that the past teaches, of which `levels` are the groups."""
        import numpy as np

        from corpulyzer.web.frontier.strategies import chance_model

        weight = self.memory ** np.minimum(now.round - past["round"], 10)
        kinds, kind = _kinds(past["evidence"])
        sample = chance_model.Sample(
            past["tries"] * weight,
            past["good"] * weight,
            _features(kinds),
            kind,
            tuple(group for _, group in levels),
        )
        # Where URLs stand behind the front, their sites are one, with the key 0, and those in front are many.
        is_deep = (levels[SITE][0] == 0).any()
        if is_deep and len(weight) > chance_model.MOST_ROWS:
            return chance_model.fit_in_steps(sample, _prior(), self.prior_sd, self._spread)
        return chance_model.fit(sample, _prior(), self.prior_sd, self._spread)

    def _of_maps(self, good: Ints, supply: _Supply, site_quota: Ints, score: Ints) -> Ints:
        """The score of sitemaps: above all pages where a good site runs out of URLs.

        Where a site has no pages left, or a good page and too few for the round, it is that of a page; else
        they are not wanted.
        """
        import numpy as np

        is_short = (supply.pages == 0) | ((good > 0) & (supply.pages < site_quota))
        wanted = np.where(is_short, score, UNWANTED)
        return np.where((good >= self.map_after) & (supply.pages < good), BEFORE_ALL, wanted)


@dataclass(frozen=True, slots=True)
class _Supply:
    """Which cells are sitemaps, which are lists or feeds, and what is left to fetch of each cell's site."""

    maps: Flags
    lists: Flags
    pages: Ints
    unread_maps: Flags

    @classmethod
    def of(cls, cells: Columns) -> _Supply:
        import numpy as np

        lists = np.equal(cells["lists"], 1)
        maps = _are_maps(cells["evidence"]) & ~lists
        sites, site = np.unique(cells["site_id"], return_inverse=True)
        left = cells["supply"] * np.equal(cells["held"], 0)
        pages, unread = (np.bincount(site, left * kind, len(sites))[site] for kind in (~(maps | lists), maps))
        return cls(maps, lists, pages.astype(np.int64), unread > 0)


def _with_copies(columns: Columns) -> Columns:
    """The columns with keys of site and pattern that differ for URLs of which another view was read."""
    sibling = columns["evidence"] // SIBLING
    return {
        **columns,
        "copies of site": columns["site_id"] ^ sibling,
        "copies of prefix": columns["prefix_id"] ^ sibling,
    }


def _are_maps(evidence: Ints) -> Flags:
    """Which evidence is that of a sitemap or feed: a file with links to pages, itself no page."""
    import numpy as np

    origins = ASPECTS["origin"]
    return np.equal(evidence // _ORIGIN % len(origins), origins.index("is a map"))


def _kinds(evidence: Ints) -> tuple[Ints, Indices]:
    """The different values of the evidence, which are small, in order, and where that of each row stands."""
    import numpy as np

    there = np.zeros(int(evidence.max(initial=-1)) + 1, np.bool_)
    there[evidence] = True
    return np.flatnonzero(there), (np.cumsum(there) - 1)[evidence]


def _features(evidence: Ints) -> Floats:
    """A column for the constant, and one for each value of each aspect of the evidence but the first."""
    import numpy as np

    columns = [np.ones(len(evidence))]
    rest = evidence
    for values in ASPECTS.values():
        rest, digit = np.divmod(rest, len(values))
        columns += [(digit == value).astype(np.float64) for value in range(1, len(values))]
    return np.stack(columns, axis=1)


def _prior() -> Floats:
    import numpy as np

    names = [f"{aspect} {value}" for aspect, values in ASPECTS.items() for value in values[1:]]
    return np.array([PRIOR.get(name, 0.0) for name in ["", *names]])


def _positions(wanted: Ints, keys: Ints) -> Indices:
    """Where each value stands in the sorted `keys`; -1 where it does not."""
    import numpy as np

    if not len(keys):
        return np.full(len(wanted), -1, np.intp)
    place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[place] == wanted, place, -1)
