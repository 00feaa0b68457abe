"""When a site may be asked again: a function of what was recorded of it, and of nothing else.

So a crawl that was killed and goes on waits exactly as long as one that was not.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from corpulyzer.records import RENDERED, UNSAID, Fetch
from corpulyzer.warc.facts import MAX_RETRY_AFTER
from corpulyzer.web.fetch.settings import FetchSettings

THROTTLED = (429, 503)
FAILURES = frozenset("connect tls reset too_slow timeout_connect timeout_first_byte timeout_total".split())
"""Outcomes that say something about the site rather than about the page."""

WITHOUT_REQUEST = frozenset(
    """
    dns guard_refused robots_disallowed robots_unreachable opted_out scope
    redirect_loop redirect_limit invalid_url render_failed
    """.split()
)
"""Outcomes of refusals: the site was not asked."""

LONGEST_DATE = 64
"""Characters of a Retry-After that can be a date; real ones have 29."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A request that a site has seen: when it began, how long it took, and how it ended."""

    begun: float
    seconds: float
    status: int = 0
    outcome: str = "ok"
    retry_after: int | None = None


@dataclass(frozen=True, slots=True)
class SiteState:
    """What the attempts on a site add up to."""

    ended: float = 0.0
    typical_seconds: float = 0.0
    failures: int = 0
    not_before: float = 0.0

    def after(self, attempt: Attempt, settings: FetchSettings) -> SiteState:
        """The state once another attempt has ended."""
        ended = attempt.begun + attempt.seconds
        typical = (self.typical_seconds + attempt.seconds) / 2 if self.ended else attempt.seconds
        throttled = attempt.status in THROTTLED
        failures = self.failures + 1 if throttled or attempt.outcome in FAILURES else 0
        wait = 0.0
        if throttled:
            wait = attempt.retry_after or settings.backoff_seconds * 2.0 ** min(failures - 1, 32)
        elif failures > 1:
            wait = settings.failure_seconds * 2.0 ** min(failures - 2, 32)
        return SiteState(ended, typical, failures, ended + min(wait, settings.max_backoff_seconds))

    def ready_at(self, settings: FetchSettings, crawl_delay: float | None = None) -> float:
        """The time from which on the site may be asked again."""
        slow = min(settings.delay_per_second * self.typical_seconds, settings.max_delay_seconds)
        asked_for = min(crawl_delay or 0.0, settings.max_delay_seconds)
        return max(self.ended + max(settings.delay_seconds, slow, asked_for), self.not_before)


UNASKED = SiteState()


Bar = Callable[[str], Awaitable[str]]
"""Says right before a site is asked why it must not be, if so; until it says that, the request waits."""


async def unbarred(_site: str) -> str:
    """What is said of every site where each may be asked when it is ready."""
    return ""


def replay(
    fetches: Iterable[Fetch], settings: FetchSettings, before: Mapping[str, SiteState] | None = None
) -> dict[str, SiteState]:
    """The state of every site, from what it was and its fetches in order of date; refusals leave no trace."""
    states = dict(before or {})
    for fetch in fetches:
        if fetch.outcome not in WITHOUT_REQUEST and fetch.purpose != RENDERED:
            states[fetch.site] = states.get(fetch.site, UNASKED).after(attempt_of(fetch), settings)
    return states


def asked_until(states: dict[str, SiteState], sites: Iterable[str], at: float) -> None:
    """Have sites wait as if each had been asked at this time, since somebody may have asked it unseen."""
    for site in sites:
        state = states.get(site, UNASKED)
        states[site] = replace(state, ended=max(state.ended, at))


def attempt_of(fetch: Fetch) -> Attempt:
    """The attempt that a fetch records."""
    wait = None if fetch.retry_after == UNSAID else fetch.retry_after
    return Attempt(fetch.date.timestamp(), fetch.took_ms / 1000, fetch.status, fetch.outcome, wait)


def retry_after(value: str, now: float) -> int | None:
    """The seconds that a Retry-After header asks to wait, given as a number or as a date; None if neither.

    Whatever a server writes there, the answer is at most `MAX_RETRY_AFTER` and never an error.

    >>> retry_after("120", 0.0), retry_after("Thu, 01 Jan 1970 00:01:00 GMT", 0.0), retry_after("soon", 0.0)
    (120, 60, None)
    """
    value = value.strip()
    if value.isascii() and value.isdigit():
        digits = value.lstrip("0") or "0"
        return MAX_RETRY_AFTER if len(digits) > len(str(MAX_RETRY_AFTER)) else int(digits)
    if not value or len(value) > LONGEST_DATE:
        return None
    try:
        when = parsedate_to_datetime(value)
        if when.tzinfo is None:
            when = when.replace(tzinfo=UTC)
        wait = round((when - datetime.fromtimestamp(now, UTC)).total_seconds())
    except (ValueError, OverflowError, TypeError, IndexError):
        return None  # no such day, hour, year or zone
    return min(max(0, wait), MAX_RETRY_AFTER)
