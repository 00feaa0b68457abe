"""Frequency lists of other corpora, to compare with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from corpulyzer.errors import UserError
from corpulyzer.search.units import fold
from corpulyzer.text import nfc

if TYPE_CHECKING:
    from corpulyzer.language import Language

EXPORTED = "rank\tword\tfrequency\t"
"""How a list begins that `corpulyzer export frequency` has made."""


def read_reference(path: Path, language: Language | None = None) -> dict[str, int]:
    """The counts of a list: a JSON object, a word and its count on each line, in either order, or an export.

    Spellings in capitals and small letters are counted together, as the index does it.
    """
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(
            f"{path} cannot be read: {error}.", "Name a UTF-8 file with words and counts."
        ) from None
    pairs = _members(text, path) if text.lstrip().startswith("{") else _lines(text, path)
    if not pairs:
        raise UserError(f"{path} has no word with its count.", "Write `word<TAB>count` on each line.")
    counts: dict[str, int] = {}
    for word, count in pairs:
        key = fold(nfc(word), language)
        counts[key] = counts.get(key, 0) + count
    return counts


def _members(text: str, path: Path) -> list[tuple[str, int]]:
    try:
        return [(word, int(count)) for word, count in json.loads(text).items()]
    except (ValueError, TypeError) as error:
        raise UserError(f"{path} is no list of words: {error}.", 'Write `{"word": 12}`.') from None


def _lines(text: str, path: Path) -> list[tuple[str, int]]:
    if text.startswith(EXPORTED):
        rows = (line.split("\t") for line in text.splitlines()[1:])
        return [(row[1], int(row[2])) for row in rows if len(row) > 2]
    pairs = []
    for number, line in enumerate(text.splitlines(), 1):
        fields = line.replace(",", "\t").split()
        if not fields or line.startswith("#"):
            continue
        if len(fields) == 2 and fields[1].isdecimal():
            pairs.append((fields[0], int(fields[1])))
        elif len(fields) == 2 and fields[0].isdecimal():
            pairs.append((fields[1], int(fields[0])))
        elif number > 1:  # the first line may be a header
            raise UserError(f"{path}, line {number}: no word with its count.", "Write `word<TAB>count`.")
    return pairs
