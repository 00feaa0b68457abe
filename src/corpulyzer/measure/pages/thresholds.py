"""How much of the target language there is, and where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from corpulyzer.engine import Dataset, Engine
from corpulyzer.page.filter.content_size import CANDIDATES, KEEP_SHARE, largest_keeping

Column = Literal["target_bytes", "target_characters"]


@dataclass(frozen=True, slots=True)
class ThresholdRow:
    """The pages with at least `threshold` of target text, and how much of all target text they carry."""

    threshold: int
    pages: int
    pages_share: float
    size: int
    size_share: float


@dataclass(frozen=True, slots=True)
class ThresholdTable:
    """Corpulyzer (2021), Table 3 (CZ-31), and the threshold that its 95 % rule chooses (CZ-6)."""

    rows: tuple[ThresholdRow, ...]
    keep: float
    chosen: int

    def to_json(self) -> dict[str, Any]:
        """The table as plain values."""
        rows = [{name: getattr(row, name) for name in row.__slots__} for row in self.rows]
        return {"rows": rows, "keep": self.keep, "chosen": self.chosen}


def threshold_table(
    engine: Engine,
    documents: Dataset,
    column: Column = "target_bytes",
    candidates: Sequence[int] = CANDIDATES,
    keep: float = KEEP_SHARE,
) -> ThresholdTable:
    """What each threshold would keep of all pages that have any target text, whatever their verdict."""
    thresholds = [0, *sorted(candidates)]
    counted = engine.query(_thresholds_sql(column, thresholds), {"documents": documents}).to_pylist()[0]
    pages, size = counted["pages_0"] or 0, counted["size_0"] or 0
    rows = []
    for threshold in thresholds:
        left, kept = counted[f"pages_{threshold}"] or 0, counted[f"size_{threshold}"] or 0
        rows.append(
            ThresholdRow(threshold, left, left / pages if pages else 0.0, kept, kept / size if size else 0.0)
        )
    chosen = largest_keeping({row.threshold: row.size for row in rows}, size, keep) if size else 0
    return ThresholdTable(tuple(rows), keep, chosen)


def _thresholds_sql(column: Column, thresholds: Sequence[int]) -> str:
    columns = ", ".join(
        f"sum(case when {column} >= {t} then 1 else 0 end) as pages_{t}, "
        f"sum(case when {column} >= {t} then {column} else 0 end) as size_{t}"
        for t in thresholds
    )
    return f"select {columns} from documents where {column} > 0"
