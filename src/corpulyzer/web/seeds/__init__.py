"""Where a crawl begins: URLs, each with where it came from and the round in which it goes in.

`seeds.jsonl` only ever grows. A line is a sighting: the first of a URL makes it a seed, and another source
that names it too adds a line of its own, so that one can tell what sources agree on.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import regex

from corpulyzer.errors import UserError
from corpulyzer.records import int64_hash
from corpulyzer.storage import AtomicFile, Storage
from corpulyzer.storage.lock import editing
from corpulyzer.url import Refused, canonical, spelled, spelling_of

if TYPE_CHECKING:
    import pyarrow as pa

FILE = "seeds.jsonl"
_PIECE = 8 << 20
_BARE = regex.compile(r"[\w-]+(\.[\w-]+)+\.?(:\d+)?([/?#].*)?")
"""A host with a dot in it, with or without a path: what people type for an address."""

Refuse = Callable[[str], str]
"""Why a canonical URL is no seed, in a few words; empty if it may be one."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A URL that a source proposes, how the source came by it, and what is known of its language.

    `language` is what the source says or what its snippet was identified as; `rank` counts from 1.
    """

    url: str
    detail: str = ""
    query: str = ""
    rank: int = 0
    snippet: str = ""
    language: str = ""
    confidence: float = 0.0


@dataclass(frozen=True, slots=True)
class Seed:
    """A canonical URL, its source (`command`, `file`, …) with detail, its round, and when it was added.

    `spelling` is how the source spells it, empty where that is the canonical form.
    """

    url: str
    source: str
    detail: str
    round: int
    added: str
    query: str = ""
    rank: int = 0
    snippet: str = ""
    language: str = ""
    confidence: float = 0.0
    spelling: str = ""


@dataclass(frozen=True, slots=True)
class Added:
    """What became of proposed seeds: new ones, those known before, and those that are no seed, with why.

    `completed` are those that were given without a scheme, which became addresses of https.
    """

    new: tuple[Seed, ...]
    known: int
    refused: tuple[tuple[str, str], ...]
    completed: tuple[str, ...] = ()


def read(storage: Storage) -> list[Seed]:
    """The seeds of a corpus, in the order in which they were added, each as it was first seen."""
    found: dict[str, Seed] = {}
    for seed in sightings(storage):
        found.setdefault(seed.url, seed)
    return list(found.values())


def by_source(storage: Storage) -> dict[str, int]:
    """How many seeds each source has named. What two sources name counts for both: no seed is held here."""
    counts: dict[str, int] = {}
    for seed in sightings(storage):
        counts[seed.source] = counts.get(seed.source, 0) + 1
    return counts


def sightings(storage: Storage) -> Iterator[Seed]:
    """Every line of the seeds: a URL that several sources named comes once for each."""
    if not storage.exists(FILE):
        return
    with storage.open_input(FILE) as file:
        for number, line in enumerate(_lines_of(file), 1):
            try:
                yield Seed(**json.loads(line))
            except (ValueError, TypeError):
                raise UserError(
                    f"{storage.path(FILE)}, line {number}, is no seed.",
                    "Delete that line and run this again.",
                ) from None


def add(
    storage: Storage,
    candidates: Iterable[Candidate],
    source: str,
    *,
    round: int | Callable[[], int],
    change: Callable[[str], str] | None = None,
    refuse: Refuse | None = None,
) -> Added:
    """Append what is new to the seeds, for `round`; `change` is applied to every canonical URL (HR-2).

    A `round` that is a function is called under the lock of the seeds, when no round can begin.
    """
    wanted: list[tuple[str, str, Candidate]] = []
    refused: list[tuple[str, str]] = []
    completed: list[str] = []
    for candidate in candidates:  # which may take minutes, if they come from the network
        spelling = spelled(candidate.url)
        if not spelling and _BARE.fullmatch(candidate.url.strip()):
            spelling = spelled(f"https://{candidate.url.strip()}")
            completed.append(candidate.url.strip())
        url = canonical(spelling) if spelling else spelling
        why = url.reason if isinstance(url, Refused) else refuse(url) if refuse else ""
        if why or isinstance(url, Refused):
            refused.append((candidate.url, why))
        elif change:
            wanted.append((change(url), "", candidate))
        else:
            wanted.append((url, spelling_of(str(spelling), url), candidate))
    with editing(storage, "seeds"):
        new, known = _added(storage, wanted, source, round if isinstance(round, int) else round())
    return Added(new, known, tuple(refused), tuple(completed))


def _added(
    storage: Storage, wanted: Iterable[tuple[str, str, Candidate]], source: str, round: int
) -> tuple[tuple[Seed, ...], int]:
    """Append what is new of URLs with their spellings; return the new seeds, and how many were known."""
    rounds, named = _known(storage)
    before = frozenset(rounds)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    lines: list[Seed] = []
    found = 0
    for url, spelling, candidate in wanted:
        key, sighting = int64_hash(url), int64_hash(url, source)
        found += key in rounds
        if sighting not in named:
            named.add(sighting)
            known = rounds.setdefault(key, round)
            lines.append(replace(_seed(candidate, url, source, known, now), spelling=spelling))
    if lines:
        _append(storage, lines)
    new: dict[str, Seed] = {}
    for seed in lines:
        if int64_hash(seed.url) not in before:
            new.setdefault(seed.url, seed)
    return tuple(new.values()), found


def to_homepage(url: str) -> str:
    """The home page of a URL's host (HR-2).

    >>> to_homepage("https://a.pk/news/1?x=2")
    'https://a.pk/'
    """
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.partition('/')[0].partition('?')[0]}/"


def _known(storage: Storage) -> tuple[dict[int, int], set[int]]:
    """The round of each URL, and the pairs of URL and source, as keys: a tenth of the memory of strings."""
    rounds: dict[int, int] = {}
    named: set[int] = set()
    for seed in sightings(storage):
        rounds.setdefault(int64_hash(seed.url), seed.round)
        named.add(int64_hash(seed.url, seed.source))
    return rounds, named


def _seed(candidate: Candidate, url: str, source: str, round: int, now: str) -> Seed:
    facts = {item.name: getattr(candidate, item.name) for item in fields(candidate) if item.name != "url"}
    return Seed(url=url, source=source, round=round, added=now, **facts)


def _append(storage: Storage, lines: Iterable[Seed]) -> None:
    """Write the seeds anew with more at the end: a reader sees all of them, or none of the new ones."""
    with AtomicFile(storage.path(FILE)) as temporary, open(temporary, "wb") as target:
        if storage.exists(FILE):
            with storage.open_input(FILE) as before:
                while piece := before.read(_PIECE):
                    target.write(piece)
        for seed in lines:
            target.write(_line(seed))


def _line(seed: Seed) -> bytes:
    """A seed as a line of JSON; what is not known of it is left out."""
    optional = ("query", "rank", "snippet", "language", "confidence", "spelling")
    facts = {name: value for name, value in asdict(seed).items() if value or name not in optional}
    return (json.dumps(facts, ensure_ascii=False) + "\n").encode("utf-8", "replace")


def _lines_of(file: pa.NativeFile) -> Iterator[bytes]:
    rest = b""
    while piece := bytes(file.read(_PIECE)):
        *lines, rest = (rest + piece).split(b"\n")
        yield from lines
    if rest:
        yield rest
