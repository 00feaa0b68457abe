"""Which pages and sites a machine translated, as far as fingerprints on pages tell (XH-5, XH-27)."""

from __future__ import annotations

from typing import Any

from corpulyzer.measure.bench import Bench
from corpulyzer.measure.figures import bars
from corpulyzer.measure.result import Result
from corpulyzer.measure.typed_rows import table_of

FINGERPRINTS_SQL = """
select machine_translation as fingerprint, count(*) as pages, count(distinct site) as sites,
       sum(case when verdict.kept then 1 else 0 end) as kept, sum(target_bytes) as target_bytes
from documents where text_bytes > 0 group by machine_translation
order by pages desc nulls last, fingerprint nulls last
"""
SITES_SQL = """
select site, pages, marked, kept, kept_marked
from (select site, count(*) as pages, sum(case when machine_translation <> '' then 1 else 0 end) as marked,
             sum(case when verdict.kept then 1 else 0 end) as kept,
             sum(case when verdict.kept and machine_translation <> '' then 1 else 0 end) as kept_marked
      from documents where text_bytes > 0 and target_bytes > 0 group by site) as s
where marked > 0 or kept > 0
order by marked desc nulls last, kept desc nulls last, site nulls last
"""
TOP_SITES = 50
LABEL = "machine_translated"


def measure(bench: Bench) -> list[Result]:
    """The fingerprints found, and the sites that have them or that people marked."""
    found = bench.engine.query(FINGERPRINTS_SQL, {"documents": bench.documents}).to_pylist()
    sites = bench.engine.query(SITES_SQL, {"documents": bench.documents}).to_pylist()
    return [_fingerprints(found), _sites(bench, sites)]


def _fingerprints(found: list[dict[str, Any]]) -> Result:
    pages = sum(row["pages"] for row in found)
    marked = sum(row["pages"] for row in found if row["fingerprint"])
    kept = sum(row["kept"] for row in found if row["fingerprint"])
    rows = [
        {**row, "fingerprint": row["fingerprint"] or "none", "share": row["pages"] / pages} for row in found
    ]
    numbers = dict.fromkeys(("pages", "sites", "kept", "target_bytes"), "int64")
    return Result(
        name="machine_translation",
        title="Machine translation",
        definition="Pages with text by the fingerprint of a translation service that their HTML carries.",
        citation="Marquard & Suleman 2023 (XH-5), with further fingerprints",
        rows=table_of(rows, {"fingerprint": "string", **numbers, "share": "double"}),
        summary=f"{marked:,} of {pages:,} pages carry a fingerprint of machine translation; the corpus "
        f"keeps {kept:,}."
        if pages
        else "There are no pages with text.",
        facts={"pages_share": marked / pages if pages else None, "kept": kept},
        spec=bars("fingerprint", "pages"),
        warnings=(
            "Only pages that say so are seen: a translation pasted into a page leaves no fingerprint, and "
            "its "
            "language looks right.",
        ),
    )


def _sites(bench: Bench, sites: list[dict[str, Any]]) -> Result:
    by_hand = {
        site: labels[LABEL].strip().lower() for site, labels in bench.site_labels.items() if labels.get(LABEL)
    }
    yes = ("yes", "true", "1")
    rows = [
        {**row, "share": row["marked"] / row["pages"], "by_hand": by_hand.get(row["site"], "")}
        for row in sites
        if row["marked"] or by_hand.get(row["site"]) in yes
    ]
    kept = sum(row["kept"] for row in sites)
    kept_of_marked = sum(row["kept"] for row in rows)
    numbers = dict.fromkeys(("pages", "marked", "kept", "kept_marked"), "int64")
    share = f" ({kept_of_marked / kept:.1%})" if kept else ""
    return Result(
        name="machine_translated_sites",
        title="Sites with machine translation",
        definition="Sites with target text that carry fingerprints, or that people have marked as "
        "translated by a "
        "machine, and what the corpus keeps of them.",
        citation="Marquard & Suleman 2023, Table 2 (XH-27)",
        rows=table_of(
            rows[:TOP_SITES], {"site": "string", **numbers, "share": "double", "by_hand": "string"}
        ),
        summary=f"{len(rows):,} sites; {kept_of_marked:,} kept documents{share} are from them.",
        parameters={"sites_shown": TOP_SITES, "marked_by_hand": len(by_hand)},
        spec=bars("site", "marked", titles={"marked": "pages with a fingerprint"}),
        warnings=()
        if by_hand
        else (
            "No site has been judged by a person: a look at the largest sites tells more than fingerprints.",
        ),
    )
