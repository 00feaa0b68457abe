"""A model of cost: what a corpus of so many pages takes, from what a page takes here.

A step takes something at its start and something for each page. Requests follow the bytes and the parts of
the tables, of which each archive is one, or each round of a crawl, and those of a crawl its time as well.
Dollars follow processor time, requests and what is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from math import ceil
from typing import Any

from corpulyzer.corpus.settings.config import Config
from corpulyzer.errors import UserError
from corpulyzer.lab.estimate.units import Unit, Units, Usage

PIECE_BYTES = 1 << 20
"""What a request that reads gets of a large object, about."""
WRITTEN_BYTES = 8 << 20
"""What a request that writes puts of a large object."""


@dataclass(frozen=True, slots=True)
class Requests:
    """Requests to an object store: those that read, and those that write or list."""

    reads: float = 0.0
    writes: float = 0.0

    def __add__(self, other: Requests) -> Requests:
        return Requests(self.reads + other.reads, self.writes + other.writes)

    def __mul__(self, times: float) -> Requests:
        return Requests(self.reads * times, self.writes * times)


AT_START: Mapping[str, Requests] = {
    "import": Requests(69, 34),
    "crawl": Requests(69, 34),
    "dedup": Requests(221, 94),
    "analyze: counts": Requests(483, 266),
    "analyze: fits": Requests(261, 72),
    "report": Requests(244, 54),
    "export": Requests(160, 48),
}
"""Requests of a step however little there is to do, counted by an S3 server."""
BY_PART: Mapping[str, Requests] = {
    "import": Requests(15, 5),
    "crawl": Requests(316, 83),
    "dedup": Requests(122, 8),
    "analyze: counts": Requests(230, 16),
    "analyze: fits": Requests(20, 0),
    "report": Requests(6, 0),
    "export": Requests(19, 0),
}
"""More of them for each part of the tables, counted likewise: of a crawl a round by two fetchers."""
BY_SHARD = Requests(20, 9)
"""More of them in each round of a crawl for each fetcher above two."""
BY_SECOND, BY_SECOND_OF_FETCHER = Requests(1.0, 0.5), Requests(3.0, 0.7)
"""Requests of a crawl for each second that it fetches: it tells what it does, looks at shards, seals."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a step takes, or all of them."""

    usage: Usage = field(default_factory=Usage)
    requests: Requests = field(default_factory=Requests)
    dollars: float = 0.0
    hours: float = 0.0

    def __add__(self, other: Cost) -> Cost:
        return Cost(
            self.usage + other.usage,
            self.requests + other.requests,
            self.dollars + other.dollars,
            self.hours + other.hours,
        )

    def to_json(self) -> dict[str, float]:
        """The same as plain values."""
        asked = {"read_requests": self.requests.reads, "write_requests": self.requests.writes}
        values = {**asdict(self.usage), **asked, "dollars": self.dollars, "hours": self.hours}
        return {name: round(value, 3) for name, value in values.items()}


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a corpus of so many pages costs, step by step, on one machine or on Spark."""

    way: str
    pages: int
    engine: str
    steps: Mapping[str, Cost]

    @property
    def total(self) -> Cost:
        """All steps together."""
        return sum(self.steps.values(), Cost())

    def to_json(self) -> dict[str, Any]:
        """The same as plain values."""
        steps = {name: cost.to_json() for name, cost in self.steps.items()}
        about = {"way": self.way, "pages": self.pages, "engine": self.engine}
        return {**about, "total": self.total.to_json(), "steps": steps}


def estimates(units: Units, pages: Iterable[int], config: Config) -> list[Estimate]:
    """What corpora of these sizes cost, made of archives and by a crawl; UserError for units of no step."""
    if unknown := sorted({unit.name for steps in units.values() for unit in steps} - set(AT_START)):
        raise UserError(f"There is no step {unknown[0]!r}.", f"Steps: {', '.join(AT_START)}.")
    return [_estimate(way, steps, each, config) for each in pages for way, steps in units.items()]


def _estimate(way: str, steps: Iterable[Unit], pages: int, config: Config) -> Estimate:
    engine = "local" if pages <= config.estimate.local_pages else "spark"
    parts = ceil(pages / (config.crawl.round_pages if way == "crawl" else config.estimate.archive_pages))
    return Estimate(way, pages, engine, {unit.name: cost_of(unit, pages, parts, config) for unit in steps})


def cost_of(unit: Unit, pages: int, parts: int, config: Config) -> Cost:
    """What one step costs for so many pages, in so many parts of each table.

    A crawl lasts as long as its sites let it, however many cores there are.
    """
    prices = config.estimate
    usage = unit.of(pages, config.crawl.round_pages)
    factor = 1.0 if pages <= prices.local_pages else prices.spark_factor
    usage = replace(usage, cpu_seconds=usage.cpu_seconds * factor)
    large = unit.page * unit.amount(pages)
    in_pieces = Requests(large.read_bytes / PIECE_BYTES, large.kept_bytes / WRITTEN_BYTES)
    requests = AT_START[unit.name] + BY_PART[unit.name] * parts + in_pieces
    seconds = pages / prices.pages_per_second if unit.name == "crawl" else 0.0
    if seconds:
        requests += BY_SHARD * ((prices.fetchers - 2) * parts)
        requests += (BY_SECOND + BY_SECOND_OF_FETCHER * prices.fetchers) * seconds
    core_hours = usage.cpu_seconds / prices.core_speed / prices.busy / 3600
    dollars = (
        core_hours * prices.core_hour_dollars
        + usage.kept_bytes / 1e9 * prices.months * prices.gigabyte_month_dollars
        + requests.reads / 1000 * prices.thousand_reads_dollars
        + requests.writes / 1000 * prices.thousand_writes_dollars
    )
    return Cost(usage, requests, dollars, max(core_hours / prices.cores, seconds / 3600))
