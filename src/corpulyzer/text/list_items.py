"""The items of a list that stands in one line, as in `1) Wheat 2) Rice` or `• Wheat • Rice`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import regex

_MARKER = regex.compile(
    r"\s*+(?P<bullet>[•⁃]?)\s?(?:(?P<value>\d{1,2}|[a-z])(?P<style>\.\)|\)|\.)\s?(?=\p{L})|(?<=[•⁃]\s?)(?=\S))"
)
_MARKS = frozenset("•⁃.)")
_FIRST_CHARACTERS = 8


def items_of(line: str, capital_nouns: bool) -> Iterator[tuple[str, int]]:
    """The items of a line with the length of their markers; a line that is no list is one item.

    A number with a full stop begins an item only before a capital, and where nouns have capitals only after
    the end of a sentence: elsewhere it is an ordinal.

    >>> list(items_of("1) Wheat 2) Rice", False))
    [('1) Wheat ', 3), ('2) Rice', 3)]
    """
    first = None if _MARKS.isdisjoint(line[:_FIRST_CHARACTERS]) else _MARKER.match(line)
    if first is None:
        yield line, 0
        return
    start, begins, value = 0, first.end(), first["value"] or ""
    while found := _following(first["bullet"], value, first["style"] or "", capital_nouns).search(
        line, begins
    ):
        yield line[start : found.start()], begins - start
        start, begins, value = found.start(), found.end(), _next(value)
    yield line[start:], begins - start


def _next(value: str) -> str:
    if value.isdigit():
        return str(int(value) + 1)
    return chr(ord(value) + 1) if value else ""


@cache
def _following(bullet: str, value: str, style: str, capital_nouns: bool) -> regex.Pattern[str]:
    """The marker after the one with this value."""
    if not value:
        return regex.compile(rf"(?<=\s){bullet}\s?(?=\S)")
    ordinal = style == "." and value.isdigit() and not bullet
    after = r"\p{Lu}" if ordinal else r"\p{L}"
    end = r"(?<=[.!?…][\p{Pe}\p{Pf}\"']?\s)" if ordinal and capital_nouns else r"(?<=\s)"
    sign = rf"{bullet}\s?" if bullet else ""
    return regex.compile(rf"{end}{sign}{_next(value)}{regex.escape(style)}\s?(?={after})")
