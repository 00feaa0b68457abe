"""Figures for the page: as wide as the page, zoomable, and with no more points than eyes can tell apart."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from corpulyzer.interface.catalogue import translated
from corpulyzer.interface.messages import said
from corpulyzer.measure.result import Result
from corpulyzer.report.cells import OF_THE_CORPUS

POINTS = 1_500
_MANY = ("hconcat", "vconcat", "concat", "facet", "repeat")
_FACETS = ("row", "column", "facet")
_OF_CATEGORIES = ("sort", "domain", "oneOf")
# The wheel scrolls the page unless a key is held, as on maps; two fingers on a pad send that key themselves.
ZOOM = {
    "name": "zoom",
    "select": {
        "type": "interval",
        "zoom": "wheel![event.ctrlKey || event.metaKey]",
        "translate": "[pointerdown[event.pointerType !== 'touch'], window:pointerup] > window:pointermove!",
    },
    "bind": "scales",
}


def page_figure(result: Result, points: int = POINTS) -> dict[str, Any] | None:
    """The figure of a result for the page, None if it has none; its heading is the page's business."""
    spec = result.vega_lite(points)
    if spec is None:
        return None
    spec.pop("title", None)
    spec.pop("$schema", None)
    spec = _translated(spec)
    spec["description"] = f"{said(result.title)}. {said(result.summary)}"
    if is_single(spec):
        spec["width"] = "container"
        _fix_height(spec)
        if is_continuous(spec.get("encoding", {})) and "params" not in spec and "layer" not in spec:
            spec["params"] = [ZOOM]
    return spec


def _translated(spec: dict[str, Any]) -> dict[str, Any]:
    """A figure in the language of the interface: headings of axes and legends, and categories of ours.

    Categories stay as they are where an expression of the figure names one, or two would be called the same;
    words of the corpus always do.
    """
    bare = {name: each for name, each in spec.items() if name not in ("data", "config")}
    rows = spec["data"]["values"]
    texts = {each for row in rows for each in row.values() if isinstance(each, str)}
    found = {row[name] for row in rows for name in OF_THE_CORPUS & row.keys()}
    other = {text: translated(text) for text in texts - found if translated(text) != text}
    written = json.dumps(bare, ensure_ascii=False)
    called = {other.get(text, text) for text in texts}
    if len(called) < len(texts) or any(f"'{text}'" in written for text in other):
        other = {}
    rows = [
        {name: other.get(each, each) if isinstance(each, str) else each for name, each in row.items()}
        for row in rows
    ]
    return {**_titles(bare, other), "config": spec["config"], "data": {"values": rows}}


def _titles(part: Any, categories: Mapping[str, str], key: str = "") -> Any:
    """A part of a specification with its headings and categories in the language of the interface."""
    if isinstance(part, Mapping):
        return {name: _titles(each, categories, name) for name, each in part.items()}
    if isinstance(part, list):
        listed = [_titles(each, categories, key) for each in part]
        in_order = key in _OF_CATEGORIES
        return [categories.get(each, each) if in_order and isinstance(each, str) else each for each in listed]
    return said(part) if isinstance(part, str) and key == "title" else part


def _fix_height(spec: dict[str, Any]) -> None:
    """Give a figure with a row for each category its height in pixels, which a width to fit asks for."""
    height, field = spec.get("height"), spec.get("encoding", {}).get("y", {}).get("field")
    if isinstance(height, Mapping) and field and "yOffset" not in spec["encoding"]:
        spec["height"] = height["step"] * max(1, len({str(row.get(field)) for row in spec["data"]["values"]}))


def is_single(spec: Mapping[str, Any]) -> bool:
    """Whether a figure is one view, which can be as wide as its place."""
    encoding = spec.get("encoding", {})
    return not any(name in spec for name in _MANY) and not any(name in encoding for name in _FACETS)


def is_continuous(encoding: Mapping[str, Any]) -> bool:
    """Whether both axes are scales of numbers or times, so that there is something to zoom into."""
    axes = [encoding.get(axis, {}) for axis in ("x", "y")]
    return all(axis.get("type") in ("quantitative", "temporal") and "bin" not in axis for axis in axes)
