"""The stored documents, for notebooks and scripts: filter them, then read them in the form you like."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from corpulyzer.corpus.without_copies import current_parts
from corpulyzer.errors import missing
from corpulyzer.records import Document
from corpulyzer.records.columns import record_of, schema_of
from corpulyzer.storage import Storage
from corpulyzer.storage.content import RANGED, may_hold

if TYPE_CHECKING:
    import duckdb
    import polars
    import pyarrow as pa
    import pyarrow.dataset as ds

ROWS_SHOWN = 10
"""Rows that a notebook shows of a selection."""


@dataclass(frozen=True)
class Documents:
    """A selection of a corpus' documents; nothing is read before you ask for it."""

    storage: Storage
    files: tuple[str, ...]
    conditions: tuple[tuple[str, Any], ...] = field(default=())

    def filter(self, **equal: Any) -> Documents:
        """The documents whose columns have these values: `filter(site="a.example", reason="mime")`.

        `kept` and `reason` are those of the verdict. Labels and scores are given by their names:
        `filter(labels={"genre": "poem"})`.
        """
        names = {*schema_of(Document).names, "kept", "reason"}
        for name in equal:
            if name not in names:
                raise ValueError(f"documents have no column {name!r}; columns: {', '.join(sorted(names))}")
        return replace(self, conditions=(*self.conditions, *equal.items()))

    def kept(self) -> Documents:
        """The corpus: the documents with the verdict keep."""
        return self.filter(kept=True)

    def arrow(self, columns: list[str] | None = None) -> pa.Table:
        """The selection as an Arrow table, in memory."""
        return self._dataset().to_table(columns=columns, filter=self._expression())

    def batches(self, columns: list[str] | None = None, rows: int = 1_000) -> Iterator[pa.RecordBatch]:
        """The selection as Arrow batches, one after the other."""
        yield from self._dataset().to_batches(columns=columns, filter=self._expression(), batch_size=rows)

    def duckdb(self) -> duckdb.DuckDBPyRelation:
        """The selection as a DuckDB relation."""
        import duckdb

        reader = self._dataset().scanner(filter=self._expression()).to_reader()
        return duckdb.connect().from_arrow(reader)

    def polars(self) -> polars.DataFrame:
        """The selection as a Polars data frame, in memory."""
        try:
            import polars
        except ImportError:
            raise missing("polars", "report") from None
        frame = polars.from_arrow(self.arrow())
        assert isinstance(frame, polars.DataFrame)
        return frame

    def texts(self) -> Iterator[str]:
        """The texts, one after the other."""
        for batch in self.batches(["text"]):
            yield from map(str, batch.column("text").to_pylist())

    def __iter__(self) -> Iterator[Document]:
        for batch in self.batches(rows=100):
            for row in batch.to_pylist():
                yield record_of(Document, row)

    def __len__(self) -> int:
        return self._dataset().count_rows(filter=self._expression())

    def __repr__(self) -> str:
        conditions = ", ".join(f"{name}={value!r}" for name, value in self.conditions) or "all"
        return f"<Documents: {conditions}; in {len(self.files):,} files>"

    def _repr_html_(self) -> str:
        columns = ["url", "title", "target_bytes", "verdict"]
        table = self._dataset().head(ROWS_SHOWN, columns=columns, filter=self._expression())
        rows = "".join(
            f'<tr><td>{html.escape(row["url"])}</td><td dir="auto">{html.escape(row["title"])}</td>'
            f"<td>{row['target_bytes']:,}</td><td>{html.escape(row['verdict']['reason']) or 'kept'}</td></tr>"
            for row in table.to_pylist()
        )
        head = "<tr><th>url</th><th>title</th><th>target bytes</th><th>verdict</th></tr>"
        shown = f"{html.escape(repr(self))} The first {table.num_rows}:"
        return f"<p>{shown}</p><table><thead>{head}</thead><tbody>{rows}</tbody></table>"

    def _dataset(self) -> ds.Dataset:
        import pyarrow.dataset as ds

        filesystem, _ = self.storage.filesystem()
        paths = list(map(self.storage.inner_path, self._matching()))
        return ds.dataset(paths, schema=schema_of(Document), format="parquet", filesystem=filesystem)

    def _matching(self) -> list[str]:
        """The files that may have documents of the selection, by what the log says of them now."""
        asked = {name: value for name, value in self.conditions if name in RANGED and isinstance(value, str)}
        if not asked:
            return list(self.files)
        ranges = {part.file: part.ranges for part in current_parts(self.storage)}
        return [file for file in self.files if may_hold(ranges.get(file, ""), asked)]

    def _expression(self) -> Any:
        import pyarrow.dataset as ds

        expression = None
        for name, value in self.conditions:
            column = ds.field("verdict", name) if name in ("kept", "reason") else ds.field(name)
            of_map = isinstance(value, Mapping)
            test = ds.field("id").isin(self._with(name, value)) if of_map else column == value
            expression = test if expression is None else expression & test
        return expression

    def _with(self, name: str, wanted: Mapping[str, Any]) -> pa.Int64Array:
        """The ids of the documents whose labels, or another column of names and values, have these."""
        import pyarrow as pa

        batches = self._dataset().to_batches(columns=["id", name])
        found = [
            row["id"]
            for batch in batches
            for row in batch.to_pylist()
            if wanted.items() <= {each["name"]: each["value"] for each in row[name]}.items()
        ]
        return pa.array(found, pa.int64())
