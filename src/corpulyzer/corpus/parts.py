"""The parts that the tables of archives should have: what they are called, their rows, what they are made of.

An archive is one part of `fetches`. It is one part of `documents` and of `links` too, unless it has more
pages than `engine.part_pages`: a part costs requests and entries in the log of each table made of it. On one
machine parts are small instead, since where one page of a part changes, much is made again for all of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpulyzer.corpus.archives import IMPORTED
from corpulyzer.corpus.settings.config import Config
from corpulyzer.engine.derived import Entry, differs_at, holds, made_of
from corpulyzer.records.fingerprint import fingerprint

if TYPE_CHECKING:
    from corpulyzer.corpus.archives import Archive

FIRST_ROWS = 2_000
"""The rows of a part whose mark does not say how many: all parts had so many at most once."""
CLUSTER_ROWS = 50_000
"""More than an archive of Common Crawl has."""
WHOLE = "whole"
NO_FETCHES = Entry("", "", "", 0)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A part of the documents and links of an archive: its rows of `fetches`, and what both are made of."""

    archive: Archive
    first: int
    stop: int
    documents: str
    links: str


def part_name(archive: Archive, number: int = 0) -> str:
    """The name of a part in each of its tables."""
    return f"round={archive.round:05d}/{archive.name}.{number:05d}.parquet"


def archive_of(part: str) -> str:
    """What the names of all parts of an archive begin with.

    >>> archive_of("round=00001/crawl-00003.00002.parquet")
    'round=00001/crawl-00003'
    """
    return part.rsplit(".", 2)[0]


def source_of(part: str) -> str:
    """Where the pages of a part are from: the archive that was imported, or `crawl`.

    >>> source_of("round=00000/news.00002.parquet"), source_of("round=00001/crawl-00003.00002.parquet")
    ('news', 'crawl')
    """
    taken_in, _, archive = archive_of(part).partition("/")
    return archive if taken_in == f"round={IMPORTED:05d}" else "crawl"


def wanted_fetches(archives: Sequence[Archive]) -> dict[str, str]:
    """What the fetches of archives are made of, by part: the archive's name, since archives never change."""
    mark = fingerprint("index", {})
    return {part_name(archive): made_of([archive.name], mark) for archive in archives}


@dataclass(frozen=True, slots=True)
class Cut:
    """How an archive is cut into parts of documents and links: the rows of one at most, and its stages.

    `prints` are the fingerprints of the groups of stages, in their order.
    """

    pages: int
    prints: tuple[str, ...]

    def parts(self, archive: Archive, fetches: Entry, made: Sequence[str] = ()) -> dict[str, Wanted]:
        """The parts of an archive with these fetches; `made` says what those that are there were made of."""
        size = _size(made, fetches, self.prints[0], self.pages)
        stages = [f"{self.prints[0]}{size}", *self.prints[1:]]
        documents, links = made_of([fetches.version], *stages), made_of([fetches.version], stages[0])
        rows = _rows_of(size, fetches)
        return {
            part_name(archive, number): Wanted(
                archive, first, min(first + rows, fetches.rows), documents, links
            )
            for number, first in enumerate(range(0, fetches.rows, rows))
        }


def cut_by(config: Config) -> Cut:
    """How the settings ask for archives to be cut."""
    from corpulyzer.page.pipeline import fingerprints

    pages = config.engine.part_pages or (CLUSTER_ROWS if config.engine.name == "spark" else FIRST_ROWS)
    return Cut(pages, tuple(fingerprints(config).values()))


def wanted_documents(
    config: Config, archives: Sequence[Archive], fetches: Mapping[str, Entry], made: Mapping[str, str]
) -> dict[str, Wanted]:
    """The parts of documents and links that there should be, and what they are made of.

    `made` says what the documents that are there were made of: whoever has parts of another size keeps them
    until they have to be extracted again.
    """
    cut, marks = cut_by(config), _by_archive(made)
    found: dict[str, Wanted] = {}
    for archive in archives:
        name = part_name(archive)
        found |= cut.parts(archive, fetches.get(name, NO_FETCHES), marks.get(archive_of(name), ()))
    return found


def stale_from(found: str, wanted: str) -> str | None:
    """The group of stages from which on documents are stale; None if they are not."""
    from corpulyzer.page.pipeline import GROUPS

    return None if holds(found, wanted) else GROUPS[max(0, differs_at(found, wanted) - 1)]


def _by_archive(made: Mapping[str, str]) -> dict[str, list[str]]:
    """What the parts of each archive were made of, in the order of their names."""
    found: dict[str, list[str]] = {}
    for name in sorted(made):
        found.setdefault(archive_of(name), []).append(made[name])
    return found


def _size(made: Sequence[str], fetches: Entry, extract: str, pages: int) -> str:
    """What the mark of extraction says of the rows of a part, behind its fingerprint.

    It is that of the first part that is there and holds, so that a lost one is made again in its size.

    >>> entry = Entry("a.00000.parquet", "", "1f", 5_000)
    >>> _size([], entry, "aa", 50_000), _size([], entry, "aa", 4_000)
    ('-whole', '-4000')
    >>> _size(["", "1f.aa.bb"], entry, "aa", 50_000)
    ''
    """
    for each in made:
        version, mark, *_ = [*each.split("."), "", ""]
        if version == fetches.version and mark.partition("-")[0] == extract:
            return mark.removeprefix(extract)
    if fetches.rows <= min(pages, FIRST_ROWS):
        return ""
    if fetches.rows <= pages:
        return f"-{WHOLE}"
    return f"-{pages}" if pages != FIRST_ROWS else ""


def _rows_of(size: str, fetches: Entry) -> int:
    """How many rows a part has at most, by what its mark says.

    >>> [_rows_of(size, Entry("", "", "", 5_000)) for size in ("", "-4000", "-whole")]
    [2000, 4000, 5000]
    """
    said = size.removeprefix("-")
    if said == WHOLE:
        return max(1, fetches.rows)
    return int(said) if said else FIRST_ROWS
