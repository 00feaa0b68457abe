"""Rows out of a dump that mysqldump wrote, one INSERT after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import regex

from corpulyzer.errors import UserError
from corpulyzer.web.seeds.unpack import lines_of

_COLUMN = regex.compile(rb"\s*`(\w+)`\s")
# A value is a quoted string with escapes, or a bare word; the bracket behind it ends its row.
_VALUE = regex.compile(rb"\(?(?:(?:_binary )?'((?:[^'\\]++|\\.)*+)'|([^,'()]++))([,)])", regex.S)
_ESCAPED = regex.compile(rb"\\(.)", regex.S)
_MEANING = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"0": b"\0", b"Z": b"\x1a"}


def rows_of(location: str, columns: Sequence[str]) -> Iterator[tuple[bytes, ...]]:
    """The values of some columns, row by row; UserError if the table has no such columns.

    Strings are without their escapes, NULL is empty.
    """
    names: list[str] = []
    wanted: list[int] = []
    for line in lines_of(location):
        if line.startswith(b"INSERT INTO "):
            wanted = wanted or [_place(name, names, location) for name in columns]
            yield from _rows(line, wanted)
        elif not wanted and (column := _COLUMN.match(line)):
            names.append(column[1].decode())
    if not names:
        raise UserError(
            f"{location} is no dump of a table.", "Name a file such as xhwiki-latest-page.sql.gz."
        )


def columns_of(location: str) -> list[str]:
    """The names of a dump's columns; only its beginning is read."""
    names: list[str] = []
    for line in lines_of(location):
        if column := _COLUMN.match(line):
            names.append(column[1].decode())
        elif names and line.startswith(b")"):
            break
    return names


def _rows(line: bytes, wanted: Sequence[int]) -> Iterator[tuple[bytes, ...]]:
    row: list[bytes] = []
    at = line.find(b"VALUES")
    for match in _VALUE.finditer(line, at + 6):
        quoted, bare, end = match.groups()
        row.append(_plain(quoted) if quoted is not None else b"" if bare == b"NULL" else bare)
        if end == b")":
            yield tuple(row[place] for place in wanted)
            row = []


def _plain(quoted: bytes) -> bytes:
    if b"\\" not in quoted:
        return quoted
    return bytes(_ESCAPED.sub(lambda match: _MEANING.get(match[1], match[1]), quoted))


def _place(name: str, names: Sequence[str], location: str) -> int:
    if name not in names:
        raise UserError(
            f"The table in {location} has no column {name}; it has {', '.join(names) or 'none'}.",
            "Its form has changed, or it is another table: use another dump, or the XML dump with --xml.",
        )
    return names.index(name)
