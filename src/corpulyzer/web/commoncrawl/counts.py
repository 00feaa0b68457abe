"""How much of a release each language has: the step that counts instead of taking rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any

from corpulyzer.records.columns import batch_of, schema_of
from corpulyzer.web.commoncrawl.step import BATCH_ROWS, open_index
from corpulyzer.web.commoncrawl.wanted import Wanted

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

COLUMNS = ("fetch_status", "content_languages", "warc_record_length")


@dataclass(frozen=True, slots=True)
class LanguageCount:
    """Pages of a release with one list of languages, empty where none was found, and their packed bytes."""

    release: str
    languages: str
    pages: int
    bytes: int
    problem: str = ""


@dataclass(frozen=True, slots=True)
class CountLanguages:
    """Map: row groups (`path`, `row_group`) of an index in, counts by list of languages out.

    `within` says of which pages: all of the release, or those of some hosts and top-level domains.
    """

    release: str
    within: Wanted = Wanted()  # noqa: RUF009 - frozen

    @property
    def needs(self) -> tuple[str, ...]:
        """The columns that the index must have."""
        return tuple(dict.fromkeys((*self.within.columns, *COLUMNS)))

    @property
    def reads(self) -> tuple[str, ...]:
        """All columns that are read."""
        return self.needs

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        return {"index": schema_of(LanguageCount)}

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        found: list[LanguageCount] = []
        for path, rows in groupby(enumerate(batch.to_pylist()), lambda row: row[1]["path"]):
            with open_index(path) as parquet:
                for number, row in rows:
                    at(number)
                    found += self._counts(parquet, row["row_group"], partial(at, number))
        return {"index": batch_of(found, LanguageCount)}

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        problem = f"{batch.column('path')[0].as_py()}: {why}"
        return {"index": batch_of([LanguageCount(self.release, "", 0, 0, problem)], LanguageCount)}

    def _counts(self, parquet: pq.ParquetFile, group: int, tick: Callable[[], None]) -> list[LanguageCount]:
        import pyarrow as pa

        sums: list[Any] = []
        for batch in parquet.iter_batches(
            BATCH_ROWS, row_groups=[group], columns=list(self.reads), use_threads=False
        ):
            tick()
            table: Any = pa.Table.from_batches([batch]).filter(self.within.mask(batch)).select(COLUMNS)
            sums.append(_grouped(table, ("warc_record_length", "sum"), ("warc_record_length", "count")))
        names = ["languages", "bytes", "pages"]
        together = pa.concat_tables([each.rename_columns(names) for each in sums])
        rows = _grouped(together, ("bytes", "sum"), ("pages", "sum"), key="languages").to_pylist()
        return [
            LanguageCount(self.release, row["languages"] or "", row["pages_sum"], row["bytes_sum"])
            for row in rows
        ]


def _grouped(table: Any, *sums: tuple[str, str], key: str = "content_languages") -> Any:
    """The table summed up by its languages; the key comes first, whatever Arrow's order."""
    found = table.group_by(key, use_threads=False).aggregate(list(sums))
    return found.select([key, *(f"{name}_{what}" for name, what in sums)])
