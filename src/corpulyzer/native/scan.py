"""Tests and counts over whole texts and addresses, in C where that was built.

Without it they are slower, and `is_stable` and `is_canonical` are always false.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from corpulyzer.native import compiled

__all__ = [
    "broken", "counted", "has_any", "has_before", "is_canonical", "is_stable", "is_utf8", "marked",
    "may_be_deep", "places", "tag_count",
]  # fmt: skip

_CHUNK_BYTES = 4_096


def _is_unknown(text: str, *_: object) -> bool:
    """Always false: the caller has to check in a slower way."""
    return False


def _has_any(text: bytes, parts: tuple[bytes, ...]) -> bool:
    return any(part in text for part in parts)


def _has_before(text: bytes, part: bytes, following: bytes) -> bool:
    return any(part + following[at : at + 1] in text for at in range(len(following)))


def _places(text: bytes, part: bytes, most: int) -> list[int]:
    found: list[int] = []
    place = text.find(part)
    while place >= 0 and len(found) < most:
        found.append(place)
        place = text.find(part, place + 1)
    return found


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def _tag_count(html: bytes, name: bytes) -> int:
    return html.lower().count(b"<" + name)


def _may_be_deep(html: bytes, depth: int) -> bool:
    open_tags = 0
    for start in range(0, len(html), _CHUNK_BYTES):
        end = start + _CHUNK_BYTES
        open_tags += html.count(b"<", start, end) - 2 * html.count(b"</", start, end + 1)
        if open_tags > depth:
            return True
    return False


is_stable: Callable[[str], bool] = _is_unknown
"""Whether a text is clean for sure; if false, it may be clean or not."""
is_canonical: Callable[[str, bytes], bool] = _is_unknown
"""Whether an absolute address is in canonical form for sure; if false, it may be or not.

The second argument is `url.SUSPECT_NAMES`."""
has_any: Callable[[bytes, tuple[bytes, ...]], bool] = _has_any
"""Whether bytes contain one of several parts, none of them empty."""
has_before: Callable[[bytes, bytes, bytes], bool] = _has_before
"""Whether bytes contain a part that is followed by one of the bytes in the last argument."""
places: Callable[[bytes, bytes, int], list[int]] = _places
"""Where a part of at least one byte begins in bytes: the first places, as many as are asked for."""
is_utf8: Callable[[bytes], bool] = _is_utf8
"""Whether bytes are UTF-8 from end to end."""
tag_count: Callable[[bytes, bytes], int] = _tag_count
"""How often `<` and a name occur, in letters of either case; the name is given in lower case."""
may_be_deep: Callable[[bytes, int], bool] = _may_be_deep
"""Whether tags may be nested deeper than a number: open tags are counted after every few thousand bytes."""
counted: Callable[[str, Any], tuple[int, int, int, int]] | None = None
"""The four numbers of a `Census`, by a table of the kinds of all code points."""
marked: Callable[[str, bytes], list[int]] | None = None
"""Where a text has characters that a table with a byte for every code point marks."""
broken: Callable[[str], int] | None = None
"""How many characters of a text come from a wrong decoding."""

if compiled is not None:
    is_stable, is_canonical, is_utf8 = compiled.is_stable, compiled.is_canonical, compiled.is_utf8
    has_any, has_before, places = compiled.has_any, compiled.has_before, compiled.places
    counted, tag_count, may_be_deep = compiled.census, compiled.tag_count, compiled.may_be_deep
    broken, marked = compiled.broken, compiled.marked
