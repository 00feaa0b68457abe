"""What a site says on page after page is boilerplate, however much it reads like text: a second pass.

One page cannot tell a notice under every article from the article's last paragraph; the pages of its site
can. A map takes documents to paragraphs as hashes, a query counts on how many pages of the site each stands.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpulyzer.record import batch_of, int64_hash, schema_of

if TYPE_CHECKING:
    import pyarrow as pa

    from corpulyzer.engine import Dataset, Engine

MIN_PAGES = 3
MIN_PERCENT = 20


@dataclass(frozen=True, slots=True)
class Line:
    """Paragraph `number` of a document. Paragraphs of one site and key say the same."""

    document: int
    number: int
    site_id: int
    key: int


@dataclass(frozen=True, slots=True)
class FindLines:
    """Map: documents in, their paragraphs out."""

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        return {"lines": schema_of(Line)}

    @property
    def columns(self) -> tuple[str, ...]:
        return ("id", "site", "text", "paragraphs")

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        lines = []
        for row_number, row in enumerate(batch.to_pylist()):
            at(row_number)
            site = int64_hash(row["site"])
            for number, span in enumerate(row["paragraphs"]):
                key = int64_hash(row["text"][span["start"] : span["end"]].casefold())
                lines.append(Line(row["id"], number, site, key))
        return {"lines": batch_of(lines, Line)}

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        """A document that cannot be read has no paragraphs to forget."""
        return {"lines": batch_of([], Line)}


def repeated_query(min_pages: int = MIN_PAGES, min_percent: int = MIN_PERCENT) -> str:
    """SQL over `lines`: the paragraphs on at least so many pages, and so large a share, of a site."""
    return f"""
select l.document, l.number
from lines l
join (
  select site_id, key, count(*) as pages
  from (select distinct site_id, key, document from lines) k
  group by site_id, key
  having count(*) >= {min_pages}
) r on l.site_id = r.site_id and l.key = r.key
join (
  select site_id, count(*) as pages
  from (select distinct site_id, document from lines) d
  group by site_id
) s on l.site_id = s.site_id
where r.pages * 100 >= s.pages * {min_percent}
order by l.document asc nulls first, l.number asc nulls first
"""


def site_boilerplate(
    engine: Engine, lines: Dataset, *, min_pages: int = MIN_PAGES, min_percent: int = MIN_PERCENT
) -> dict[int, set[int]]:
    """For each document with any, the numbers of the paragraphs that its site repeats.

    `lines` is what `FindLines` makes of the documents.
    """
    found: dict[int, set[int]] = {}
    for row in engine.query(repeated_query(min_pages, min_percent), {"lines": lines}).to_pylist():
        found.setdefault(row["document"], set()).add(row["number"])
    return found
