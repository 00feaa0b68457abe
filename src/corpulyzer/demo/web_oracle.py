"""What a crawl could have got at best: one that knows the language of every URL in its frontier."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpulyzer.url import canonical

if TYPE_CHECKING:
    from corpulyzer.demo.web import BuiltInWeb


@dataclass(frozen=True)
class Oracle:
    """The requests of a crawl that takes URLs in the target language first, in the order they were found.

    It discovers as others do: by links of pages that it has fetched, beginning with the seeds. It knows the
    language of the text behind a URL before it fetches it, that traps have none, and what robots.txt says. It
    does not know how long the text is, whether it repeats another or was translated by a machine, nor
    whether the page is still there.
    """

    web: BuiltInWeb

    def __call__(self, seeds: Iterable[str], budget: int) -> list[str]:
        wanted: deque[str] = deque()
        rest: deque[str] = deque()
        seen: set[str] = set()
        requests: list[str] = []
        found = [url for url in map(canonical, seeds) if url]
        while len(requests) < budget:
            self._sort(found, seen, wanted, rest)
            if not wanted and not rest:
                break
            url = wanted.popleft() if wanted else rest.popleft()
            requests.append(url)
            truth = self.web.truth(url)
            links = (truth.location,) if truth.location else (link.url for link in self.web.links(url))
            found = [link for link in map(canonical, links) if link]
        return requests

    def _sort(self, found: list[str], seen: set[str], wanted: deque[str], rest: deque[str]) -> None:
        for url in found:
            if url not in seen:
                seen.add(url)
                truth = self.web.truth(url)
                if not truth.disallowed:
                    is_target = truth.language == self.web.target and not truth.trap
                    (wanted if is_target else rest).append(url)
