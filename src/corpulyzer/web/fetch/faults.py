"""Errors of our own while a URL is asked for: each costs its URL, ten of them its site for the run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from corpulyzer.errors import UserError
from corpulyzer.web.fetch.recorder import Result

INTERNAL = "internal"
"""The outcome of a URL at which we failed, whatever its site did; also why the rest of its site is left."""

MOST_FAULTS = 10
"""After so many the site is set aside: the next would cost a request each and bring nothing."""

BEYOND_ONE_SITE = (OSError, MemoryError, UserError)
"""Errors that no URL is to blame for (a full disk, no memory); they end the crawl."""

OnFault = Callable[[str, Exception], None]


def _ignore(*_: object) -> None:
    """Hears of nothing."""


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
        """Whether a site has had its ten."""
        return self.sites[site] >= MOST_FAULTS

    @property
    def aside(self) -> list[str]:
        """The sites that are set aside."""
        return sorted(filter(self.is_aside, self.sites))


@dataclass
class Listener:
    """Passes results on. What goes wrong there is the listener's, not the site's; `failure` keeps it."""

    on_result: Callable[[Result], None]
    failure: Exception | None = None

    def __call__(self, result: Result) -> None:
        try:
            self.on_result(result)
        except Exception as error:
            self.failure = error
            raise

    def is_of_site(self, error: Exception) -> bool:
        """Whether an error has to do with the URL that was asked for, as far as anybody can tell."""
        return error is not self.failure and not isinstance(error, BEYOND_ONE_SITE)
