"""Errors of our own at a URL: the URL is skipped, and after ten of them its site, for the run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from corpulyzer.errors import UserError
from corpulyzer.web.fetch.recorder import Result

INTERNAL = "internal"
"""The outcome of a URL at which we failed, whatever its site did; also why the rest of its site is left."""

MOST_FAULTS = 10
"""After so many the site is set aside, since each further one would cost it a request for nothing."""

BEYOND_ONE_SITE = (OSError, MemoryError, UserError)
"""Errors that no URL is to blame for (a full disk, no memory); they end the crawl."""

OnFault = Callable[[str, Exception], None]


def _ignore(*_: object) -> None:
    """The default listener, which does nothing."""


@dataclass
class Faults:
    """Counts faults by site; tells `on_fault` of each, with its URL, and `on_aside` of sites set aside."""

    on_fault: OnFault = _ignore
    on_aside: Callable[[str], None] = _ignore
    sites: Counter[str] = field(default_factory=Counter)

    def note(self, url: str, site: str, error: Exception) -> None:
        """Count a fault."""
        self.sites[site] += 1
        self.on_fault(url, error)
        if self.sites[site] == MOST_FAULTS:
            self.on_aside(site)

    def is_aside(self, site: str) -> bool:
        """Whether a site has had `MOST_FAULTS` faults."""
        return self.sites[site] >= MOST_FAULTS

    @property
    def aside(self) -> list[str]:
        """The sites that are set aside."""
        return sorted(filter(self.is_aside, self.sites))


@dataclass
class Listener:
    """Passes results on. An error of `on_result` is kept in `failure`, so that no site is blamed for it."""

    on_result: Callable[[Result], None]
    failure: Exception | None = None

    def __call__(self, result: Result) -> None:
        try:
            self.on_result(result)
        except Exception as error:
            self.failure = error
            raise

    def is_of_site(self, error: Exception) -> bool:
        """Whether an error may be due to the URL: not the listener's, and not one that concerns all sites."""
        return error is not self.failure and not isinstance(error, BEYOND_ONE_SITE)
