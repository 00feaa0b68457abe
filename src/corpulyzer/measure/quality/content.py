"""Which pages lists of words and addresses label, such as adult or spam, and what of them is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from corpulyzer.measure.figures import bars
from corpulyzer.measure.result import Result
from corpulyzer.measure.typed_rows import table_of
from corpulyzer.records import content_labels
from corpulyzer.storage import open_input

if TYPE_CHECKING:
    from corpulyzer.measure.bench import Bench

COLUMNS = ["site", "language", "labels", "verdict"]
KINDS = {
    **dict.fromkeys(("label", "by", "language"), "string"),
    **dict.fromkeys(("pages", "kept", "sites"), "int64"),
}


def measure(bench: Bench) -> list[Result]:
    """The labels with what they follow from, by language; nothing where there are no lists."""
    if not bench.content:
        return []
    pages: Counter[tuple[str, str, str]] = Counter()
    kept: Counter[tuple[str, str, str]] = Counter()
    sites: dict[tuple[str, str, str], set[str]] = {}
    for row in _rows(bench.documents.files):
        for label, why in _labels(row).items():
            key = label, why, row["language"]
            pages[key] += 1
            kept[key] += row["verdict"]["kept"]
            sites.setdefault(key, set()).add(row["site"])
    rows = [
        {"label": label, "by": why, "language": language, "pages": pages[key], "kept": kept[key]}
        | {"sites": len(sites[key])}
        for key in sorted(pages, key=lambda key: (key[0], -pages[key], key))
        for label, why, language in [key]
    ]
    found: Counter[str] = Counter()
    for (label, _, _), count in kept.items():
        found[label] += count
    told = ", ".join(f"{found[label]:,} {label}" for label in bench.content)
    return [
        Result(
            name="content",
            title="Labels by lists",
            definition="Pages that lists of words, or of addresses, label; none is dropped for it.",
            citation="After C4's and FineWeb's lists, as labels and not as filters",
            rows=table_of(rows, KINDS),
            summary=f"Kept documents by label: {told}.",
            facts=dict(found),
            spec=bars("label", "pages"),
            warnings=(
                "A list of words finds what it names: health, law and poetry use the same words, and what a "
                "list lacks is not seen.",
            ),
        )
    ]


def kept_by_label(files: Iterable[str], labels: Iterable[str]) -> dict[str, int]:
    """How many kept documents of these files have each of the labels."""
    found = dict.fromkeys(sorted(labels), 0)
    for row in _rows(files):
        for label in _labels(row) if row["verdict"]["kept"] else ():
            found[label] = found.get(label, 0) + 1
    return found


def _labels(row: Mapping[str, Any]) -> dict[str, str]:
    return content_labels({each["name"]: each["value"] for each in row["labels"]})


def _rows(files: Iterable[str]) -> Iterator[dict[str, Any]]:
    import pyarrow.parquet as pq

    for path in files:
        with open_input(path) as stored, pq.ParquetFile(stored) as parquet:
            for batch in parquet.iter_batches(2_000, columns=COLUMNS, use_threads=False):
                yield from batch.to_pylist()
