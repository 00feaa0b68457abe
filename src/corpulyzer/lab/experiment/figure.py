"""The figure of the yield experiment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

HEIGHT, WIDTH = 220, 260


def yield_figure(rows: Iterable[Mapping[str, Any]]) -> str:
    """Yield by round as SVG: a panel for each mix of seeds, a line for each strategy (CZ-30)."""
    import vl_convert

    points = [
        {"strategy": row["strategy"], "seeds": _mix(row["rich_seeds"]), "round": number, "yield": value}
        for row in rows
        for number, value in enumerate(row["rounds"], 1)
    ]
    return str(vl_convert.vegalite_to_svg(_chart(points)))


def _chart(points: list[dict[str, Any]]) -> dict[str, Any]:
    """The figure in the words of Vega-Lite."""
    scale, axis = {"domain": [0, 1]}, "good pages per request"
    return {
        "data": {"values": points},
        "mark": {"type": "line", "point": True},
        "width": WIDTH,
        "height": HEIGHT,
        "encoding": {
            "x": {"field": "round", "type": "ordinal", "title": "round", "axis": {"labelAngle": 0}},
            "y": {"field": "yield", "type": "quantitative", "title": axis, "scale": scale},
            "color": {"field": "strategy", "type": "nominal", "title": "strategy", "sort": None},
            "column": {"field": "seeds", "type": "nominal", "title": "rich / random seeds", "sort": None},
        },
    }


def _mix(rich: float) -> str:
    return f"{rich:.0%} / {1 - rich:.0%}"
