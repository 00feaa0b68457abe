"""The best that a crawl could do: crawls that know what is behind the URLs in their frontier."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from corpulyzer.url import canonical

if TYPE_CHECKING:
    from corpulyzer.lab.demo.web import BuiltInWeb, UrlTruth


@dataclass(frozen=True, slots=True)
class InTarget:
    """Wants what is in the target language. Pages of traps are not: they have no text, or none of their own.

    It does not know how long the text is, whether it repeats another or was translated by a machine, nor
    whether the page is still there.
    """

    target: str

    def __call__(self, truth: UrlTruth) -> bool:
        return truth.language == self.target and not truth.trap


@dataclass(frozen=True, slots=True)
class NewInTarget:
    """Wants what people wrote in the target language, one copy of each page. Only its length is not known."""

    target: str
    chosen: dict[str, str] = field(default_factory=dict)

    def __call__(self, truth: UrlTruth) -> bool:
        if truth.language != self.target or truth.trap or truth.kind == "translated":
            return False
        return self.chosen.setdefault(truth.page, truth.url) == truth.url


@dataclass(frozen=True, slots=True)
class Oracle:
    """The requests of a crawl that takes the URLs it wants first, in the order in which they were found.

    It discovers as others do: by links of pages that it has fetched, beginning with the seeds; and it does
    what robots.txt says. `wants` is what it knows: by default, the language of the text behind every URL.
    """

    web: BuiltInWeb
    wants: Callable[[UrlTruth], bool] | None = None

    def __call__(self, seeds: Iterable[str], budget: int) -> list[str]:
        wants = self.wants or InTarget(self.web.target)
        wanted, rest = deque[str](), deque[str]()
        seen: set[str] = set()
        requests: list[str] = []
        found = [url for url in map(canonical, seeds) if url]
        while len(requests) < budget:
            for truth in map(self.web.truth, (url for url in dict.fromkeys(found) if url not in seen)):
                if not truth.disallowed:
                    (wanted if wants(truth) else rest).append(truth.url)
            seen.update(found)
            if not wanted and not rest:
                break
            requests.append(wanted.popleft() if wanted else rest.popleft())
            found = self._found(requests[-1])
        return requests

    def _found(self, url: str) -> list[str]:
        """The URLs that fetching a page makes known."""
        location = self.web.truth(url).location
        links = (location,) if location else (link.url for link in self.web.links(url))
        return [link for link in map(canonical, links) if link]
