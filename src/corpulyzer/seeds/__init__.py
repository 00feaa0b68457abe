"""Where a crawl begins: URLs, each with where it came from and the round in which it goes in.

`seeds.jsonl` only ever grows; a URL that is there already is not added again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from corpulyzer.errors import UserError
from corpulyzer.storage import Storage
from corpulyzer.url import Refused, canonical

FILE = "seeds.jsonl"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A URL that someone proposes, and the words for how they came by it."""

    url: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Seed:
    """A canonical URL, its source (`command`, `file`, …) with detail, its round, and when it was added."""

    url: str
    source: str
    detail: str
    round: int
    added: str


@dataclass(frozen=True, slots=True)
class Added:
    """What became of proposed seeds: new ones, those known before, and those that are no web address."""

    new: tuple[Seed, ...]
    known: int
    refused: tuple[tuple[str, str], ...]


def read(storage: Storage) -> list[Seed]:
    """The seeds of a corpus, in the order in which they were added."""
    if not storage.exists(FILE):
        return []
    seeds = []
    for number, line in enumerate(storage.read(FILE).decode("utf-8").splitlines(), 1):
        try:
            seeds.append(Seed(**json.loads(line)))
        except (ValueError, TypeError):
            raise UserError(
                f"{storage.path(FILE)}, line {number}, is no seed.", "Delete that line and run this again."
            ) from None
    return seeds


def add(
    storage: Storage,
    candidates: Iterable[Candidate],
    source: str,
    *,
    round: int,
    change: Callable[[str], str] | None = None,
) -> Added:
    """Append what is new to the seeds, for `round`; `change` is applied to every canonical URL (HR-2)."""
    before = read(storage)
    known = {seed.url for seed in before}
    now = datetime.now(UTC).isoformat(timespec="seconds")
    new: dict[str, Seed] = {}
    refused: list[tuple[str, str]] = []
    found = 0
    for candidate in candidates:
        url = canonical(candidate.url)
        if isinstance(url, Refused):
            refused.append((candidate.url, url.reason))
            continue
        url = change(url) if change else url
        found += url in known or url in new
        if url not in known:
            new.setdefault(url, Seed(url, source, candidate.detail, round, now))
    if new:
        storage.write(FILE, _lines([*before, *new.values()]))
    return Added(tuple(new.values()), found, tuple(refused))


def to_homepage(url: str) -> str:
    """The home page of a URL's host (HR-2).

    >>> to_homepage("https://a.pk/news/1?x=2")
    'https://a.pk/'
    """
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.partition('/')[0].partition('?')[0]}/"


def _lines(seeds: Iterable[Seed]) -> bytes:
    return "".join(json.dumps(asdict(seed), ensure_ascii=False) + "\n" for seed in seeds).encode()
