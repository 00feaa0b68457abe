"""How long the fetching of a list should take, by the pauses of its sites: no clock has a say in it.

A site with many URLs or a long pause would hold up a round, so a list has of each only what can be asked for
in time. Since that does not hang on how fast anybody is, one fetcher, several, and those who go on after a
kill all fetch the same.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from corpulyzer.url import site_of
from corpulyzer.web.fetch.robots.permission import origin_of

if TYPE_CHECKING:
    from corpulyzer.web.fetch.robots.permission import RobotsCache
    from corpulyzer.web.fetch.settings import FetchSettings

LEAST_SECONDS = 10.0
TIMES_THE_HALF = 5.0
"""A round takes this many times what the first half of its list takes at most, or `LEAST_SECONDS`."""

TIMES_AS_PLANNED = 2.0
"""A round may take so many times what the pauses of its sites demand, since answers take time too."""

Pause = Callable[[str], float]
"""The seconds that must pass before a URL is asked for, after another one of its site."""


def pauses(settings: FetchSettings, robots: RobotsCache) -> Pause:
    """The pauses that are known beforehand: by the settings, and by robots.txt where it was read."""
    now = time.time()

    def pause(url: str) -> float:
        known = robots.get(origin_of(url), now)
        asked_for = known.rules.delay or 0.0 if known else 0.0
        return max(settings.delay_seconds, min(asked_for, settings.max_delay_seconds))

    return pause


def begins(urls: Sequence[str], pause: Pause) -> list[float]:
    """When each URL of a list would be asked for, in seconds from its beginning, if answers took no time.

    >>> begins(["http://a.pk/1", "http://b.pk/1", "http://a.pk/2", "http://a.pk/3"], lambda url: 3.0)
    [0.0, 0.0, 3.0, 6.0]
    """
    found: list[float] = []
    last: dict[str, float] = {}
    for url in urls:
        site = site_of(url)
        last[site] = last[site] + pause(url) if site in last else 0.0
        found.append(last[site])
    return found


def in_time(begin: Sequence[float], most_seconds: float) -> list[bool]:
    """Which URLs of a list are asked for before those with long pauses alone would hold it up.

    >>> in_time([0, 0, 1, 1, 2, 10, 30], 600.0)
    [True, True, True, True, True, True, False]
    """
    if not begin:
        return []
    half = sorted(begin)[(len(begin) - 1) // 2]
    last = min(max(LEAST_SECONDS, TIMES_THE_HALF * half), most_seconds)
    return [each <= last for each in begin]
