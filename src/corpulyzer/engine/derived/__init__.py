"""Derived tables: what each part was made of, and the one rule that says which parts are stale.

A table is a folder of Parquet files, its parts. For each part the table's log has an entry: what it was made
of, and the version by which tables that are made of it know it. A version is the identity of the rows: it
holds no time and no place, so a copied folder is as fresh as the first, and a part that was made again with
the same rows makes nothing else stale.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from corpulyzer.records.fingerprint import digest

NOTHING: Mapping[str, str] = {}
FOLLOWED_ROWS = 10_000
"""In a part of up to so many rows single rows may be followed, which takes the whole part into memory here.
Larger parts are those of a cluster, whose tasks make them as a whole."""


class Entry(NamedTuple):
    """A part as the log of its table has it; one that was being made when it was written has no version.

    `ranges` says between which values some columns are (`storage.content.may_hold`).
    """

    name: str
    made_of: str
    version: str
    rows: int
    bytes: int = 0
    ranges: str = ""


class Part(NamedTuple):
    """A part as other tables are made of it: its name in its table, its file, its version and its rows."""

    name: str
    file: str
    version: str
    rows: int
    ranges: str = ""


def made_of(inputs: Sequence[str], *stages: str) -> str:
    """What a part is made of: the versions of its inputs, and the fingerprints of its stages in their order.

    >>> made_of(["1f"], "aa", "bb")
    '1f.aa.bb'
    """
    return ".".join([inputs[0] if len(inputs) == 1 else digest(list(inputs)), *stages])


def is_made_of(found: str, version: str) -> bool:
    """Whether a part has one input, of this version, whatever its stages.

    >>> is_made_of("1f.aa.bb", "1f"), is_made_of("1f.aa", "2e")
    (True, False)
    """
    return found.partition(".")[0] == version


def differs_at(found: str, wanted: str) -> int:
    """The number of the first stage at which two parts differ, 0 for their inputs; -1 if they are equal.

    >>> differs_at("1f.aa.bb", "1f.aa.cc"), differs_at("", "1f.aa.bb"), differs_at("1f.aa", "1f.aa")
    (2, 0, -1)
    """
    pairs = zip([*found.split("."), ""], [*wanted.split("."), ""], strict=False)
    return next((place for place, (one, other) in enumerate(pairs) if one != other), -1)


def holds(found: str, wanted: str, accepted: Mapping[str, str] = NOTHING) -> bool:
    """Whether what was made of `found` need not be made again. This is the one rule of staleness.

    `found` is empty for what is not there; `accepted` has fingerprints of an earlier format, each with the
    one that means the same today.
    """
    return bool(found) and accepted.get(found, found) == wanted


def stale(made: Mapping[str, str], wanted: Mapping[str, str]) -> list[str]:
    """The parts to be made: those that are missing, and those that were made of something else."""
    return [name for name, mark in wanted.items() if not holds(made.get(name, ""), mark)]


def orphans(made: Mapping[str, str], wanted: Mapping[str, str]) -> list[str]:
    """The parts to be removed: those whose inputs are gone."""
    return [name for name in made if name not in wanted]
