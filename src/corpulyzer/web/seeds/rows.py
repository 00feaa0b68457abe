"""Seeds out of a table of pages, best first, as Common Crawl's index gives it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from corpulyzer.web.seeds import Candidate

if TYPE_CHECKING:
    import pyarrow as pa


def from_rows(table: pa.Table) -> Iterator[Candidate]:
    """The pages of `url`, `release` and `languages`, each with its place in the table as its rank."""
    rank = 0
    for batch in table.select(["url", "release", "languages"]).to_batches(max_chunksize=10_000):
        for row in batch.to_pylist():
            rank += 1
            yield Candidate(row["url"], row["release"], rank=rank, language=row["languages"])
