"""Seeds out of a file: a URL a line, a table with a column `url`, or JSON lines."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

from corpulyzer.errors import UserError
from corpulyzer.web.seeds import Candidate

SOURCE = "file"


def from_file(path: Path) -> Iterator[Candidate]:
    """The URLs of a text, CSV, TSV or JSONL file, each with its line; the file is left as it is."""
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}.", "Name a file with URLs.") from None
    except UnicodeDecodeError:
        raise UserError(f"{path} is no UTF-8 text.", "Save it as UTF-8, one URL a line.") from None
    lines = text.splitlines()
    names = lines[0].lower() if lines else ""
    if path.suffix in (".csv", ".tsv") and "url" in names:
        yield from _from_table(path, lines)
        return
    for number, line in enumerate(lines, 1):
        if (bare := line.strip()) and not bare.startswith("#"):
            yield Candidate(_url_of(path, number, bare), f"{path.name}, line {number}")


def _from_table(path: Path, lines: list[str]) -> Iterator[Candidate]:
    rows = csv.DictReader(lines, delimiter="\t" if path.suffix == ".tsv" else ",")
    column = next((name for name in rows.fieldnames or () if name.strip().lower() == "url"), "")
    if not column:
        raise UserError(f"{path} has no column `url`.", "Name the column with the addresses `url`.")
    for number, row in enumerate(rows, 2):
        if row[column]:
            yield Candidate(row[column].strip(), f"{path.name}, line {number}")


def _url_of(path: Path, number: int, line: str) -> str:
    """The URL of a line: its first word, or its field `url`."""
    if line.startswith("{"):
        try:
            return str(json.loads(line)["url"])
        except (ValueError, KeyError, TypeError):
            raise UserError(f"{path}, line {number}, has no `url`.", 'Write {"url": "https://…"}.') from None
    return line.split()[0]
