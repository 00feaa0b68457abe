"""Results to take home: a table as CSV, as a spreadsheet, or as JSON; its figure as SVG or PNG."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from corpulyzer.errors import UserError
from corpulyzer.interface.catalogue import translated
from corpulyzer.interface.messages import said
from corpulyzer.measure.figures import MOST_BARS, bars, diverging
from corpulyzer.measure.result import Result

if TYPE_CHECKING:
    from starlette.responses import Response

KINDS = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "json": "application/json",
    "svg": "image/svg+xml",
    "png": "image/png",
}
MOST_ROWS = 10_000
"""The most rows of a table that is taken home."""
LONGEST_CELL = 32_767
"""The most characters that a cell of a spreadsheet holds."""
Row = Mapping[str, Any]
DRAWN = ("svg", "png")


@dataclass(frozen=True, slots=True)
class Figure:
    """What a figure of a result shows: bars of a value, one for each of the first rows."""

    title: str
    category: str
    value: str
    named: str


def today() -> str:
    """The day on which a result is seen, for those who cite it."""
    return datetime.now(UTC).date().isoformat()


def taken(rows: Sequence[Row], kind: str, name: str, figure: Figure | None = None) -> Response:
    """The rows of a result as a file of some kind."""
    from starlette.responses import Response

    makers: dict[str, Callable[[Sequence[Row]], bytes]] = {"csv": as_csv, "xlsx": as_xlsx, "json": as_json}
    if figure is not None:
        makers |= {each: partial(drawn, figure, each) for each in DRAWN}
    if kind not in makers:
        raise UserError(f"There is no {kind!r} of this result.", f"Choose one of: {', '.join(makers)}.")
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}.{kind}"}
    return Response(makers[kind](rows), media_type=KINDS[kind], headers=headers)


def drawn(figure: Figure, kind: str, rows: Sequence[Row]) -> bytes:
    """The figure of a result; UserError where there is nothing to draw."""
    import pyarrow as pa

    cells = [{name: row[name] for name in (figure.category, figure.value)} for row in rows]
    named = translated(figure.named)
    spec = bars(figure.category, figure.value, titles={figure.value: named})
    if any(row[figure.value] < 0 for row in cells):
        cells, spec = _apart(cells), diverging(figure.category, figure.value, named)
    result = Result("result", said(figure.title), "", "", pa.Table.from_pylist(cells), spec=spec)
    made = result.svg() if kind == "svg" else result.png()
    if made is None:
        raise UserError("There is nothing to draw.", "Ask for something that has matches.")
    return made.encode() if isinstance(made, str) else made


def _apart(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The ends of a list, where a value is furthest from zero."""
    return rows if len(rows) <= 2 * MOST_BARS else [*rows[:MOST_BARS], *rows[-MOST_BARS:]]


def as_csv(rows: Sequence[Row]) -> bytes:
    """The rows with a head; a mark at the beginning tells spreadsheets that it is UTF-8."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(rows[0] if rows else ())
    writer.writerows(row.values() for row in rows)
    return text.getvalue().encode("utf-8-sig")


def as_json(rows: Sequence[Row]) -> bytes:
    """The rows as a list of objects."""
    return json.dumps(list(rows), ensure_ascii=False, indent=1).encode()


def as_xlsx(rows: Sequence[Row]) -> bytes:
    """The rows on one sheet. Texts are texts, whatever they begin with: no page can bring a formula."""
    import xlsxwriter

    file = io.BytesIO()
    options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    with xlsxwriter.Workbook(file, options) as book:
        sheet = book.add_worksheet("result")
        head = list(rows[0]) if rows else []
        for number, row in enumerate([head, *(list(each.values()) for each in rows)]):
            sheet.write_row(number, 0, [_cell(value) for value in row])
    return file.getvalue()


def _cell(value: Any) -> Any:
    return value[:LONGEST_CELL] if isinstance(value, str) else value
