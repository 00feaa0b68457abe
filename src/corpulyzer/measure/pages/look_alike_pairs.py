"""Which languages of a corpus of several are mixed up: look-alikes on the same pages and sites."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from corpulyzer.engine import Dataset, Source, Unit
from corpulyzer.engine.workbench import FEW_DOCUMENTS, count_rows
from corpulyzer.measure.pages.language_richness import language_name
from corpulyzer.measure.result import Result
from corpulyzer.measure.typed_rows import table_of
from corpulyzer.records.columns import batch_of, schema_of
from corpulyzer.records.targets import language_of
from corpulyzer.storage import Storage

if TYPE_CHECKING:
    import pyarrow as pa

    from corpulyzer.measure.bench import Bench

COLUMNS = ("site", "language", "languages", "paragraphs", "verdict")
MILLE = 1_000
ANY = "*"
TOP_PAIRS, TOP_LANGUAGES = 400, 24
# A row with the language itself as the other is of all its documents.
SHARED_SQL = """
select a.language, b.language as look_alike, count(*) as sites, sum(a.characters) as characters,
       sum(a.sure_mille) as sure_mille
from (select site, language, sum(characters) as characters, sum(sure_mille) as sure_mille from pairs
      where language = look_alike group by site, language) as a
join (select site, language from pairs where language = look_alike group by site, language) as b
on a.site = b.site
where a.language <> b.language
group by a.language, b.language order by a.language nulls last, b.language nulls last
"""
MIXED_SQL = """
select language, look_alike, sum(documents) as documents, sum(bytes) as bytes from pairs
where language <> look_alike group by language, look_alike
order by language nulls last, look_alike nulls last
"""


@dataclass(frozen=True, slots=True)
class Together:
    """On a site, documents of a language that have text of a look-alike too, and how much; `*` is for any.

    Where both are the same language, all its documents: the characters of its paragraphs, and the sum of the
    confidence in these, each counted by its characters.
    """

    site: str
    language: str
    look_alike: str
    documents: int
    bytes: int = 0
    characters: int = 0
    sure_mille: int = 0


@dataclass(frozen=True, slots=True)
class CountTogether:
    """Map: documents in, sums by site, language and look-alike out."""

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        return {"pairs": schema_of(Together)}

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        sums: dict[tuple[str, str, str], Counter[str]] = {}
        for number, row in enumerate(batch.to_pylist()):
            at(number)
            if row["verdict"]["kept"]:
                for look_alike, counts in _of_document(row):
                    key = row["site"], row["language"], look_alike
                    sums.setdefault(key, Counter()).update({"documents": 1, **counts})
        names = ("documents", "bytes", "characters", "sure_mille")
        found = [Together(*key, *(counts[name] for name in names)) for key, counts in sorted(sums.items())]
        return {"pairs": batch_of(found, Together)}

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        raise RuntimeError(f"the languages of a document could not be counted: {why}")


def _of_document(row: dict[str, Any]) -> list[tuple[str, dict[str, int]]]:
    own = [each for each in row["paragraphs"] if each["language"] == row["language"]]
    sizes = [each["end"] - each["start"] for each in own]
    sure = sum(round(each["confidence"] * MILLE) * size for each, size in zip(own, sizes, strict=True))
    found = [(row["language"], {"characters": sum(sizes), "sure_mille": sure})]
    relatives = language_of(row["language"]).relatives
    beside = {each["name"]: each["value"] for each in row["languages"] if each["name"] in relatives}
    found += [(code, {"bytes": size}) for code, size in sorted(beside.items()) if size > 0]
    return [*found, (ANY, {"bytes": sum(beside.values())})] if len(found) > 1 else found


def counted(bench: Bench) -> Dataset:
    """The sums, by site, language and look-alike."""
    storage, step = Storage(Storage(bench.folder).path("look_alike_pairs")), CountTogether()
    units = [
        Unit(Source(path=file, columns=COLUMNS), {"pairs": storage.path(f"{number:05d}.parquet")})
        for number, file in enumerate(bench.documents.files)
    ]
    few = sum(map(count_rows, bench.documents.files)) <= FEW_DOCUMENTS
    (bench.engine.map_here if few else bench.engine.map)(step, units)
    return Dataset(tuple(unit.targets["pairs"] for unit in units), step.outputs["pairs"])


def mixed(bench: Bench, pairs: Dataset) -> dict[tuple[str, str], dict[str, Any]]:
    """Documents of a language with text of a look-alike, by both; `*` stands for any look-alike."""
    rows = bench.engine.query(MIXED_SQL, {"pairs": pairs}).to_pylist()
    return {(row["language"], row["look_alike"]): row for row in rows}


def matrix(bench: Bench, pairs: Dataset, together: dict[tuple[str, str], dict[str, Any]]) -> Result:
    """Pairs of look-alikes: sites that have both, and how sure the identifier was of the one there."""
    none: dict[str, Any] = {"sites": 0, "characters": 0, "sure_mille": 0, "documents": 0, "bytes": 0}
    shared = {
        (row["language"], row["look_alike"]): row
        for row in bench.engine.query(SHARED_SQL, {"pairs": pairs}).to_pylist()
        if row["look_alike"] in language_of(row["language"]).relatives
    }
    keys = {*shared, *(key for key in together if ANY not in key)}
    rows = []
    for code, other in keys:
        both = {**none, **shared.get((code, other), {}), **together.get((code, other), {})}
        rows.append(
            {
                "language": language_name(code),
                "look_alike": language_name(other),
                "sites": both["sites"],
                "confidence": both["sure_mille"] / MILLE / both["characters"] if both["characters"] else None,
                "documents": both["documents"],
                "look_alike_bytes": both["bytes"],
                "codes": f"{code} {other}",
            }
        )
    rows.sort(key=lambda row: (-row["sites"], -row["documents"], row["codes"]))
    kinds = {"language": "string", "look_alike": "string", "sites": "int64", "confidence": "double"}
    kinds |= {"documents": "int64", "look_alike_bytes": "int64", "codes": "string"}
    unsure = [row for row in rows if row["confidence"] is not None]
    least = min(unsure, key=lambda row: (row["confidence"], row["codes"]), default=None)
    return Result(
        name="look_alike_pairs",
        title="Look-alikes that share sites",
        definition="For each language and each of its look-alikes: sites with kept documents of both, the "
        "mean confidence with which paragraphs of the language were identified on these, by characters; and "
        "documents of the language that have text of the look-alike too, with how much.",
        citation="After Marquard & Suleman 2023 (XH-10)",
        rows=table_of(rows[:TOP_PAIRS], kinds),
        summary=f"{len(rows):,} pairs of look-alikes share sites or pages; the identifier was least sure of "
        f"{least['language']} beside {least['look_alike']} ({least['confidence']:.2f})."
        if least
        else "No look-alikes share a site.",
        facts={"pairs": len(rows)},
        parameters={"pairs_shown": TOP_PAIRS},
        spec=_figure(rows) if least else None,
        warnings=("Confidence is the identifier's own opinion, and identifiers differ in how they give it.",),
    )


def _figure(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """A field for each pair, the darker the less sure, with the number of sites in it."""
    named = Counter(row["language"] for row in rows if row["sites"])
    for row in rows:
        named[row["language"]] += row["sites"]
    shown = sorted(name for name, _ in named.most_common(TOP_LANGUAGES))
    axis = {"labelLimit": 120, "grid": False}
    sorted_names = {"type": "nominal", "sort": shown}
    return {
        "transform": [
            {"filter": {"field": "language", "oneOf": shown}},
            {"filter": {"field": "look_alike", "oneOf": shown}},
            {"filter": "datum.sites > 0"},
        ],
        "height": {"step": 22},
        "encoding": {
            "y": {"field": "language", "title": None, "axis": axis, **sorted_names},
            "x": {
                "field": "look_alike",
                "title": "look-alike on the same sites",
                "axis": {**axis, "labelAngle": -90},
                **sorted_names,
            },
        },
        "layer": [
            {
                "mark": {"type": "rect", "tooltip": {"content": "data"}},
                "encoding": {
                    "color": {
                        "field": "confidence",
                        "type": "quantitative",
                        "title": "mean confidence",
                        "scale": {
                            "domain": [0, 1],
                            "range": ["#d1873b", "#dfe3e6", "#2f7f93"],
                            "interpolate": "rgb",
                        },
                    }
                },
            },
            {
                "mark": {"type": "text", "color": "#111111"},
                "encoding": {"text": {"field": "sites", "type": "quantitative", "format": "~s"}},
            },
        ],
    }
