"""The corpus by what people said of its sites: category, machine-translated, block or allow (XH-27)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from corpulyzer.measure.figures import bars
from corpulyzer.measure.pages.funnel import percent
from corpulyzer.measure.result import Result
from corpulyzer.measure.sites.rows import SiteRow, label_of
from corpulyzer.measure.typed_rows import table_of

UNLABELLED = "not labelled"
HAND_LABELS = ("category", "machine_translated", "decision")
Labels = Mapping[str, Mapping[str, str]]


def labelled_sites(sites: Sequence[SiteRow], labels: Labels) -> Result:
    """What was read and what is noise, by each label that people gave to sites (CZ-52, XH-27)."""
    groups: dict[tuple[str, str], list[SiteRow]] = {}
    for site in sites:
        for name in HAND_LABELS:
            value = label_of(labels, site.site, name)
            groups.setdefault((name.replace("_", " "), value or UNLABELLED), []).append(site)
    said = {label for label, value in groups if value != UNLABELLED}
    rows: list[dict[str, Any]] = [
        {
            "label": label,
            "value": value,
            "sites": len(group),
            "noise_sites": sum(not s.kept for s in group),
            "pages": sum(s.pages for s in group),
            "kept": sum(s.kept for s in group),
            "noise_share": 1 - sum(s.kept for s in group) / max(1, sum(s.pages for s in group)),
        }
        for (label, value), group in sorted(groups.items(), key=_label_order)
        if label in said
    ]
    translated = sum(r["kept"] for r in rows if (r["label"], r["value"]) == ("machine translated", "yes"))
    numbers = dict.fromkeys(("sites", "noise_sites", "pages", "kept"), "int64")
    return Result(
        name="labelled_sites",
        title="What people said of sites",
        definition="Sites by the labels that people gave them, with the pages that were read, those that the "
        "corpus keeps, and the share that it does not (noise).",
        citation="Marquard & Suleman 2023, Table 2 (XH-27); Tahir & Mehmood 2021, Section V-B",
        rows=table_of(rows, {"label": "string", "value": "string", **numbers, "noise_share": "double"}),
        summary=f"People labelled {len(labels):,} sites; {translated:,} kept pages are from sites that they "
        "found to be machine-translated.",
        facts={"labelled": len(labels), "kept_machine_translated": translated},
        warnings=("Labels change nothing by themselves: `corpulyzer audit apply` hands them to the filters.",)
        if translated
        else (),
    )


def _label_order(group: tuple[tuple[str, str], list[SiteRow]]) -> tuple[str, bool, int, str]:
    """Sort key: by label, then by size with the largest first; sites without a value come last."""
    (label, value), found = group
    return label, value == UNLABELLED, -sum(site.pages for site in found), value


def categories(sites: Sequence[SiteRow], labels: Labels) -> Result:
    """The corpus by the categories that people gave its sites (XH-13, XH-27)."""
    found: dict[str, list[SiteRow]] = {}
    for site in sites:
        if site.kept:
            found.setdefault(label_of(labels, site.site, "category") or UNLABELLED, []).append(site)
    pages = {name: sum(s.kept for s in group) for name, group in found.items()}
    order = sorted(found, key=lambda name: (-pages[name], name))
    rows = [
        {
            "category": name,
            "sites": len(found[name]),
            "pages": pages[name],
            "share": pages[name] / sum(pages.values()),
            "target_bytes": sum(s.kept_target_bytes for s in found[name]),
        }
        for name in order
    ]
    largest = next((name for name in order if name != UNLABELLED), None)
    kinds = {"category": "string", "sites": "int64", "pages": "int64", "share": "double"}
    return Result(
        name="categories",
        title="Categories of sites",
        definition="Pages by the category that people gave their site.",
        citation="Marquard & Suleman 2023, Table 2",
        rows=table_of(rows, {**kinds, "target_bytes": "int64"}),
        summary=f"The largest category is {largest}, "
        f"{percent(pages[largest] / sum(pages.values()))} of the pages."
        if largest
        else "No site in the corpus has a category.",
        spec=bars("category", "pages"),
        warnings=("Categories are as good as the people who gave them; sites without one are not sorted.",),
    )
