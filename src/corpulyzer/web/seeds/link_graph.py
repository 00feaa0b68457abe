"""Seeds out of a graph of links: the pages that link to something, such as to a license (C4-11)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from corpulyzer.engine import Dataset
from corpulyzer.errors import UserError
from corpulyzer.storage import filesystem_of
from corpulyzer.web.seeds import Candidate
from corpulyzer.web.seeds.unpack import lines_of

SOURCE = "links"


def linking_to(pattern: str, links: Dataset, documents: Dataset) -> Iterator[Candidate]:
    """The pages of a corpus that have a link with `pattern` in its address, those with most of them first."""
    import pyarrow.compute as pc

    counts: Counter[int] = Counter()
    matches = pc.match_substring(pc.field("target"), pattern)
    for batch in _scan(links, ["source_id"], matches):
        counts.update(batch.column("source_id").to_pylist())
    found: list[tuple[str, int]] = []
    for batch in _scan(documents, ["id", "url"], pc.field("id").isin(list(counts))):
        found += zip(batch.column("url").to_pylist(), batch.column("id").to_pylist(), strict=True)
    yield from _ranked(Counter({url: counts[key] for url, key in found}), pattern)


def linking_to_in_file(pattern: str, location: str) -> Iterator[Candidate]:
    """The same out of a file: Parquet with `source` and `target`, or lines with the two and a tab between."""
    counts: Counter[str] = Counter()
    rows = _parquet(location) if location.endswith(".parquet") else _lines(location)
    for source, target in rows:
        if pattern in target:
            counts[source] += 1
    yield from _ranked(counts, pattern)


def _ranked(counts: Counter[str], pattern: str) -> Iterator[Candidate]:
    ordered = sorted(counts, key=lambda url: (-counts[url], url))
    for rank, url in enumerate(ordered, 1):
        yield Candidate(url, f"{counts[url]:,} links to {pattern}", query=pattern, rank=rank)


def _scan(table: Dataset, columns: list[str], condition: Any) -> Iterator[Any]:
    import pyarrow.dataset as ds

    if not table.files:
        return
    places = [filesystem_of(file) for file in table.files]
    paths = [path for _, path in places]
    dataset = ds.dataset(paths, schema=table.schema, format="parquet", filesystem=places[0][0])
    yield from dataset.to_batches(columns=columns, filter=condition, fragment_readahead=1, batch_readahead=2)


def _lines(location: str) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(lines_of(location), 1):
        source, tab, target = line.decode("utf-8", "replace").partition("\t")
        if not tab and line.strip():
            raise UserError(
                f"{location}, line {number}, is no link.", "A line is two addresses with a tab between them."
            )
        if tab:
            yield source.strip(), target.partition("\t")[0].strip()


def _parquet(location: str) -> Iterator[tuple[str, str]]:
    import pyarrow.parquet as pq

    from corpulyzer.storage import open_input

    with open_input(location) as file, pq.ParquetFile(file) as table:
        missing = {"source", "target"} - set(table.schema_arrow.names)
        if missing:
            raise UserError(
                f"{location} has no column {', '.join(sorted(missing))}.",
                "Name its columns `source` and `target`.",
            )
        for batch in table.iter_batches(columns=["source", "target"]):
            yield from zip(
                batch.column("source").to_pylist(), batch.column("target").to_pylist(), strict=True
            )
