"""Seeds out of lists of domains by rank, as Tranco, Umbrella or Majestic give them."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from corpulyzer.errors import UserError
from corpulyzer.web.seeds import Candidate
from corpulyzer.web.seeds.unpack import lines_of

SOURCE = "ranks"
_NAMES = ("domain", "host", "site", "url", "idn_domain", "root_domain")


def from_ranks(location: str, refuse: Callable[[str], str], limit: int = 0) -> Iterator[Candidate]:
    """The home pages of a list's domains that are not refused, in its order, at most so many (HR-2).

    A list may be packed, and is read only as far as needed.
    """
    name = os.path.basename(location.partition("?")[0])
    found = (
        Candidate(url, f"{name}, rank {rank:,}", rank=rank)
        for rank, domain in ranked_domains(location)
        if not refuse(url := f"https://{domain}/" if "://" not in domain else domain)
    )
    yield from islice(found, limit or None)


def ranked_domains(location: str) -> Iterator[tuple[int, str]]:
    """Each domain of a list with its rank: `rank,domain`, a table with a column `domain`, or one a line."""
    rows = csv.reader(_texts(lines_of(location)), delimiter="\t" if ".tsv" in location else ",")
    first = next(rows, [])
    names = [cell.strip().strip('"').lower().replace(" ", "_") for cell in first]
    column = next((names.index(name) for name in _NAMES if name in names), None)
    if column is None:
        place = _place(first, location)
        yield _rank(first, 1), first[place].strip()
    else:
        place = column
    for number, row in enumerate(rows, 1 if column is not None else 2):
        if len(row) > place and row[place].strip():
            yield _rank(row, number), row[place].strip()


def _place(row: list[str], location: str) -> int:
    """Which cell of a row is the domain."""
    for number, cell in enumerate(row):
        if "." in cell and not cell.replace(".", "").isdigit():
            return number
    raise UserError(
        f"{location} does not begin with a rank and a domain.",
        "Lines must be as in Tranco's list: 1,example.pk",
    )


def _rank(row: list[str], number: int) -> int:
    return int(row[0]) if row and row[0].strip().isdigit() else number


def _texts(lines: Iterable[bytes]) -> Iterator[str]:
    for line in lines:
        yield line.decode("utf-8-sig", "replace").rstrip("\r")
