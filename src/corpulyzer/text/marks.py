"""Tables of characters, by which the places of some in a text are found without a pattern."""

from __future__ import annotations

from array import array
from functools import cache
from sys import byteorder

import regex

_CODE_POINTS = 0x110000


@cache
def marks_of(characters: str, below: int = _CODE_POINTS) -> bytes:
    r"""A byte for every code point: 1 if it is below a number, and of a class in the syntax of `regex`.

    Takes 20 ms for all code points; forked workers share what was made before.

    >>> [chr(code) for code, mark in enumerate(marks_of(r"[\p{Lu}--A]", 0x44)) if mark]
    ['B', 'C']
    """
    table = bytearray(_CODE_POINTS)
    every = array("I", range(below)).tobytes().decode(f"utf-32-{byteorder[0]}e", "surrogatepass")
    for run in regex.finditer(f"{characters}+", every, regex.V1):
        table[run.start() : run.end()] = b"\1" * (run.end() - run.start())
    return bytes(table)
