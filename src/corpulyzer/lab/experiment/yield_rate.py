"""How the yield of a crawl goes with its strategy and its seeds: Corpulyzer (2021), figure 3 (CZ-30)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Protocol

MIXES = (0.5, 0.25, 0.0)
"""Shares of rich seeds; the rest are random pages."""
ROUNDS = 11


class Truth(Protocol):
    """What counts of a page: whether it is good, and which URL stands for all its copies."""

    @property
    def good(self) -> bool: ...
    @property
    def page(self) -> str: ...


class Web(Protocol):
    """A web whose truth is known."""

    def truth(self, url: str) -> Truth: ...
    def seeds(self, count: int, rich: float) -> tuple[str, ...]: ...


Crawl = Callable[[Any, Sequence[str], Sequence[int]], list[list[str]]]
"""The requests by round of a crawl of a web, given seeds and the sizes of the rounds."""


@dataclass(frozen=True, slots=True)
class Run:
    """The yields of a crawl's rounds, and of all its requests together."""

    strategy: str
    rich: float
    web: int
    yields: tuple[float, ...]
    total: float


def yield_rates(
    webs: Sequence[Web],
    strategies: Mapping[str, Crawl],
    *,
    mixes: Sequence[float] = MIXES,
    sizes: Sequence[int],
    seeds: int,
) -> Iterator[Run]:
    """Crawl every web with every strategy from every mix of seeds."""
    for number, web in enumerate(webs):
        for rich in mixes:
            start = web.seeds(seeds, rich)
            for name, crawl in strategies.items():
                rounds = crawl(web, start, sizes)
                fresh = first_good(web.truth(url) for urls in rounds for url in urls)
                yield Run(name, rich, number, tuple(_by_round(fresh, rounds)), fmean(fresh or [False]))


def first_good(truths: Iterable[Truth]) -> list[bool]:
    """Of each request whether it brought a good page that none before it had brought."""
    seen: set[str] = set()
    fresh = []
    for truth in truths:
        fresh.append(truth.good and truth.page not in seen)
        if truth.good:
            seen.add(truth.page)
    return fresh


def rows(runs: Iterable[Run]) -> list[dict[str, Any]]:
    """A row for each strategy and mix: the mean yield of each round over the webs, and of the whole crawl.

    A crawl that ran out of URLs has no yield in the rounds that it did not reach.
    """
    groups: dict[tuple[str, float], list[Run]] = {}
    for run in runs:
        groups.setdefault((run.strategy, run.rich), []).append(run)
    return [
        {
            "strategy": strategy,
            "rich_seeds": rich,
            "webs": len(group),
            "mean": fmean(run.total for run in group),
            "rounds": list(_mean_by_round(group)),
        }
        for (strategy, rich), group in groups.items()
    ]


def as_csv(table: Sequence[Mapping[str, Any]]) -> str:
    """The rows as a table: strategy, share of rich seeds, round and yield."""
    lines = ["strategy,rich_seeds,round,yield"]
    for row in table:
        for number, value in enumerate(row["rounds"], 1):
            lines.append(f"{row['strategy']},{row['rich_seeds']:g},{number},{value:.6f}")
    return "\n".join(lines) + "\n"


def _by_round(fresh: list[bool], rounds: list[list[str]]) -> Iterator[float]:
    start = 0
    for urls in rounds:
        if urls:
            yield fmean(fresh[start : start + len(urls)])
        start += len(urls)


def _mean_by_round(runs: Sequence[Run]) -> Iterator[float]:
    for number in range(max(len(run.yields) for run in runs)):
        yield fmean(run.yields[number] for run in runs if number < len(run.yields))
