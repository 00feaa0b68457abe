"""What the characters of each block are: one look at the whole text of a page, in any script."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

OTHER, SPACE, STOP, COMMA, DIGIT, UPPER, UNSPACED, SYMBOL = range(8)

# Sentence-final signs of the scripts in use, and the signs that part what is inside a sentence.
_STOPS = ".!?…。！？｡।॥۔؟።፧፨։។៕၊။‽⁇⁈⁉᙮᠃᠉꓿꘎꘏꛳꛷܀܁܂༎།༔߹ฯ๚๛؞᥄᥅"
_COMMAS = ",;:،؛、，；：፣፤፥፦՝·߸᠂᠈꓾꘍꛵"
_SYMBOLS = "|/\\<>=+*#@&%$€£¥₹₽©®™•·»«›‹→←↑↓▶►◄★☆✓×_~^{}[]…–—"
_UNSPACED = (
    (0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x2E80, 0x2FDF), (0x3005, 0x3007),
    (0x3021, 0x3029), (0x3041, 0x30FF), (0x31F0, 0x31FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF),
    (0xA9E0, 0xA9FF), (0xAA60, 0xAA7F), (0xF900, 0xFAFF), (0xFF66, 0xFF9F), (0x20000, 0x3FFFF),
)  # fmt: skip
_NO_CASE = range(0x3000, 0xA640), range(0xAC00, 0xFF00)  # large, and neither cased nor digits of interest


@cache
def classes() -> Any:
    """The class of every code point, a byte each. Made once: it takes milliseconds."""
    table = np.zeros(0x110000, np.uint8)
    for code in (*range(_NO_CASE[0].start), *range(_NO_CASE[0].stop, _NO_CASE[1].start)):
        character = chr(code)
        if character.isupper():
            table[code] = UPPER
        elif character.isdecimal():
            table[code] = DIGIT
    for first, last in _UNSPACED:
        table[first : last + 1] = UNSPACED
    for signs, kind in ((_SYMBOLS, SYMBOL), (_COMMAS, COMMA), (_STOPS, STOP), (" \n\t", SPACE)):
        table[[ord(sign) for sign in signs]] = kind
    return table


def character_counts(texts: Sequence[str]) -> tuple[Any, Any, Any]:
    """For each text, none of them empty: how many characters of each class, how many in all, and whether
    it ends as a sentence does, closing signs aside."""
    lengths = np.array([len(text) for text in texts])
    codes = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32)
    found = classes()[codes]
    rows = np.repeat(np.arange(0, 8 * len(texts), 8), lengths)
    rows += found
    counts = np.bincount(rows, minlength=8 * len(texts)).reshape(-1, 8)
    ends = np.cumsum(lengths)
    last = found[ends - 1]
    before = found[np.maximum(ends - 2, 0)]
    return counts, lengths, (last == STOP) | ((last == OTHER) & (before == STOP) & (lengths > 1))
