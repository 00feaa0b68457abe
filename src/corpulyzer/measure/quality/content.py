"""Which pages lists of words and addresses label, such as adult or spam, and what of them is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from corpulyzer.measure.figures import bars
from corpulyzer.measure.result import Result
from corpulyzer.measure.typed_rows import table_of
from corpulyzer.records import CONTENT
from corpulyzer.storage.content import open_parquet

if TYPE_CHECKING:
    from corpulyzer.measure.bench import Bench

ROWS_AT_ONCE = 10_000
COUNTED = ("label", "by", "language", "site")
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
    for row in _counts(bench.documents.files, COUNTED):
        key = row["label"], row["by"], row["language"]
        pages[key] += row["pages"]
        kept[key] += row["kept"]
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
    found = Counter(dict.fromkeys(sorted(labels), 0))
    for row in _counts(files, ("label",)):
        if row["kept"]:
            found[row["label"]] += row["kept"]
    return dict(found)


def _counts(files: Iterable[str], by: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Pages with a label, and how many of them are kept: counts of some pages at a time, to be added up."""
    import pyarrow as pa
    import pyarrow.compute as pc

    of_page = [name for name in by if name in ("language", "site")]
    for path in files:
        with open_parquet(path) as parquet:
            read = ["labels", "verdict.kept", *of_page]
            for batch in parquet.iter_batches(ROWS_AT_ONCE, columns=read, use_threads=False):
                pairs = pc.list_flatten(batch.column("labels"))
                names = pc.struct_field(pairs, "name")
                is_content = pc.starts_with(names, CONTENT)
                rows = pc.list_parent_indices(batch.column("labels")).filter(is_content)
                kept = pc.struct_field(batch.column("verdict"), "kept").take(rows)
                columns = {
                    "label": pc.utf8_slice_codeunits(names.filter(is_content), len(CONTENT)),
                    "by": pc.struct_field(pairs, "value").filter(is_content),
                    **{name: batch.column(name).take(rows) for name in of_page},
                    "kept": kept.cast(pa.int64()),
                }
                groups = pa.table(columns).group_by(list(by), use_threads=False)
                counted = groups.aggregate([("kept", "count"), ("kept", "sum")])
                for row in counted.to_pylist():
                    yield {**row, "pages": row["kept_count"], "kept": row["kept_sum"]}
