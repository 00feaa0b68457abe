"""How far sets of pages or sites overlap: Jaccard, churn, and every combination (CZ-20, 21, 37, 38).

A query gives each key a mask, with a bit for each set that it is in. How many keys have each mask is all that
any measure of overlap needs, however many keys there are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from corpulyzer.engine import Dataset, Engine

MOST_SETS = 60


@dataclass(frozen=True, slots=True)
class Overlap:
    """Counts of keys by the sets that they are in: bit i of a mask stands for `names[i]`."""

    names: tuple[str, ...]
    masks: Mapping[int, int]

    def size(self, *sets: int) -> int:
        """Keys that are in all these sets, and maybe in others."""
        wanted = sum(1 << place for place in set(sets))
        return sum(count for mask, count in self.masks.items() if mask & wanted == wanted)

    def jaccard(self, a: int, b: int) -> float:
        """Eq. 1 of Corpulyzer (2021): shared keys of all keys of two sets, 0 for two empty ones (CZ-20).

        >>> Overlap(("a", "b"), {1: 30, 2: 20, 3: 50}).jaccard(0, 1)
        0.5
        """
        both = self.size(a, b)
        either = self.size(a) + self.size(b) - both
        return both / either if either else 0.0

    def churn(self, a: int, b: int) -> float | None:
        """The share of the keys of one set that the other does not have (CZ-21); not symmetric.

        >>> Overlap(("a", "b"), {1: 25, 3: 75}).churn(0, 1)
        0.25
        """
        return 1 - self.size(a, b) / self.size(a) if self.size(a) else None

    def returned(self, place: int) -> float | None:
        """The share of a set's keys that are in an earlier set, but not in the one before it (CZ-37)."""
        if place < 2 or not self.size(place):
            return None
        own, last, earlier = 1 << place, 1 << (place - 1), (1 << (place - 1)) - 1
        back = sum(n for mask, n in self.masks.items() if mask & own and not mask & last and mask & earlier)
        return back / self.size(place)

    def combinations(self) -> list[dict[str, Any]]:
        """Each combination of two or more sets that occurs: keys in all of them, and keys in them alone."""
        found = []
        for mask in range(1, 1 << len(self.names)) if len(self.names) <= 12 else self.masks:
            members = [place for place in range(len(self.names)) if mask >> place & 1]
            if len(members) >= 2 and self.size(*members):
                names = [self.names[place] for place in members]
                found.append(
                    {"members": names, "inclusive": self.size(*members), "exclusive": self.masks.get(mask, 0)}
                )
        return sorted(found, key=lambda row: (-row["exclusive"], -row["inclusive"], row["members"]))


def overlap(engine: Engine, sets: Mapping[str, tuple[Dataset, str]], column: str) -> Overlap:
    """How sets overlap in a column; each is a table and a condition on its rows in SQL."""
    if len(sets) > MOST_SETS:
        raise ValueError(f"{len(sets)} sets are too many to be compared at once; {MOST_SETS} can be")
    parts, tables = [], {}
    for place, (table, condition) in enumerate(sets.values()):
        parts.append(
            f"select {column} as k, {1 << place} as bit from t{place} where {condition} group by {column}"
        )
        tables[f"t{place}"] = table
    sql = (
        f"select mask, count(*) as n from (select k, sum(bit) as mask from ({' union all '.join(parts)}) "
        "as u group by k) as m group by mask order by mask nulls last"
    )
    rows = engine.query(sql, tables).to_pylist() if sets else []
    return Overlap(tuple(sets), {row["mask"]: row["n"] for row in rows})


def pairs(count: int) -> Sequence[tuple[int, int]]:
    """All pairs of places, each with itself too, for a square of cells."""
    return [(a, b) for a in range(count) for b in range(count)]
