"""What a fetcher notes of an attempt beside what it received, each fact in a WARC field of its own.

Archives of earlier versions have these facts in prose, as the end and the beginning of a fetch's `detail`.
That is read here and nowhere else, and only where a record has no such fields. Every number is bounded:
whatever stands in a record, it cannot make a crawl wait or overflow.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import regex

from corpulyzer.records import UNSAID

PURPOSE = "WARC-Corpulyzer-Purpose"
LOCATION = "WARC-Corpulyzer-Location"
TOOK_MS = "WARC-Corpulyzer-Took-Ms"
RETRY_AFTER = "WARC-Corpulyzer-Retry-After"
PAGE = "WARC-Corpulyzer-Page"

PURPOSES = ("page", "robots", "part", "rendered")
MAX_LOCATION = 8_192
MAX_TOOK_MS = 86_400_000
MAX_RETRY_AFTER = 999_999_999
MAX_DIGITS = 20

_FOR_ROBOTS = "for robots.txt; "
_TIMES = regex.compile(r"(?:\A|; )took (\d+) ms(?:, retry after (\d+) s)?\Z")


@dataclass(frozen=True, slots=True)
class Facts:
    """What an attempt was for, where a redirect leads, how long it took, and when to come back.

    `page` is the page whose scripts asked for it, so that it can be removed with that page.
    """

    purpose: str = "page"
    location: str = ""
    took_ms: int = 0
    retry_after: int = UNSAID
    page: str = ""

    @property
    def headers(self) -> dict[str, str]:
        """The fields that stand for them in a record."""
        return {
            PURPOSE: self.purpose,
            LOCATION: self.location,
            TOOK_MS: str(self.took_ms),
            RETRY_AFTER: "" if self.retry_after == UNSAID else str(self.retry_after),
            PAGE: self.page,
        }


NO_FACTS = Facts()
_FACTS_OF = {purpose: Facts(purpose) for purpose in PURPOSES}


def facts_of(headers: Mapping[str, str], uri: str, detail: str) -> Facts:
    """The facts in a record's fields (lower-case names), or of an old one in its address and its detail."""
    purpose = headers.get(PURPOSE.lower(), "")
    if purpose not in PURPOSES:
        return _facts_of_prose(uri, detail) if detail else _FACTS_OF[purpose_by_address(uri)]
    return Facts(
        purpose=purpose,
        location=headers.get(LOCATION.lower(), "")[:MAX_LOCATION],
        took_ms=_number(headers.get(TOOK_MS.lower(), ""), MAX_TOOK_MS, 0),
        retry_after=_number(headers.get(RETRY_AFTER.lower(), ""), MAX_RETRY_AFTER, UNSAID),
        page=headers.get(PAGE.lower(), "")[:MAX_LOCATION],
    )


def purpose_by_address(uri: str) -> str:
    """What a record without a field for it was fetched for: the file of this name is a site's robots.txt.

    >>> purpose_by_address("http://a.pk/robots.txt"), purpose_by_address("http://a.pk/docs/robots.txt")
    ('robots', 'page')
    """
    return "robots" if uri.partition("://")[2].partition("/")[2] == "robots.txt" else "page"


def _facts_of_prose(uri: str, detail: str) -> Facts:
    """The facts in `[for robots.txt; ][to URL; ]took N ms[, retry after N s]`.

    The URL is the server's own text and may hold anything, so only the very end is believed.

    >>> _facts_of_prose("http://a.pk/", "to http://a.pk/;took 9 ms; took 12 ms, retry after 5 s")
    Facts(purpose='page', location='http://a.pk/;took 9 ms', took_ms=12, retry_after=5, page='')
    """
    for_robots = detail.startswith(_FOR_ROBOTS)
    purpose = "robots" if for_robots else purpose_by_address(uri)
    said = detail.removeprefix(_FOR_ROBOTS)
    times = _TIMES.search(said)
    took, wait = (times[1], times[2] or "") if times else ("", "")
    said = said[: times.start()] if times else said
    return Facts(
        purpose=purpose,
        location=said[3 : 3 + MAX_LOCATION] if said.startswith("to ") else "",
        took_ms=_number(took, MAX_TOOK_MS, 0),
        retry_after=_number(wait, MAX_RETRY_AFTER, UNSAID),
    )


def _number(text: str, most: int, otherwise: int) -> int:
    """A whole number, at most `most`; `otherwise` if it is none or has too many digits."""
    if not (text.isascii() and text.isdigit()) or len(text) > MAX_DIGITS:
        return otherwise
    return min(int(text), most)
