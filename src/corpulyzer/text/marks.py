"""Tables of characters, by which the places of some in a text are found without a pattern."""

from __future__ import annotations

from array import array
from functools import cache
from sys import byteorder

import regex

_CODE_POINTS = 0x110000
# Of the planes that nobody has assigned, and of those for private use, one code point stands for all.
_PLANES = (range(0x40000, 0xE0000), range(0xE0200, 0xF0000), range(0xF0000, 0xFFFFE))
_RANGES = (
    (range(0x40000), False),
    (range(0xE0000, 0xE0200), False),
    *((codes, True) for codes in _PLANES),
    (range(0xFFFFE, 0x100000), True),
    (range(0x100000, 0x10FFFE), True),
    (range(0x10FFFE, _CODE_POINTS), True),
)


@cache
def marks_of(characters: str, below: int = _CODE_POINTS) -> bytes:
    r"""A byte for every code point: 1 if it is below a number, and of a class in the syntax of `regex`.

    Takes 5 ms for all code points; forked workers share what was made before.

    >>> [chr(code) for code, mark in enumerate(marks_of(r"[\p{Lu}--A]", 0x44)) if mark]
    ['B', 'C']
    """
    table = bytearray(_CODE_POINTS)
    for plane, alike in _RANGES:
        codes = plane[: max(0, below - plane.start)]
        every = array("I", codes[:1] if alike else codes).tobytes()
        text = every.decode(f"utf-32-{byteorder[0]}e", "surrogatepass")
        for run in regex.finditer(f"{characters}+", text, regex.V1):
            first, last = codes[run.start()], codes[-1 if alike else run.end() - 1]
            table[first : last + 1] = b"\1" * (last + 1 - first)
    return bytes(table)
