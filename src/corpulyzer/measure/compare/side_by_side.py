"""Corpora or releases beside each other: overlaps of pages and sites, churn, numbers side by side.

CZ-20, 21, 37, 38, 49; the comparison of words is in `keywords`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from corpulyzer.measure.compare.overlap import Overlap, pairs
from corpulyzer.measure.figures import ACCENT, COLORS, heat_map
from corpulyzer.measure.pages.funnel import percent
from corpulyzer.measure.result import Result
from corpulyzer.measure.typed_rows import table_of

COMBINATIONS_SHOWN = 25


def jaccard(found: Overlap, what: str) -> Result:
    """The Jaccard coefficient of every pair of sets as a heat map (CZ-20, CZ-37)."""
    rows: list[dict[str, Any]] = [
        {
            "a": found.names[a],
            "b": found.names[b],
            "jaccard": found.jaccard(a, b),
            "shared": found.size(a, b),
        }
        for a, b in pairs(len(found.names))
    ]
    different = [row for row in rows if row["a"] != row["b"]]
    closest = max(different, key=lambda row: (row["jaccard"], row["a"]), default=None)
    return Result(
        name=f"jaccard_{what}",
        title=f"Overlap of {what}",
        definition=f"Shared {what} of all {what} of two sets, |A ∩ B| / |A ∪ B|; 0 for two empty sets.",
        citation="Tahir & Mehmood 2021, Eq. 1 and Fig. 5a",
        rows=table_of(rows, {"a": "string", "b": "string", "jaccard": "double", "shared": "int64"}),
        summary=f"Closest are {closest['a']} and {closest['b']}, with {closest['shared']:,} shared {what}: "
        f"{percent(closest['jaccard'])} of all."
        if closest
        else "There is nothing to compare with.",
        spec=heat_map("a", "b", "jaccard", order=found.names),
    )


def churn(found: Overlap) -> Result:
    """Which share of the sites of each set the next one dropped, and which came back (CZ-21, CZ-37)."""
    rows = []
    for place, name in enumerate(found.names):
        following = found.churn(place, place + 1) if place + 1 < len(found.names) else None
        back = found.returned(place)
        rows.append(
            {"set": name, "sites": found.size(place), "dropped_share": following, "returned_share": back}
        )
    dropped = [row["dropped_share"] for row in rows if isinstance(row["dropped_share"], float)]
    kinds = {"set": "string", "sites": "int64", "dropped_share": "double", "returned_share": "double"}
    spec = {
        "transform": [{"fold": ["dropped_share", "returned_share"], "as": ["what", "share"]}],
        "mark": {"type": "bar", "tooltip": {"content": "data"}},
        "height": 220,
        "encoding": {
            "x": {
                "field": "set",
                "type": "nominal",
                "sort": None,
                "title": None,
                "axis": {"labelAngle": -40},
            },
            "xOffset": {"field": "what", "sort": None},
            "y": {"field": "share", "type": "quantitative", "title": "of sites", "axis": {"format": ".0%"}},
            "color": {"field": "what", "type": "nominal", "sort": None, "title": None},
        },
    }
    return Result(
        name="churn",
        title="Churn of sites",
        definition="Dropped: sites of a set that the next set does not have, |A \\ B| / |A|. Returned: sites "
        "of a set that are in an earlier one, but not in the one before. The order is as given.",
        citation="Tahir & Mehmood 2021, Section IV-B and Fig. 5b",
        rows=table_of(rows, kinds),
        summary=f"On average {percent(sum(dropped) / len(dropped))} of the sites are not in the next set "
        f"(from {percent(min(dropped))} to {percent(max(dropped))})."
        if dropped
        else "There is no next set to compare with.",
        spec=spec,
    )


def overlaps(found: Overlap, what: str) -> Result:
    """Every combination of sets with what they share, as UpSet (CZ-38)."""
    rows = [
        {**row, "combination": " ∩ ".join(row["members"]), "sets": len(row["members"])}
        for row in found.combinations()
    ]
    sizes = ", ".join(f"{name} {found.size(place):,}" for place, name in enumerate(found.names))
    kinds = {"combination": "string", "members": "[string]", "sets": "int64", "inclusive": "int64"}
    return Result(
        name=f"overlaps_{what}",
        title=f"Shared {what}",
        definition=f"The number of {what} in every combination of two and more sets that shares any: in all "
        "of its sets (inclusive), and in no others (exclusive).",
        citation="Tahir & Mehmood 2021, Fig. 6a; Lex et al. 2014",
        rows=table_of(rows[:200], {**kinds, "exclusive": "int64"}),
        summary=f"{what.capitalize()} in all: {sizes}." + ("" if rows else " No two sets share any."),
        spec=upset(found.names, what) if rows else None,
    )


def upset(names: Sequence[str], what: str) -> dict[str, Any]:
    """Bars for combinations above a matrix of dots for the sets in them."""
    first = [
        {"window": [{"op": "row_number", "as": "place"}]},
        {"filter": f"datum.place <= {COMBINATIONS_SHOWN}"},
    ]
    x = {"field": "combination", "type": "nominal", "sort": None, "title": None}
    y = {"field": "members", "type": "nominal", "sort": list(names), "title": None}
    flat = [*first, {"flatten": ["members"]}]
    return {
        "spacing": 4,
        "vconcat": [
            {
                "transform": first,
                "width": {"step": 26},
                "height": 150,
                "mark": {"type": "bar", "tooltip": {"content": "data"}},
                "encoding": {
                    "x": {**x, "axis": None},
                    "y": {
                        "field": "exclusive",
                        "type": "quantitative",
                        "title": f"{what} in these alone",
                        "axis": {"format": "~s", "tickCount": 4},
                    },
                },
            },
            {
                "transform": flat,
                "width": {"step": 26},
                "height": {"step": 22},
                "encoding": {"x": {**x, "axis": None}, "y": {**y, "axis": {"labelLimit": 160}}},
                "layer": [
                    {
                        "mark": {"type": "line", "color": ACCENT, "strokeWidth": 2},
                        "encoding": {"detail": {"field": "combination"}, "color": {"value": COLORS[5]}},
                    },
                    {"mark": {"type": "point", "size": 70, "tooltip": {"content": "data"}}},
                ],
            },
        ],
    }


def side_by_side(facts: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> Result:
    """The key numbers of corpora in columns; `facts` by corpus and measure."""
    wanted = (
        ("documents", "funnel", "documents"),
        ("words", "funnel", "tokens"),
        ("bytes of the language", "funnel", "target_bytes"),
        ("sites", "funnel", "sites"),
        ("kept of all records", "funnel", "kept_share"),
        ("effective number of sites", "concentration", "effective_sites"),
        ("share of the five largest sites", "concentration", "top_5_share"),
        ("median richness of sites", "site_richness", "median"),
        ("pages with at least 95% of their text in the language", "language_share", "pure_share"),
        ("sites without a kept page", "noise_by_site", "noise_sites_share"),
        ("repeated texts", "duplicates", "document"),
        ("repeated sentences", "duplicates", "sentence"),
        ("openly licensed", "licenses", "pooled_share"),
        ("harvest rate", "yield_rate", "harvest"),
    )
    rows = [
        {"number": label, **{name: _float(known.get(measure, {}).get(fact)) for name, known in facts.items()}}
        for label, measure, fact in wanted
    ]
    rows = [row for row in rows if any(row[name] is not None for name in facts)]
    return Result(
        name="side_by_side",
        title="Side by side",
        definition="The key numbers of each corpus, from its own measures; shares are from 0 to 1.",
        citation="Corpulyzer",
        rows=table_of(rows, {"number": "string", **dict.fromkeys(facts, "double")}),
        summary=" ".join(_said(name, known.get("funnel", {})) for name, known in facts.items()),
    )


def _said(name: str, funnel: Mapping[str, Any]) -> str:
    return f"{name}: {funnel.get('documents', 0):,} documents from {funnel.get('sites', 0):,} sites."


def _float(value: Any) -> float | None:
    return None if value is None else float(value)


def related(corpora: Sequence[Mapping[str, Any]]) -> Result:
    """Other corpora of the language as people wrote them down (CZ-49)."""
    columns = ("name", "purpose", "pages", "tokens", "public", "urls", "analyses")
    rows = [{key: _text(each.get(key)) for key in columns} for each in corpora]
    return Result(
        name="related_corpora",
        title="Related corpora",
        definition="Other corpora as related.toml names them: purpose, size, whether they are public and "
        "keep their addresses, which analyses exist.",
        citation="Tahir & Mehmood 2021, Table 11",
        rows=table_of(rows, dict.fromkeys(columns, "string")),
        summary=f"{len(rows):,} related corpora are named." if rows else "None is named.",
    )


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value or "")
