"""Figures in the words of Vega-Lite: one look for all, on white and on black, on screen and in print.

A figure has no data of its own; a `Result` gives it its rows.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal

Scale = Literal["linear", "log", "symlog"]

ACCENT = "#2f7f93"
# Of medium brightness: readable on white and on black, and distinguishable for the colour-blind.
COLORS = (ACCENT, "#d1873b", "#7a6fb8", "#5f9a52", "#c25b78", "#8c8577", "#4a7fc1", "#a8862e")
SANS = "system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif"
INK, FAINT, LINE = "#4b5560", "#6b7580", "#dfe3e6"
CONFIG: dict[str, Any] = {
    "background": "transparent",
    "font": SANS,
    "view": {"stroke": None, "continuousWidth": 560, "continuousHeight": 260, "discreteHeight": {"step": 24}},
    "title": {"anchor": "start", "fontSize": 14, "fontWeight": 600, "color": INK, "offset": 12},
    "axis": {
        "labelColor": INK,
        "titleColor": FAINT,
        "titleFontWeight": "normal",
        "titleFontSize": 11,
        "labelFontSize": 11,
        "gridColor": LINE,
        "domainColor": LINE,
        "tickColor": LINE,
        "tickSize": 4,
        "labelPadding": 6,
        "titlePadding": 10,
    },
    "axisY": {"domain": False, "ticks": False},
    "legend": {
        "labelColor": INK,
        "titleColor": FAINT,
        "titleFontWeight": "normal",
        "orient": "top",
        "columns": 3,
    },
    "header": {"labelColor": INK, "titleColor": FAINT},
    "range": {"category": list(COLORS)},
    "mark": {"color": ACCENT},
    "bar": {"cornerRadiusEnd": 2, "color": ACCENT},
    "line": {"strokeWidth": 2, "color": ACCENT},
    "point": {"filled": True, "size": 36, "color": ACCENT},
    "text": {"color": "currentColor", "fontSize": 11},
    "rule": {"color": FAINT},
}
# Formats each number on its own: one format for the axis would write 0.2k beside 1k.
SHORT = "format(datum.value, '~s')"
HEIGHT = 260
MOST_BARS = 15
MARGIN = 0.02
WIDER = {"zero": False, "padding": 8}


def bars(
    category: str,
    value: str,
    *,
    percent: bool = False,
    titles: Mapping[str, str] | None = None,
    room: int = 56,
) -> dict[str, Any]:
    """Lying bars, one for each of the first rows, in their order, each with its number."""
    title = (titles or {}).get(value, value.replace("_", " "))
    bare = {"labels": False, "ticks": False, "grid": False, "domain": False, "titleAnchor": "start"}
    return {
        "usermeta": {"rows": MOST_BARS, "value": value},
        "height": {"step": 22},
        "encoding": {
            "y": {
                "field": category,
                "type": "nominal",
                "sort": None,
                "title": None,
                "axis": {"labelLimit": 180, "grid": False},
            },
            "x": {
                "field": value,
                "type": "quantitative",
                "title": title,
                "axis": bare,
                # Room for the number of the longest bar, on a phone too.
                "scale": {"range": [0, {"expr": f"width - {room}"}], "nice": False},
            },
        },
        "layer": [
            {"mark": {"type": "bar", "tooltip": {"content": "data"}}},
            {
                "mark": {"type": "text", "align": "left", "dx": 5},
                "encoding": {"text": _number(value, percent)},
            },
        ],
    }


def diverging(category: str, value: str, title: str) -> dict[str, Any]:
    """Lying bars to both sides of zero, one for each row, in their order."""
    return {
        "height": {"step": 20},
        "mark": {"type": "bar", "tooltip": {"content": "data"}},
        "encoding": {
            "y": {"field": category, "type": "nominal", "sort": None, "title": None},
            "x": {"field": value, "type": "quantitative", "title": title},
            "color": {
                "condition": {"test": f"datum[{json.dumps(value)}] < 0", "value": COLORS[1]},
                "value": ACCENT,
            },
        },
    }


def _number(value: str, percent: bool) -> dict[str, Any]:
    """How a number is written at the end of its bar."""
    size = value == "bytes" or value.endswith("_bytes")
    number = {"field": value, "type": "quantitative"}
    if percent or size:
        return {**number, "format": ".1%" if percent else ".3s"}
    here = f"datum[{json.dumps(value)}]"
    # Large numbers are written without decimals.
    whole = {"test": f"{here} % 1 === 0 || abs({here}) >= 1000", **number, "format": ",.0f"}
    return {"condition": whole, **number, "format": ".3~f"}


def columns(
    category: str,
    value: str,
    *,
    series: str = "",
    percent: bool = False,
    titles: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Standing bars for a row of bins, in the order of the rows; with a `series`, one beside the other."""
    named = titles or {}
    axis: dict[str, Any] = {"format": ".0%"} if percent else {"labelExpr": SHORT}
    color = {"field": series, "type": "nominal", "sort": None, "title": named.get(series)}
    beside = {"xOffset": {"field": series, "sort": None}, "color": color} if series else {}
    return {
        "mark": {"type": "bar", "tooltip": {"content": "data"}},
        "height": 220,
        "encoding": {
            "x": {
                "field": category,
                "type": "ordinal",
                "sort": None,
                "title": named.get(category, category.replace("_", " ")),
                "axis": {"labelAngle": 0, "labelOverlap": True},
            },
            "y": {
                "field": value,
                "type": "quantitative",
                "title": named.get(value, value.replace("_", " ")),
                "axis": {**axis, "tickCount": 5},
            },
            **beside,
        },
    }


def lines(
    x: str,
    y: str,
    *,
    series: str | None = None,
    scale: Scale = "linear",
    percent: bool = False,
    step: bool = False,
    titles: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """A curve, or one for each `series`; both axes can be zoomed."""
    named = titles or {}
    mark: dict[str, Any] = {"type": "line", "tooltip": {"content": "data"}, "point": not step}
    if step:
        mark["interpolate"] = "step-after"
    encoding: dict[str, Any] = {
        "x": {
            "field": x,
            "type": "quantitative",
            "title": named.get(x, x.replace("_", " ")),
            # The first and the last point are wider than their place.
            "scale": {"type": scale, "nice": False, **(WIDER if scale == "linear" else {})},
            "axis": {"grid": False, "labelExpr": SHORT, "tickCount": 6, "labelOverlap": True},
        },
        "y": {
            "field": y,
            "type": "quantitative",
            "title": named.get(y, y.replace("_", " ")),
            "axis": {**({"format": ".0%"} if percent else {"labelExpr": SHORT}), "tickCount": 5},
            **({"scale": {"domain": [-MARGIN, 1 + MARGIN]}} if percent else {}),
        },
    }
    if series:
        encoding["color"] = {"field": series, "type": "nominal", "sort": None, "title": None}
    return {"mark": mark, "height": HEIGHT, "encoding": encoding}


def heat_map(
    x: str, y: str, value: str, *, percent: bool = True, order: Sequence[str] = ()
) -> dict[str, Any]:
    """A square of shaded cells with their numbers."""
    axes: dict[str, Any] = {"type": "nominal", "sort": list(order) or None, "title": None}
    number = {"field": value, "type": "quantitative"}
    return {
        "height": {"step": 34},
        "encoding": {
            "x": {"field": x, **axes, "axis": {"labelAngle": -40, "labelLimit": 140, "grid": False}},
            "y": {"field": y, **axes, "axis": {"labelLimit": 140, "grid": False}},
        },
        "layer": [
            {
                "mark": {"type": "rect", "color": ACCENT, "tooltip": {"content": "data"}, "cornerRadius": 2},
                "encoding": {"opacity": {**number, "legend": None, "scale": {"range": [0.04, 0.7]}}},
            },
            {
                "mark": {"type": "text", "fontSize": 10},
                "encoding": {"text": {**number, "format": ".0%" if percent else "~s"}},
            },
        ],
    }
