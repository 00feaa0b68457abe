"""How good a crawl of the built-in web was, told from the server's own log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from corpulyzer.lab.demo.web.server import LogLine
from corpulyzer.lab.experiment.yield_rate import first_good

if TYPE_CHECKING:
    from corpulyzer.lab.demo.web import BuiltInWeb

# Clocks and queues are not exact to the millisecond.
TOLERANCE_SECONDS = 0.02


@dataclass(frozen=True, slots=True)
class Score:
    """What a crawl's requests brought. `yields` are those of consecutive blocks of requests (CZ-29).

    `coverage` is the share of all good pages of the web, `copies` are good pages fetched again elsewhere.
    """

    requests: int
    good: int
    yields: tuple[float, ...]
    coverage: float
    copies: int
    errors: int
    trap_fetches: int
    robots_breaches: int
    delay_breaches: int
    sites: int

    @property
    def rate(self) -> float:
        """Distinct good pages per request, robots.txt not counted."""
        return self.good / self.requests if self.requests else 0.0


def score_urls(web: BuiltInWeb, urls: Iterable[str], block: int = 0) -> Score:
    """The score of requests in their order; with `block`, also the yields of blocks of that many requests."""
    truths = [web.truth(url) for url in urls if not url.endswith("/robots.txt")]
    fresh = first_good(truths)
    size = block or max(1, len(truths))
    blocks = [fresh[i : i + size] for i in range(0, len(fresh), size)]
    return Score(
        requests=len(truths),
        good=sum(fresh),
        yields=tuple(sum(each) / len(each) for each in blocks),
        coverage=sum(fresh) / web.good_pages if web.good_pages else 0.0,
        copies=sum(truth.good for truth in truths) - sum(fresh),
        errors=sum(truth.status in (0, 404) or truth.status >= 500 for truth in truths),
        trap_fetches=sum(truth.trap for truth in truths),
        robots_breaches=sum(truth.disallowed for truth in truths),
        delay_breaches=0,
        sites=len({truth.url.split("/")[2] for truth in truths}),
    )


def score_log(web: BuiltInWeb, log: Sequence[LogLine], block: int = 0, delay: float = 0.0) -> Score:
    """The score of a crawl from the server's log; `delay` is the seconds that the crawler was to wait."""
    score = score_urls(web, (line.url for line in log), block)
    return replace(score, delay_breaches=delay_breaches(web, log, delay))


def delay_breaches(web: BuiltInWeb, log: Sequence[LogLine], delay: float = 0.0) -> int:
    """Requests that came too soon after the one before to the same site, by `delay` or its Crawl-delay.

    A crawler learns the Crawl-delay from robots.txt: the request right after that one may come at once.
    """
    last: dict[str, LogLine] = {}
    breaches = 0
    for line in sorted(log, key=lambda each: each.time):
        before, editions = last.get(line.host), web.addresses.hosts.get(line.host)
        wanted = max(delay, editions[0][0].crawl_delay if editions else 0.0)
        if before and wanted and before.path != "/robots.txt" and line.path != "/robots.txt":
            breaches += line.time - before.time < wanted - TOLERANCE_SECONDS
        last[line.host] = line
    return breaches
