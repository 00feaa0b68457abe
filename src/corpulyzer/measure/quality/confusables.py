"""Where the corpus may be in another language: related languages by site, and confidence in the target.

The isiXhosa crawler counts isiZulu sentences beside its own, to see what identification confuses (XH-10).
"""

from __future__ import annotations

from typing import Any

from corpulyzer.language import Language
from corpulyzer.measure.bench import Bench
from corpulyzer.measure.figures import columns
from corpulyzer.measure.result import Result
from corpulyzer.measure.text.counts import TextCounts, text_counts, text_warnings
from corpulyzer.measure.text.one_reading import BANDS
from corpulyzer.measure.typed_rows import table_of

LANGUAGES_SQL = """
select site, language, sum(documents) as documents, sum(bytes) as bytes, sum(sentences) as sentences
from languages where kept = 1 group by site, language having sum(documents) > 0
order by site nulls last, language nulls last
"""
MARGINS_SQL = """
select site, band, sum(paragraphs) as paragraphs, sum(characters) as characters
from margins where kept = 1 group by site, band having sum(paragraphs) > 0
order by site nulls last, band nulls last
"""
TOP_SITES = 50
# On a site with less text, a margin is mostly chance.
MIN_BYTES = 1_000


def margin(target: int, rival: int) -> float | None:
    """How far the target is ahead of its nearest look-alike, from -1 to 1; None where neither is there.

    >>> margin(900, 100), margin(0, 0)
    (0.8, None)
    """
    return (target - rival) / (target + rival) if target + rival else None


def measure(bench: Bench) -> list[Result]:
    """Sites by how near a look-alike comes, and how sure identification was."""
    counts = text_counts(bench)
    by_language = bench.engine.query(LANGUAGES_SQL, {"languages": counts["languages"]}).to_pylist()
    bands = bench.engine.query(MARGINS_SQL, {"margins": counts["margins"]}).to_pylist()
    return [
        _sites(bench, counts, site_rows(by_language, bands, bench.language)),
        _confidence(bench, counts, bands),
    ]


def site_rows(
    by_language: list[dict[str, Any]], bands: list[dict[str, Any]], language: Language
) -> list[dict[str, Any]]:
    """A row for each site with its nearest look-alike, the smallest margin first."""
    sites: dict[str, dict[str, Any]] = {}
    for row in by_language:
        sites.setdefault(row["site"], {})[row["language"]] = row
    sure: dict[str, list[int]] = {}
    for row in bands:
        sums = sure.setdefault(row["site"], [0, 0])
        sums[0] += (2 * row["band"] + 1) * row["characters"]
        sums[1] += 2 * BANDS * row["characters"]
    rows = [_site_row(site, found, sure.get(site, [0, 0]), language) for site, found in sites.items()]
    known = [row for row in rows if row["margin"] is not None]
    return sorted(known, key=lambda row: (row["margin"], -row["target_bytes"], row["site"]))


def _site_row(site: str, found: dict[str, Any], sure: list[int], language: Language) -> dict[str, Any]:
    none = {"bytes": 0, "sentences": 0}
    target = found.get(language.code, none)
    relatives = [code for code in language.relatives if code in found]
    rival = max(relatives, key=lambda code: (found[code]["bytes"], code), default="")
    other = found.get(rival, none)
    return {
        "site": site,
        "target_bytes": target["bytes"],
        "look_alike": rival,
        "look_alike_bytes": other["bytes"],
        "margin": margin(target["bytes"], other["bytes"]),
        "target_sentences": target["sentences"],
        "look_alike_sentences": other["sentences"],
        "confidence": sure[0] / sure[1] if sure[1] else None,
    }


def _sites(bench: Bench, counts: TextCounts, rows: list[dict[str, Any]]) -> Result:
    large = [row for row in rows if row["target_bytes"] + row["look_alike_bytes"] >= MIN_BYTES]
    near = sum(1 for row in large if row["margin"] < 0.5)
    names = ", ".join(Language.find(code).name for code in bench.language.relatives) or "none known"
    numbers = ("target_bytes", "look_alike_bytes", "target_sentences", "look_alike_sentences")
    kinds = {
        "site": "string",
        "look_alike": "string",
        "margin": "double",
        "confidence": "double",
        **dict.fromkeys(numbers, "int64"),
    }
    return Result(
        name="look_alikes",
        title="Look-alike languages by site",
        definition="For each site, bytes of the target and of the nearest related language in its kept "
        "documents: "
        "the margin is their difference over their sum, 1 where no relative was found.",
        citation="After Marquard & Suleman 2023 (XH-10)",
        rows=table_of(large[:TOP_SITES], kinds),
        summary=f"On {near:,} of {len(large):,} sites a look-alike has more than a third of the target's "
        f"bytes."
        if large
        else "There is no site with enough text.",
        facts={"sites": len(large), "sites_near": near},
        parameters={
            "relatives": list(bench.language.relatives),
            "min_bytes": MIN_BYTES,
            "sites_shown": TOP_SITES,
        },
        spec=_figure(),
        warnings=(
            f"Relatives looked for: {names}. A language that the identifier does not know is told as one "
            f"that it "
            "knows, often as the target.",
            "Sentences are 0 where they were not counted (label.sentences).",
            *text_warnings(bench, counts),
        ),
    )


def _figure() -> dict[str, Any]:
    return {
        "mark": {"type": "bar", "tooltip": {"content": "data"}},
        "height": {"step": 24},
        "transform": [{"window": [{"op": "row_number", "as": "place"}]}, {"filter": "datum.place <= 25"}],
        "encoding": {
            "y": {"field": "site", "type": "nominal", "sort": None, "title": None},
            "x": {
                "field": "margin",
                "type": "quantitative",
                "scale": {"domain": [-1, 1]},
                "title": "margin over the nearest look-alike",
            },
        },
    }


def _confidence(bench: Bench, counts: TextCounts, bands: list[dict[str, Any]]) -> Result:
    rows = []
    total = sum(row["characters"] for row in bands)
    for band in range(BANDS):
        own = [row for row in bands if row["band"] == band]
        characters = sum(row["characters"] for row in own)
        rows.append(
            {
                "confidence": f"{band / BANDS:.1f}–{(band + 1) / BANDS:.1f}",
                "paragraphs": sum(row["paragraphs"] for row in own),
                "characters": characters,
                "share": characters / total if total else None,
            }
        )
    unsure = sum(row["characters"] for row in bands if row["band"] < BANDS // 2)
    kinds = {"confidence": "string", "paragraphs": "int64", "characters": "int64", "share": "double"}
    return Result(
        name="identification_confidence",
        title="Confidence of identification",
        definition="Text of target paragraphs by the confidence with which identification took it for the "
        "target.",
        citation="After GlotCC and FineWeb2",
        rows=table_of(rows if total else [], kinds),
        summary=f"{unsure / total:.1%} of the target text was identified with a confidence below .5."
        if total
        else "There is no target text.",
        spec=columns("confidence", "share", percent=True, titles={"share": "share of text"}),
        warnings=(
            "Confidence is the identifier's own opinion: it is often sure and wrong of languages it never "
            "saw.",
            *text_warnings(bench, counts),
        ),
    )
