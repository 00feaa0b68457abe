"""How the yield of a crawl goes with its strategy and its seeds: Corpulyzer (2021), figure 3 (CZ-30)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Protocol

FIGURE_3 = ("opic", "lrl")
"""The strategies of the figure: Nutch's default, and the website score of the paper."""
MIXES = (0.5, 0.25, 0.0)
"""Shares of rich seeds; the rest are random pages."""
ROUNDS = 11
RICH_BYTES = 256
"""Target bytes from which the content-size filter keeps a page (CZ-6, CZ-8)."""
MEASURES = {
    "yield": "target pages of pages read (Eq. 6)",
    "after_csf": "the same after the content-size filter",
    "good_per_request": "distinct good pages per request",
}
"""The measures of a round, and what each divides by what."""


class Truth(Protocol):
    """What counts of a page: its status, whether it is good, and which URL stands for all its copies."""

    @property
    def status(self) -> int: ...
    @property
    def good(self) -> bool: ...
    @property
    def page(self) -> str: ...


class Web(Protocol):
    """A web whose truth is known."""

    def truth(self, url: str) -> Truth: ...
    def target_bytes(self, url: str) -> int: ...
    def seeds(self, count: int, rich: float) -> tuple[str, ...]: ...


Crawl = Callable[[Any, Sequence[str], Sequence[int]], list[list[str]]]
"""The requests by round of a crawl of a web, given seeds and the sizes of the rounds."""


@dataclass(frozen=True, slots=True)
class Yields:
    """The yields of a round, by each of `MEASURES`; those of pages are None where no page was read."""

    eq_6: float | None
    after_csf: float | None
    good_per_request: float


@dataclass(frozen=True, slots=True)
class Run:
    """The yields of a crawl's rounds, and distinct good pages per request of all its rounds together."""

    strategy: str
    rich: float
    web: int
    yields: tuple[Yields, ...]
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
                rounds = [urls for urls in crawl(web, start, sizes) if urls]
                fresh = iter(first_good(web.truth(url) for urls in rounds for url in urls))
                good = [[next(fresh) for _ in urls] for urls in rounds]
                yields = tuple(yields_of(web, urls, new) for urls, new in zip(rounds, good, strict=True))
                total = fmean([each for new in good for each in new] or [False])
                yield Run(name, rich, number, yields, total)


def yields_of(web: Web, urls: Sequence[str], fresh: Sequence[bool]) -> Yields:
    """The yields of a round of requests, of which some brought a good page that is new.

    Eq. 6 divides by pages successfully fetched, so failures and redirects do not count; and it counts a page
    with any text of the target, so copies and short pages do.
    """
    sizes = [web.target_bytes(url) for url in urls if web.truth(url).status == 200]
    return Yields(
        eq_6=fmean(size > 0 for size in sizes) if sizes else None,
        after_csf=fmean(size >= RICH_BYTES for size in sizes) if sizes else None,
        good_per_request=fmean(fresh),
    )


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
    """A row for each strategy and mix: each measure by round, the mean over the webs, and its mean of rounds.

    `rounds` and `mean` are Eq. 6. A crawl that ran out of URLs has no yield in the rounds that it did not
    reach.
    """
    groups: dict[tuple[str, float], list[Run]] = {}
    for run in runs:
        groups.setdefault((run.strategy, run.rich), []).append(run)
    return [_row(strategy, rich, group) for (strategy, rich), group in groups.items()]


def _row(strategy: str, rich: float, runs: Sequence[Run]) -> dict[str, Any]:
    found = {name: list(_mean_by_round(runs, name)) for name in ("eq_6", "after_csf", "good_per_request")}
    return {
        "strategy": strategy,
        "rich_seeds": rich,
        "webs": len(runs),
        "mean": _mean(found["eq_6"]),
        "rounds": found["eq_6"],
        "mean_after_csf": _mean(found["after_csf"]),
        "rounds_after_csf": found["after_csf"],
        "mean_good_per_request": fmean(run.total for run in runs),
        "rounds_good_per_request": found["good_per_request"],
    }


def curves(row: Mapping[str, Any]) -> dict[str, list[float | None]]:
    """The rounds of a row by measure."""
    named = {"yield": "rounds", **{name: f"rounds_{name}" for name in list(MEASURES)[1:]}}
    return {measure: row[name] for measure, name in named.items()}


def as_csv(table: Sequence[Mapping[str, Any]]) -> str:
    """The rows as a table: strategy, share of rich seeds, round, and its yield by each measure."""
    lines = [f"strategy,rich_seeds,round,{','.join(MEASURES)}"]
    for row in table:
        for number, values in enumerate(zip(*curves(row).values(), strict=True), 1):
            written = ",".join("" if value is None else f"{value:.6f}" for value in values)
            lines.append(f"{row['strategy']},{row['rich_seeds']:g},{number},{written}")
    return "\n".join(lines) + "\n"


def _mean_by_round(runs: Sequence[Run], measure: str) -> Iterator[float | None]:
    for number in range(max(len(run.yields) for run in runs)):
        yield _mean(getattr(run.yields[number], measure) for run in runs if number < len(run.yields))


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None
