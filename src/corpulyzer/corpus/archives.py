"""The archives of a corpus, wherever they came from: those of its imports, and those that its crawl wrote.

Everything that is made from archives, looked up in them or removed from them asks here where they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from corpulyzer.corpus.imports import sources
from corpulyzer.errors import UserError
from corpulyzer.storage import Storage, exists, is_remote
from corpulyzer.warc.names import ENDING, OPEN, archive_name

IMPORTED = 0
"""The round of what was imported; those of the crawl are counted from 1."""

AT_ONCE = 16
"""So many objects of a store are asked for at the same time."""

PREFIX = "crawl-"
"""What the names of the crawl's archives begin with."""


@dataclass(frozen=True, slots=True)
class Archive:
    """An archive of the corpus: the name that its tables carry, where it is, and where it came from.

    `round` is the round of the crawl that wrote it, or `IMPORTED`; then `source` is what was imported, and
    `bytes` its size at that time, 0 if nobody looked.
    """

    name: str
    path: str
    round: int = IMPORTED
    source: str = ""
    bytes: int = 0


def archives(storage: Storage) -> list[Archive]:
    """Every archive of the corpus: what was imported by name, then the crawl's by round and name."""
    return [*imported(storage), *crawled(storage)]


def imported(storage: Storage) -> list[Archive]:
    """The archives of everything imported, by name."""
    found = []
    for source in sources(storage):
        for place in source.archives:
            inside = place.startswith("imports/")
            path = storage.path(place) if inside else place
            name = archive_name(place) if inside else f"{source.name}-{source.version}"
            size = 0 if inside else max(0, source.bytes)
            found.append(Archive(name, path, source=source.path, bytes=size))
    return sorted(found, key=lambda archive: archive.name)


def crawled(storage: Storage, round: int | None = None) -> list[Archive]:
    """The closed archives of a round of the crawl, or of all, by round and name."""
    return [_of_crawl(storage, file) for file in storage.list(_below(round), ENDING)]


def left_open(storage: Storage, round: int | None = None) -> list[Archive]:
    """The same for those that are being written, or that a kill left so."""
    return [_of_crawl(storage, file) for file in storage.list(_below(round), f"{ENDING}{OPEN}")]


def not_noted(storage: Storage) -> list[Archive]:
    """The archives in `imports/`, closed or not, that no import names: a kill came before it was noted."""
    known = {archive.path for archive in imported(storage)}
    files = [file for ending in (ENDING, f"{ENDING}{OPEN}") for file in storage.list("imports", ending)]
    found = [Archive(archive_name(file), storage.path(file)) for file in files]
    return [archive for archive in found if archive.path not in known]


def round_folder(round: int) -> str:
    """The folder of what a round fetched."""
    return f"warc/round={round:05d}"


def stem(round: int) -> str:
    """What the names of a round's archives begin with."""
    return f"{PREFIX}{round:05d}"


@dataclass(frozen=True, slots=True)
class CrawlPlaces(Mapping[str, str]):
    """Where the crawl's closed archive of a name is: the same value for all rounds of a crawl."""

    storage: Storage

    def __getitem__(self, name: str) -> str:
        number = name.removeprefix(PREFIX).partition("-")[0]
        if not name.startswith(PREFIX) or not number.isdecimal():
            raise KeyError(name)
        return self.storage.path(f"{round_folder(int(number))}/{name}{ENDING}")

    def __iter__(self) -> Iterator[str]:
        return (archive.name for archive in crawled(self.storage))

    def __len__(self) -> int:
        return len(crawled(self.storage))


def check(found: Sequence[Archive]) -> None:
    """Guarantee that every archive is where it was; UserError names the first that is not."""
    if any(is_remote(archive.path) for archive in found):
        with ThreadPoolExecutor(AT_ONCE) as pool:
            there = list(pool.map(exists, [archive.path for archive in found]))
    else:
        there = [exists(archive.path) for archive in found]
    gone = [archive for archive, is_there in zip(found, there, strict=True) if not is_there]
    if gone:
        others = f" and {len(gone) - 1:,} more" if len(gone) > 1 else ""
        again = ", or import it from its new place with `corpulyzer import PATH`"
        raise UserError(
            f"The archive {gone[0].path}{others} is no longer there.{_made_of(gone[0])}",
            f"Put it back{again if gone[0].round == IMPORTED else ''}.",
        )


def _made_of(archive: Archive) -> str:
    """Where the content of an archive in the corpus folder came from, in words."""
    if archive.round != IMPORTED:
        return f" Round {archive.round} of the crawl had fetched it."
    return f" It was made of {archive.source}." if archive.source != archive.path else ""


def _below(round: int | None) -> str:
    return "warc" if round is None else round_folder(round)


def _of_crawl(storage: Storage, file: str) -> Archive:
    number = int(file.rpartition("/")[0].rpartition("=")[2])
    return Archive(archive_name(file), storage.path(file), number)
