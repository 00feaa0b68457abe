"""How much of a corpus is said twice, at each level (CZ-25, CZ-26, CZ-52, HR-4, HR-7, XH-15, C4-8, C4-9)."""

from __future__ import annotations

import html
from dataclasses import asdict, dataclass
from typing import Any

from corpulyzer.analyze.funnel import percent
from corpulyzer.engine import Dataset, Engine

SIZES_SQL = """
select size, count(*) as clusters from labels where place = 1 group by size order by size nulls last
"""


@dataclass(frozen=True, slots=True)
class LevelCount:
    """One level: its units, and how many of them are copies of another.

    A duplicate is a unit that is not the one which represents its cluster; `clusters` are those of two and
    more. A duplicate `within_site` has another copy on its own site before it, one `across_sites` is the
    first of its site. `unresolved` counts comparisons that a bound left out.
    """

    level: str
    method: str
    units: int
    duplicates: int = 0
    clusters: int = 0
    largest: int = 0
    within_site: int = 0
    across_sites: int = 0
    words: int = 0
    duplicate_words: int = 0
    unresolved: int = 0
    note: str = ""

    @property
    def rate(self) -> float | None:
        """Duplicates as a share of all units; None where there are none."""
        return self.duplicates / self.units if self.units else None


@dataclass(frozen=True, slots=True)
class Duplicates:
    """The levels that were looked at, and at which of them copies are left out of the corpus."""

    levels: tuple[LevelCount, ...]
    dropped_at: tuple[str, ...] = ()

    def __getitem__(self, level: str) -> LevelCount:
        return next(count for count in self.levels if count.level == level)

    def to_json(self) -> dict[str, Any]:
        """The counts as plain values."""
        rows = [{**asdict(count), "rate": count.rate} for count in self.levels]
        return {"levels": rows, "dropped_at": list(self.dropped_at)}

    def _repr_html_(self) -> str:
        names = ("level", "method", "units", "duplicates", "rate", "clusters", "largest", "within", "across")
        head = "".join(f"<th>{name}</th>" for name in names)
        body = "".join(
            f"<tr><td>{count.level}</td><td>{html.escape(count.method)}</td><td>{count.units:,}</td>"
            f"<td>{count.duplicates:,}</td><td>{percent(count.rate)}</td><td>{count.clusters:,}</td>"
            f"<td>{count.largest:,}</td><td>{count.within_site:,}</td><td>{count.across_sites:,}</td></tr>"
            for count in self.levels
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def cluster_sizes(engine: Engine, labels: Dataset) -> dict[int, int]:
    """How many clusters there are of each size, from two on."""
    rows = engine.query(SIZES_SQL, {"labels": labels}).to_pylist()
    return {row["size"]: row["clusters"] for row in rows}
