"""Tables for the page: what each column is called, and how its values are written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from corpulyzer.measure.result import Result, shown

ROWS = 50
CHARACTERS = 240
_SHARES = ("share", "_share", "rate", "of_first", "of_previous", "_rate", "richness", "coverage")
_PLAIN = ("rank", "year", "round", "seed")
OF_THE_CORPUS = frozenset({"word"})
"""Columns with words of the corpus: they are shown as they are, even if the catalogue has such a word."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its key, its heading, and whether it holds numbers."""

    key: str
    title: str
    number: bool

    @property
    def as_it_is(self) -> bool:
        """Whether its values are not translated."""
        return self.number or self.key in OF_THE_CORPUS


@dataclass(frozen=True, slots=True)
class TableView:
    """The rows of a result as people read them, and how many more there are."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    more: int


def table_view(result: Result, rows: int = ROWS) -> TableView:
    """The first rows of a result; columns in which nothing stands are left out."""
    values = result.rows.slice(0, rows).to_pylist()
    columns = tuple(
        Column(field.name, field.name.replace("_", " "), str(field.type) in ("int64", "double"))
        for field in result.rows.schema
        if not values or any(row[field.name] not in (None, "", []) for row in values)
    )
    written = tuple(tuple(cell(column.key, row[column.key]) for column in columns) for row in values)
    return TableView(columns, written, max(0, result.rows.num_rows - rows))


def cell(key: str, value: Any) -> str:
    """A value as it stands in a table: shares in per cent, sizes in bytes with a unit.

    >>> cell("pages_share", 0.1234), cell("target_bytes", 12_345_678), cell("pages", 1234)
    ('12.3%', '12.3 MB', '1,234')
    """
    if isinstance(value, float) and is_share(key):
        return percentage(value)
    if isinstance(value, int) and not isinstance(value, bool):
        if key == "bytes" or key.endswith("_bytes"):
            return byte_size(value)
        if key.endswith(_PLAIN):
            return str(value)
    text = shown(value)
    return text if len(text) <= CHARACTERS else text[: CHARACTERS - 1] + "…"


def is_share(key: str) -> bool:
    """Whether a column of that name holds shares, from 0 to 1."""
    return key in _SHARES or key.endswith(("_share", "_rate", "_richness"))


def percentage(share: float) -> str:
    """A share in per cent, with as many digits as tell it from none.

    >>> percentage(0.5), percentage(0.00012), percentage(0.0), percentage(1.0)
    ('50.0%', '0.012%', '0%', '100%')
    """
    if share in (0.0, 1.0):
        return f"{share:.0%}"
    value = share * 100
    return f"{value:.1f}%" if abs(value) >= 0.1 else f"{value:.2g}%"


def byte_size(size: int) -> str:
    """Bytes with a decimal unit.

    >>> byte_size(999), byte_size(1_500), byte_size(2_000_000_000)
    ('999 B', '1.5 kB', '2.0 GB')
    """
    value = float(size)
    for unit in ("B", "kB", "MB", "GB"):
        if abs(value) < 1000:
            return f"{value:.0f} B" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1000
    return f"{value:,.1f} TB"
