"""How a number spreads over documents: its quantiles, from counts of its values that a query makes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from corpulyzer.engine import Dataset, Engine

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
NAMES = ("p5", "p25", "median", "p75", "p95")


def value_counts(engine: Engine, facts: Dataset, columns: Sequence[str]) -> dict[str, dict[int, int]]:
    """How many documents have each value of each column; -1 stands for none and is left out."""
    parts = [
        f"select '{column}' as measure, {column} as value, count(*) as documents "
        f"from facts where {column} >= 0 group by {column}"
        for column in columns
    ]
    sql = " union all ".join(parts)
    found: dict[str, dict[int, int]] = {column: {} for column in columns}
    for row in engine.query(sql, {"facts": facts}).to_pylist():
        found[row["measure"]][row["value"]] = row["documents"]
    return found


def quantile(counts: Mapping[int, int], share: float) -> int | None:
    """The smallest value that at least this share of all does not exceed; None where there is no value.

    >>> quantile({1: 2, 5: 1, 9: 1}, 0.5), quantile({}, 0.5)
    (1, None)
    """
    total, below = sum(counts.values()), 0
    for value in sorted(counts):
        below += counts[value]
        if below >= share * total:
            return value
    return None


def spread(counts: Mapping[int, int], unit: int) -> dict[str, Any]:
    """Documents, mean and quantiles of a value that was counted in parts of `unit`."""
    total = sum(counts.values())
    mean = sum(value * count for value, count in counts.items()) / total / unit if total else None
    points = ((name, quantile(counts, share)) for name, share in zip(NAMES, QUANTILES, strict=True))
    return {
        "documents": total,
        "mean": mean,
        **{name: None if value is None else value / unit for name, value in points},
    }


def share_at(counts: Mapping[int, int], threshold: float, *, above: bool) -> float | None:
    """The share of values above, or below, a threshold.

    >>> share_at({1: 2, 5: 1, 9: 1}, 5, above=True), share_at({1: 2, 5: 2}, 5, above=False)
    (0.25, 0.5)
    """
    total = sum(counts.values())
    if not total:
        return None
    found = sum(n for value, n in counts.items() if (value > threshold if above else value < threshold))
    return found / total


SPREAD = {"documents": "int64", "mean": "double", **dict.fromkeys(NAMES, "double")}


def spread_figure(category: str, order: Sequence[str]) -> dict[str, Any]:
    """Boxes from the quantiles, each measure on its own axis."""
    x = {
        "type": "quantitative",
        "title": None,
        "scale": {"zero": False},
        "axis": {"tickCount": 5},
    }
    marks: list[dict[str, Any]] = [
        {"mark": {"type": "rule"}, "encoding": {"x": {"field": "p5", **x}, "x2": {"field": "p95"}}},
        {
            "mark": {"type": "bar", "height": 14, "opacity": 0.6, "tooltip": {"content": "data"}},
            "encoding": {"x": {"field": "p25", **x}, "x2": {"field": "p75"}},
        },
        {
            "mark": {"type": "tick", "thickness": 2, "height": 18, "color": "currentColor"},
            "encoding": {"x": {"field": "median", **x}},
        },
    ]
    header = {"labelAngle": 0, "labelAlign": "left", "labelLimit": 200, "title": None}
    return {
        "facet": {"row": {"field": category, "type": "nominal", "sort": list(order), "header": header}},
        "resolve": {"scale": {"x": "independent"}},
        "spec": {"width": 420, "height": 24, "layer": marks},
    }
