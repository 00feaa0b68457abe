"""How much of a corpus is repeated, at each level (CZ-25, CZ-26, CZ-52, HR-4, HR-7, XH-15, C4-8, C4-9)."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from corpulyzer.engine import Dataset, Engine
from corpulyzer.measure.figures import bars, columns
from corpulyzer.measure.pages.funnel import percent
from corpulyzer.measure.result import Result
from corpulyzer.measure.typed_rows import table_of

if TYPE_CHECKING:
    from corpulyzer.measure.bench import Bench

SIZES_SQL = """
select size, count(*) as clusters from labels where place = 1 group by size order by size nulls last
"""


@dataclass(frozen=True, slots=True)
class LevelCount:
    """One level: its units, and how many of them are copies of another.

    A duplicate is any unit of a cluster but its representative; `clusters` have two or more units. A
    duplicate `across_sites` is the first copy on its site, one `within_site` a further copy there.
    `unresolved` counts comparisons that were left out to bound the work.
    """

    level: str
    method: str
    units: int
    duplicates: int = 0
    clusters: int = 0
    largest: int = 0
    within_site: int = 0
    across_sites: int = 0
    words: int = 0
    duplicate_words: int = 0
    unresolved: int = 0
    note: str = ""

    @property
    def rate(self) -> float | None:
        """Duplicates as a share of all units; None if there are no units."""
        return self.duplicates / self.units if self.units else None


@dataclass(frozen=True, slots=True)
class Duplicates:
    """The levels that were looked at, and at which of them copies are left out of the corpus."""

    levels: tuple[LevelCount, ...]
    dropped_at: tuple[str, ...] = ()

    def __getitem__(self, level: str) -> LevelCount:
        return next(count for count in self.levels if count.level == level)

    def to_json(self) -> dict[str, Any]:
        """The counts as plain values."""
        rows = [{**asdict(count), "rate": count.rate} for count in self.levels]
        return {"levels": rows, "dropped_at": list(self.dropped_at)}

    def _repr_html_(self) -> str:
        names = ("level", "method", "units", "duplicates", "rate", "clusters", "largest", "within", "across")
        head = "".join(f"<th>{name}</th>" for name in names)
        body = "".join(
            f"<tr><td>{count.level}</td><td>{html.escape(count.method)}</td><td>{count.units:,}</td>"
            f"<td>{count.duplicates:,}</td><td>{percent(count.rate)}</td><td>{count.clusters:,}</td>"
            f"<td>{count.largest:,}</td><td>{count.within_site:,}</td><td>{count.across_sites:,}</td></tr>"
            for count in self.levels
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def cluster_sizes(engine: Engine, labels: Dataset) -> dict[int, int]:
    """How many clusters there are of each size, from two on."""
    rows = engine.query(SIZES_SQL, {"labels": labels}).to_pylist()
    return {row["size"]: row["clusters"] for row in rows}


LEVEL_NAMES = {
    "raw": "payloads",
    "document": "texts of documents",
    "near": "documents (nearly)",
    "paragraph": "paragraphs",
    "sentence": "sentences",
}


def measure(bench: Bench) -> list[Result]:
    """Copies at every level, and how large clusters of them are."""
    if bench.duplicates is None:
        return [duplicates_result(Duplicates(()))]
    found = duplicates_result(bench.duplicates)
    levels = LEVELS_OF_DOCUMENTS & bench.labels.keys()
    sizes = {level: cluster_sizes(bench.engine, bench.labels[level]) for level in sorted(levels)}
    return [found, cluster_result(sizes)]


LEVELS_OF_DOCUMENTS = {"raw", "document", "near"}


def duplicates_result(found: Duplicates) -> Result:
    """The counts of copies as a result that shows itself."""
    rows = [
        {
            "level": LEVEL_NAMES.get(count.level, count.level),
            "method": count.method,
            "units": count.units,
            "duplicates": count.duplicates,
            "rate": count.rate,
            "clusters": count.clusters,
            "largest": count.largest,
            "within_site": count.within_site,
            "across_sites": count.across_sites,
            "words": count.words or None,
            "duplicate_words": count.duplicate_words or None,
        }
        for count in found.levels
    ]
    said = [
        f"{percent(count.rate)} of the {LEVEL_NAMES[count.level]}" for count in found.levels if count.units
    ]
    dropped = [LEVEL_NAMES.get(level, level) for level in found.dropped_at]
    left = f" The corpus leaves out copies of {', '.join(dropped)}." if dropped else ""
    notes = tuple(f"{count.level}: {count.note}." for count in found.levels if count.note)
    missing = "No copies were looked for: run `corpulyzer dedup`."
    return Result(
        name="duplicates",
        title="Copies at every level",
        definition="A duplicate is any unit of a cluster but its representative; the rate is the share of "
        "duplicates among all units. Near-duplicates are counted among texts that are not equal. A copy "
        "across sites is the first on its site, a copy within a site is a further one there.",
        citation="Tahir & Mehmood 2021, Section V-E; Ljubešić & Erjavec 2011; Marquard & Suleman 2023; "
        "Habernal et al. 2016",
        rows=table_of(rows, COLUMNS),
        summary=f"Repeated are {', '.join(said)}.{left}" if said else missing if not found.levels else "",
        spec=bars("level", "rate", percent=True, titles={"rate": "are copies of another"}),
        warnings=notes if found.levels else (missing,),
        facts={count.level: count.rate for count in found.levels},
    )


COLUMNS = {
    "level": "string",
    "method": "string",
    "units": "int64",
    "duplicates": "int64",
    "rate": "double",
    "clusters": "int64",
    "largest": "int64",
    "within_site": "int64",
    "across_sites": "int64",
    "words": "int64",
    "duplicate_words": "int64",
}


SIZE_BINS = (
    (2, "2"),
    (3, "3"),
    (4, "4"),
    (9, "5–9"),
    (99, "10–99"),
    (999, "100–999"),
    (1 << 62, "1,000 and more"),
)


def _bin(size: int) -> str:
    """The bin of a cluster of that size."""
    return next(name for most, name in SIZE_BINS if size <= most)


def cluster_result(sizes: Mapping[str, Mapping[int, int]]) -> Result:
    """How many clusters there are of each size, by level."""
    rows = [
        {"level": LEVEL_NAMES[level], "size": size, "bin": _bin(size), "clusters": count}
        for level in LEVEL_NAMES
        if level in sizes
        for size, count in sorted(sizes[level].items())
    ]
    largest = max((size for found in sizes.values() for size in found), default=None)
    spec = columns("bin", "clusters", series="level", titles={"bin": "documents of a cluster"})
    spec["encoding"]["x"]["sort"] = [name for _, name in SIZE_BINS]
    return Result(
        name="cluster_sizes",
        title="Sizes of clusters",
        definition="Clusters of two and more documents by how many are in them; the numbers by which "
        "a corpus without copies can be weighted again.",
        citation="Penedo et al. 2025",
        rows=table_of(rows, {"level": "string", "size": "int64", "bin": "string", "clusters": "int64"}),
        summary=f"The largest cluster has {largest:,} documents." if largest else "There are no clusters.",
        spec=spec,
    )
