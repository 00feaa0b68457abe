"""Seeds out of a table of pages, best first, as Common Crawl's index gives it."""

from __future__ import annotations

from collections.abc import Iterator

from corpulyzer.engine import Dataset
from corpulyzer.engine.workbench import rows_in_turn
from corpulyzer.web.seeds import Candidate


def from_rows(pages: Dataset) -> Iterator[Candidate]:
    """The pages of `url`, `release` and `languages`, each with its place in the table as its rank."""
    for number, row in enumerate(rows_in_turn(pages, ["url", "release", "languages"])):
        yield Candidate(row["url"], row["release"], rank=number + 1, language=row["languages"])
