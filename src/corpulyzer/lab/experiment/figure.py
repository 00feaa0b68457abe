"""The figure of the yield experiment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from corpulyzer.lab.experiment.yield_rate import MEASURES, curves

HEIGHT, WIDTH = 180, 260


def yield_figure(rows: Iterable[Mapping[str, Any]]) -> str:
    """Yields by round as SVG: a column for each mix of seeds, a line for each strategy (CZ-30).

    The upper panels are figure 3 of the paper, each strategy with and without the content-size filter (CSF);
    the lower ones have the stricter yield of this package.
    """
    import vl_convert

    return str(vl_convert.vegalite_to_svg(chart(rows)))


def chart(rows: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The figure in the words of Vega-Lite."""
    points = list(_points(rows))
    names = list(dict.fromkeys(point["strategy"] for point in points))
    panels = [
        {
            "title": {"text": f"{seeds} rich / random seeds", "fontSize": 11, "anchor": "start"},
            "transform": [{"filter": {"field": "panel", "equal": panel}}, _seeds(seeds)],
            "mark": {"type": "line", "point": True},
            "width": WIDTH,
            "height": HEIGHT,
            "encoding": {
                "x": {"field": "round", "type": "ordinal", "title": "round", "axis": {"labelAngle": 0}},
                "y": {"field": "yield", "type": "quantitative", "title": panel, "scale": {"domain": [0, 1]}},
                "color": {"field": "strategy", "type": "nominal", "title": None, "scale": {"domain": names}},
                "strokeDash": {
                    "field": "filtered",
                    "type": "nominal",
                    "title": None,
                    "legend": None,
                    "scale": {"domain": [False, True], "range": [[1, 0], [4, 3]]},
                },
            },
        }
        for panel in dict.fromkeys(point["panel"] for point in points)
        for seeds in dict.fromkeys(point["seeds"] for point in points)
    ]
    mixes = len({point["seeds"] for point in points})
    return {"data": {"values": points}, "columns": mixes, "concat": panels}


def _seeds(seeds: str) -> dict[str, Any]:
    return {"filter": {"field": "seeds", "equal": seeds}}


def _points(rows: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    for row in rows:
        for measure, values in curves(row).items():
            filtered = measure == "after_csf"
            for number, value in enumerate(values, 1):
                yield {
                    "strategy": f"{row['strategy']} + CSF" if filtered else row["strategy"],
                    "seeds": _mix(row["rich_seeds"]),
                    "panel": MEASURES["yield" if filtered else measure],
                    "filtered": filtered,
                    "round": number,
                    "yield": value,
                }


def _mix(rich: float) -> str:
    return f"{rich:.0%} / {1 - rich:.0%}"
