"""Results to take home: a table as CSV, as a spreadsheet, or as JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from corpulyzer.errors import UserError

if TYPE_CHECKING:
    from starlette.responses import Response

KINDS = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "json": "application/json",
}
MOST_ROWS = 10_000
"""The most rows of a table that is taken home."""
LONGEST_CELL = 32_767
"""The most characters that a cell of a spreadsheet holds."""
Row = Mapping[str, Any]


def taken(rows: Sequence[Row], kind: str, name: str) -> Response:
    """The rows of a result as a file of some kind."""
    from starlette.responses import Response

    makers = {"csv": as_csv, "xlsx": as_xlsx, "json": as_json}
    if kind not in makers:
        raise UserError(f"There is no {kind!r} of a result.", f"Choose one of: {', '.join(makers)}.")
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}.{kind}"}
    return Response(makers[kind](rows), media_type=KINDS[kind], headers=headers)


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
