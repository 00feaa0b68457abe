"""What every measure returns: a table with its definition, a figure of it, and what it cannot know."""

from __future__ import annotations

import base64
import html
import io
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from corpulyzer.errors import missing
from corpulyzer.measure.figures import CONFIG

if TYPE_CHECKING:
    import altair
    import polars
    import pyarrow as pa

ROWS_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Result:
    """A measure of a corpus: it shows itself in a terminal, in a notebook and in the report.

    `rows` is an Arrow table. `spec` is a Vega-Lite figure of it, without its data. `facts` are the few
    numbers that other pages quote.
    """

    name: str
    title: str
    definition: str
    citation: str
    rows: pa.Table
    summary: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    spec: Mapping[str, Any] | None = None
    warnings: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def table(self) -> polars.DataFrame:
        """The rows as a Polars frame."""
        try:
            import polars
        except ImportError:
            raise missing("polars", "report") from None
        frame = polars.from_arrow(self.rows)
        assert isinstance(frame, polars.DataFrame)
        return frame

    def vega_lite(self, most: int | None = None) -> dict[str, Any] | None:
        """The figure as a Vega-Lite specification with its data, None where there is nothing to draw.

        Of more than `most` rows it takes as many at equal distances, the first and the last among them.
        """
        if self.spec is None or not self.rows.num_rows:
            return None
        rows = _thinned(self.rows.slice(0, self.spec.get("usermeta", {}).get("rows")), most)
        values = [{name: _finite(value) for name, value in row.items()} for row in rows.to_pylist()]
        if not any(row.get(self.spec.get("usermeta", {}).get("value"), True) for row in values):
            return None  # bars of no length
        return {"title": self.title, "config": CONFIG, **self.spec, "data": {"values": values}}

    def figure(self) -> altair.TopLevelMixin | None:
        """The figure as an Altair chart."""
        try:
            import altair
        except ImportError:
            raise missing("altair", "report") from None
        spec = self.vega_lite()
        return None if spec is None else altair.Chart.from_dict(spec)

    def svg(self) -> str | None:
        """The figure as SVG."""
        import vl_convert

        spec = self.vega_lite()
        return None if spec is None else str(vl_convert.vegalite_to_svg(spec))

    def png(self, scale: float = 2.0) -> bytes | None:
        """The figure as PNG."""
        import vl_convert

        spec = self.vega_lite()
        return None if spec is None else bytes(vl_convert.vegalite_to_png(spec, scale=scale))

    def to_json(self) -> dict[str, Any]:
        """The result as plain values."""
        return {
            "name": self.name,
            "title": self.title,
            "definition": self.definition,
            "citation": self.citation,
            "parameters": dict(self.parameters),
            "summary": self.summary,
            "rows": self.rows.to_pylist(),
            "warnings": list(self.warnings),
            "facts": dict(self.facts),
        }

    def stored(self) -> dict[str, Any]:
        """The result as plain values from which `restored` makes it again."""
        schema = base64.b64encode(self.rows.schema.serialize().to_pybytes()).decode()
        return {**self.to_json(), "spec": self.spec, "schema": schema}

    def to_csv(self) -> str:
        """The rows as CSV with a header line; lists and records as JSON."""
        import csv
        import json

        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.rows.column_names)
        for row in self.rows.to_pylist():
            writer.writerow(
                json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value
                for value in row.values()
            )
        return out.getvalue()

    def __repr__(self) -> str:
        return f"<Result {self.name}: {self.summary or self.title}>"

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self.rows.column_names)
        body = "".join(
            "<tr>"
            + "".join(f'<td dir="auto">{html.escape(shown(value))}</td>' for value in row.values())
            + "</tr>"
            for row in self.rows.slice(0, ROWS_SHOWN).to_pylist()
        )
        notes = "".join(f"<p>{html.escape(warning)}</p>" for warning in self.warnings)
        return (
            f"<h3>{html.escape(self.title)}</h3><p>{html.escape(self.definition)} "
            f"<cite>{html.escape(self.citation)}</cite></p><p>{html.escape(self.summary)}</p>{notes}"
            f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        )


@dataclass(frozen=True, slots=True)
class Results:
    """Several results, in order: `results["top_sites"]`; show themselves in a notebook."""

    results: tuple[Result, ...]

    def __getitem__(self, name: str) -> Result:
        for result in self.results:
            if result.name == name:
                return result
        raise KeyError(f"{name!r}; there are {', '.join(result.name for result in self.results)}")

    def __iter__(self) -> Iterator[Result]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    def to_json(self) -> list[dict[str, Any]]:
        """The results as plain values."""
        return [result.to_json() for result in self.results]

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {', '.join(result.name for result in self.results) or 'none'}>"

    def _repr_html_(self) -> str:
        return "".join(result._repr_html_() for result in self.results)


def restored(values: Mapping[str, Any]) -> Result:
    """The result that `Result.stored` wrote down."""
    import pyarrow as pa

    schema = pa.ipc.read_schema(pa.py_buffer(base64.b64decode(values["schema"])))
    rest = {name: value for name, value in values.items() if name not in ("rows", "schema", "warnings")}
    rows = pa.Table.from_pylist(values["rows"], schema=schema)
    return Result(rows=rows, warnings=tuple(values["warnings"]), **rest)


def _thinned(rows: pa.Table, most: int | None) -> pa.Table:
    last = rows.num_rows - 1
    if most is None or last < most:
        return rows
    return rows.take([round(place * last / (most - 1)) for place in range(most)])


def _finite(value: Any) -> Any:
    """The value, or None for a number that JSON has no word for."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def shown(value: Any) -> str:
    """A value as people read it.

    >>> [shown(each) for each in (12345, 0.12345, None, ["a", "b"], "x")]
    ['12,345', '0.1235', '–', 'a, b', 'x']
    """
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.0f}"
    if isinstance(value, list):
        return ", ".join(map(shown, value))
    return str(value)
