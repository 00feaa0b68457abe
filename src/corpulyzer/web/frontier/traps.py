"""URLs that sites generate without end: recognised by their shape, and by what fetching similar ones gave."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import regex
from annotated_types import Ge

from corpulyzer.web.frontier.pattern import parts_of
from corpulyzer.web.frontier.views import is_list, is_other_view, is_plain

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SESSION = regex.compile(
    r"(?i)(?:^|[?&;/_])(?:sid|sess|session|sessionid|phpsessid|jsessionid|s)[=/](?=[^&;/]*\d)[0-9a-z]{16,}"
)
_CALENDAR = regex.compile(r"(?i)calend|kalend|takvim|/events?/|[?&](?:month|year|day|date|ical|mm|yyyy)=")
_YEAR = regex.compile(r"(?<!\d)(1[0-8]\d\d|190\d|20[4-9]\d|2[1-9]\d\d|[3-9]\d{3})(?=[-/&]\d{1,2}(?!\d)|$)")


OTHER_VIEW = "trap: another view"
PAGE_LIST = "list of pages"
"""The mark of URLs that are put off: they are fetched only as long as they lead to unknown pages."""


@dataclass(frozen=True, slots=True)
class Traps:
    """The reason why a URL looks like part of a trap, or an empty string; and when a pattern is one."""

    max_depth: Annotated[int, "Most path segments of a URL.", Ge(1)] = 12
    max_hops: Annotated[int, "Most links, and redirects between sites, from the nearest seed.", Ge(1)] = 50
    max_repeats: Annotated[int, "How often a path segment may occur in a URL.", Ge(1)] = 3
    max_parameters: Annotated[int, "Most parameters of a query.", Ge(0)] = 6
    max_characters: Annotated[int, "Longest URL.", Ge(16)] = 1024
    barren_pages: Annotated[
        int, "Pages of one pattern with next to no new text, before it is given up.", Ge(1)
    ] = 25
    known_views: Annotated[
        bool,
        "Whether to leave out forms, histories and other views of pages, and to put off lists of pages, by "
        "the names that common software gives them.",
    ] = True

    def __call__(self, url: str, hops: int = 0) -> str:
        if len(url) > self.max_characters:
            return "trap: length"
        if hops > self.max_hops:
            return "trap: hops"
        return "" if is_plain(url, self.max_depth) else self.by_shape(url)

    def by_shape(self, url: str) -> str:
        """The same for a URL that is neither too long nor too far from a seed, by a close look."""
        _, path, query = parts_of(url)
        segments = [segment for segment in path.split("/") if segment]
        if len(segments) > self.max_depth:
            return "trap: depth"
        if len(segments) > self.max_repeats and max(Counter(segments).values()) > self.max_repeats:
            return "trap: repeating segments"
        if len(segments) > 3 and _repeats(segments):
            return "trap: repeating segments"
        if query and query.count("&") >= self.max_parameters:
            return "trap: parameters"
        address = f"{path}?{query}"
        if _SESSION.search(address):
            return "trap: session"
        if _CALENDAR.search(address) and _YEAR.search(address):
            return "trap: calendar"
        return OTHER_VIEW if self.known_views and is_other_view(url) else ""

    def put_off(self, url: str) -> str:
        """The mark of a list of pages; empty for all else."""
        if not self.known_views or is_plain(url, self.max_depth):
            return ""
        return PAGE_LIST if is_list(url) else ""

    def barren(self, pages: NDArray[np.int64], fresh: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which patterns to give up: many pages, next to none of them with text not seen before."""
        return (pages >= self.barren_pages) & (fresh * 10 < pages)


def _repeats(segments: list[str]) -> bool:
    """Whether a run of two or more segments stands twice in a row: /a/b/a/b."""
    return any(
        segments[start : start + size] == segments[start + size : start + 2 * size]
        for size in range(2, len(segments) // 2 + 1)
        for start in range(len(segments) - 2 * size + 1)
    )
