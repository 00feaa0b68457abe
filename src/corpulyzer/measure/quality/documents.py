"""How good documents are: a score with its parts, and filters' thresholds beside what documents have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from corpulyzer.engine import Dataset, Source, Unit
from corpulyzer.engine.workbench import run_map
from corpulyzer.measure.bench import Bench
from corpulyzer.measure.figures import bars, columns
from corpulyzer.measure.quality.score import BINS, NOISE, WEIGHTS, Fence, ScoreDocuments, fence
from corpulyzer.measure.result import Result
from corpulyzer.measure.statistics.distribution import (
    NAMES,
    SPREAD,
    share_at,
    spread,
    spread_figure,
    value_counts,
)
from corpulyzer.measure.text.counts import TextCounts, text_counts, text_warnings
from corpulyzer.measure.text.facts import MILLE
from corpulyzer.measure.typed_rows import table_of
from corpulyzer.storage import Storage

BINS_SQL = """
select part, bin, sum(documents) as documents, sum(sum_mille) as sum_mille from bins
group by part, bin order by part nulls last, bin nulls last
"""
SITES_SQL = """
select site, sum(documents) as documents, sum(sum_mille) as sum_mille from sites group by site
order by site nulls last
"""
BYTES_SQL = """
select target_bytes as value, count(*) as documents from documents
where target_bytes > 0 group by target_bytes
"""
BROKEN_SQL = """
select broken, characters, count(*) as documents from facts where broken > 0 group by broken, characters
"""
MILLES = ("punctuation_mille", "repetition_mille", "language_mille")
MIN_SITE_DOCUMENTS = 10
TOP_SITES = 30
CITATION = "After web-docs-scorer (HPLT); Tukey 1977 for the fences"


def measure(bench: Bench) -> list[Result]:
    """The score, its parts, the sites with the lowest, and the thresholds of filters."""
    counts = text_counts(bench)
    raw = value_counts(bench.engine, counts["facts"], ["language_mille", "long_segments_mille", *NOISE])
    fences = tuple(fence(name, raw[name]) for name in NOISE)
    bins, sites = _scored(bench, counts, fences)
    warnings = (
        "The score sorts documents of this corpus by how they look; it is no judgement of what they say, and "
        "scores of two corpora cannot be compared, for each has its own fences.",
        *text_warnings(bench, counts),
    )
    return [
        _score(bins, warnings),
        _parts(bins, raw, fences, warnings),
        _sites(sites, warnings),
        _thresholds(bench, counts, warnings[1:]),
    ]


def _scored(
    bench: Bench, counts: TextCounts, fences: tuple[Fence, ...]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    storage = Storage(Storage(bench.folder).path("quality"))
    step = ScoreDocuments(fences)
    units = [
        Unit(Source(path=file), {name: storage.path(f"{name}/{number:05d}.parquet") for name in step.outputs})
        for number, file in enumerate(counts["facts"].files)
    ]
    run_map(bench.engine, step, units, counts.documents)
    tables = {
        name: Dataset(tuple(unit.targets[name] for unit in units), schema)
        for name, schema in step.outputs.items()
    }
    bins = bench.engine.query(BINS_SQL, {"bins": tables["bins"]}).to_pylist()
    sites = bench.engine.query(SITES_SQL, {"sites": tables["sites"]}).to_pylist()
    for file in storage.list("", ".parquet"):
        storage.delete(file)
    return bins, sites


def _mean(bins: list[dict[str, Any]], part: str) -> float | None:
    own = [row for row in bins if row["part"] == part]
    documents = sum(row["documents"] for row in own)
    return sum(row["sum_mille"] for row in own) / documents / MILLE if documents else None


def _score(bins: list[dict[str, Any]], warnings: tuple[str, ...]) -> Result:
    own = {row["bin"]: row["documents"] for row in bins if row["part"] == "score"}
    total = sum(own.values())
    rows = [
        {
            "score": f"{place / BINS:.2f}",
            "documents": own.get(place, 0),
            "share": own.get(place, 0) / total,
        }
        for place in range(BINS if total else 0)
    ]
    low = sum(count for place, count in own.items() if place < BINS // 2)
    return Result(
        name="quality",
        title="Quality of documents",
        definition="A score from 0 to 1: .8 of the target's share of the page, .1 of text in long "
        "paragraphs, .1 of "
        "the longest paragraph, lowered by noise beyond what is usual in this corpus.",
        citation=CITATION,
        rows=table_of(rows, {"score": "string", "documents": "int64", "share": "double"}),
        summary=f"The mean score is {_mean(bins, 'score'):.2f}; {low / total:.1%} of documents are below .5."
        if total
        else "There are no documents.",
        parameters={"weights": dict(WEIGHTS), "bins": BINS},
        facts={"mean": _mean(bins, "score")},
        spec=columns("score", "share", percent=True, titles={"score": "score, from", "share": "documents"}),
        warnings=warnings,
    )


def _parts(
    bins: list[dict[str, Any]],
    raw: Mapping[str, Mapping[int, int]],
    fences: tuple[Fence, ...],
    warnings: tuple[str, ...],
) -> Result:
    rows = []
    for each in fences:
        part = each.measure.removesuffix("_mille")
        beyond = share_at(raw[each.measure], each.inner, above=each.outer > each.inner)
        rows.append(
            {
                "part": part.replace("_", " "),
                **spread(raw[each.measure], MILLE),
                "inner_fence": each.inner / MILLE,
                "outer_fence": each.outer / MILLE,
                "beyond": beyond,
                "mean_score": _mean(bins, part),
            }
        )
    worst = max(rows, key=lambda row: row["beyond"] or 0.0)
    own = ("inner_fence", "outer_fence", "beyond", "mean_score")
    return Result(
        name="quality_parts",
        title="Parts of the quality score",
        definition="What share of a document is addresses, digits, punctuation, odd characters, repeated "
        "runs of five "
        "words and short paragraphs, and how far it can be compressed; noise counts from the inner fence on, "
        "and at the outer one nothing is left of the score.",
        citation=CITATION,
        rows=table_of(rows, {"part": "string", **SPREAD, **dict.fromkeys(own, "double")}),
        summary=f"Most often beyond its fence: {worst['part']}, in {worst['beyond']:.1%} of documents."
        if worst["beyond"] is not None
        else "There are no documents.",
        parameters={"fences": "quartile ± 1.5 and ± 6 times the distance of the quartiles"},
        spec=spread_figure("part", [str(row["part"]) for row in rows]),
        warnings=warnings,
    )


def _sites(sites: list[dict[str, Any]], warnings: tuple[str, ...]) -> Result:
    rows = [
        {
            "site": row["site"],
            "documents": row["documents"],
            "mean_score": row["sum_mille"] / row["documents"] / MILLE,
        }
        for row in sites
        if row["documents"] >= MIN_SITE_DOCUMENTS
    ]
    rows.sort(key=lambda row: (row["mean_score"], -row["documents"], row["site"]))
    return Result(
        name="quality_of_sites",
        title="Sites with the lowest quality",
        definition=f"The mean quality score of sites with at least {MIN_SITE_DOCUMENTS} kept documents, "
        f"lowest first.",
        citation=CITATION,
        rows=table_of(rows[:TOP_SITES], {"site": "string", "documents": "int64", "mean_score": "double"}),
        summary=f"Lowest: {rows[0]['site']} with {rows[0]['mean_score']:.2f}."
        if rows
        else "No site is large enough.",
        parameters={"min_documents": MIN_SITE_DOCUMENTS, "sites_shown": TOP_SITES},
        spec=bars("site", "mean_score", titles={"mean_score": "mean score"}),
        warnings=warnings,
    )


def _thresholds(bench: Bench, counts: TextCounts, warnings: tuple[str, ...]) -> Result:
    rows = list(_threshold_rows(bench, counts))
    beyond = {row["filter"].replace("_", " "): row["beyond"] for row in rows if row["beyond"]}
    near = " ".join(f"Beyond the threshold of {kind}: {share:.1%}." for kind, share in beyond.items())
    kinds = {"filter": "string", "of": "string", "threshold": "double", **SPREAD, "beyond": "double"}
    return Result(
        name="filter_thresholds",
        title="Thresholds beside the documents",
        definition="What each filter asks for, and what documents have: quantiles, and the share of "
        "documents that "
        "lie beyond the threshold.",
        citation="After hrWaC 2011 (HR-9), which gives no values",
        rows=table_of(rows, kinds),
        summary=near or "No document that was counted is beyond a threshold.",
        parameters={"quantiles": list(NAMES)},
        spec=spread_figure("of", [row["of"] for row in rows]),
        warnings=(
            "Words, punctuation and encoding are counted in the target text of kept documents: those that "
            "a filter "
            "dropped are not among them. Target bytes are of all documents that have any.",
            *warnings,
        ),
    )


def _threshold_rows(bench: Bench, counts: TextCounts) -> list[dict[str, Any]]:
    filters = bench.filters
    facts = value_counts(bench.engine, counts["facts"], ["words", *MILLES])
    sizes = bench.engine.query(BYTES_SQL, {"documents": bench.documents}).to_pylist()
    found = [
        ("content_size", "target bytes", filters.content_size.min_bytes, _counted(sizes), 1, False),
        ("length", "words", filters.length.min_words, facts["words"], 1, False),
        (
            "punctuation",
            "punctuation",
            filters.punctuation.max_share,
            facts["punctuation_mille"],
            MILLE,
            True,
        ),
        (
            "repetition",
            "repeated runs",
            filters.repetition.max_share,
            facts["repetition_mille"],
            MILLE,
            True,
        ),
        ("encoding", "broken characters", filters.encoding.max_share, _broken(bench, counts), MILLE, True),
        (
            "language_share",
            "target share",
            filters.language_share.min_share,
            facts["language_mille"],
            MILLE,
            False,
        ),
    ]
    return [
        {
            "filter": name,
            "of": of,
            "threshold": float(threshold),
            **spread(values, unit),
            "beyond": share_at(values, threshold * unit, above=above),
        }
        for name, of, threshold, values, unit, above in found
        if name in filters.document
    ]


def _counted(rows: list[dict[str, Any]]) -> dict[int, int]:
    return {row["value"]: row["documents"] for row in rows}


def _broken(bench: Bench, counts: TextCounts) -> dict[int, int]:
    """Documents by their share of broken characters, in thousandths."""
    rows = bench.engine.query(BROKEN_SQL, {"facts": counts["facts"]}).to_pylist()
    found: dict[int, int] = {}
    for row in rows:
        share = MILLE * row["broken"] // max(1, row["characters"])
        found[share] = found.get(share, 0) + row["documents"]
    whole = counts.documents - sum(found.values())
    if whole:
        found[0] = found.get(0, 0) + whole
    return found
