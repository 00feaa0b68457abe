"""Which encoding bytes are in that do not say so: by their form first, then by how well their text fits.

Encodings of 16 and 32 bits and of escape sequences are known by their form. All others are tried on the words
that have a byte beyond ASCII, and the one whose text costs least wins (`model.py`).
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import Final

import regex

from corpulyzer.page.extract.charset.decoders import ERROR, decoded

MAX_SAMPLE_BYTES = 8_000
MAX_FORM_BYTES = 4_096
DEFAULT = "windows-1252"

# What an encoding costs by being unusual on the web, in nats.
_UNUSUAL: Final = {
    "windows-1252": 0.0, "windows-1251": 0.5, "windows-1250": 0.5, "iso-8859-2": 1.0, "gb18030": 0.5,
    "shift_jis": 0.5, "euc-jp": 0.5, "euc-kr": 0.5, "big5": 0.5, "windows-1254": 1.0, "windows-1256": 0.5,
    "windows-1253": 0.5, "windows-1255": 0.5, "windows-874": 0.5, "iso-8859-7": 1.0, "koi8-r": 1.0,
    "windows-1257": 1.5, "iso-8859-15": 3.0, "iso-8859-6": 2.0, "iso-8859-8-i": 2.0, "koi8-u": 2.0,
    "iso-8859-5": 2.0, "windows-1258": 3.0, "iso-8859-13": 3.0, "iso-8859-4": 4.0, "ibm866": 3.0,
    "x-mac-cyrillic": 4.0, "macintosh": 5.0,
}  # fmt: skip
_MOST_UNUSUAL = 6.0

_TAG = regex.compile(rb"<[^<>!][^<>]*>")
_WORD = regex.compile(rb"[A-Za-z]*[\x80-\xff][\x40-\x7e\x80-\xff]*(?:[0-9][\x80-\xff][\x40-\x7e\x80-\xff]*)*")


def form_of(body: bytes) -> str:
    """The encoding that the form of bytes shows, where they would pass for UTF-8 too; empty for most."""
    if b"\0" in body[:MAX_FORM_BYTES] and (wide := _wide(body[:MAX_FORM_BYTES])):
        return wide
    # One byte is looked for first: that costs a hundredth of two.
    if b"\x1b" in body and b"\x1b$" in body and body.isascii() and ERROR not in decoded(body, "iso-2022-jp"):
        return "iso-2022-jp"
    return ""


def detected(body: bytes, expected: Collection[str] = ()) -> str:
    """The encoding that bytes fit best, in the Standard's words; they are no UTF-8.

    `expected` are languages that the page is likely in, as codes of ISO 639-3.

    >>> detected("Wczoraj siedzieliśmy nad rzeką".encode("iso-8859-2"))
    'iso-8859-2'
    """
    costs = costs_of(body, tuple(expected))
    return min(costs, key=costs.__getitem__) if costs else DEFAULT


@lru_cache(maxsize=1)
def costs_of(body: bytes, expected: tuple[str, ...] = ()) -> dict[str, float]:
    """What the text costs, in nats, by encoding; empty where no word has a byte beyond ASCII."""
    from corpulyzer.page.extract.charset.model import multi_byte_fits, single_byte_fits

    sample = sample_of(body)
    if not sample:
        return {}
    fits = [*single_byte_fits(sample, expected), *multi_byte_fits(sample, expected)]
    return {fit.encoding: fit.cost + _UNUSUAL.get(fit.encoding, _MOST_UNUSUAL) for fit in fits}


def sample_of(body: bytes) -> bytes:
    """Different words with a byte beyond ASCII, from all over the text, or of tags if the text has none."""
    words = list(dict.fromkeys(_WORD.findall(_TAG.sub(b" ", body)) or _WORD.findall(body)))
    size = sum(map(len, words)) + len(words)
    some = words[:: 1 + size // MAX_SAMPLE_BYTES]
    return b" %b " % b" ".join(some)[: 2 * MAX_SAMPLE_BYTES] if words else b""


def _wide(start: bytes) -> str:
    """UTF-32 or UTF-16 without a mark: characters of ASCII stand beside zeros, always on the same side."""
    for encoding in ("utf-32le", "utf-32be"):
        whole = start[: len(start) // 4 * 4]
        if whole and ERROR not in decoded(whole, encoding):
            return encoding
    pairs = list(zip(start[::2], start[1::2], strict=False))
    little = sum(first in _PLAIN and not second for first, second in pairs)
    big = sum(second in _PLAIN and not first for first, second in pairs)
    most, least = max(little, big), min(little, big)
    if most * 50 < len(pairs) or least * 10 > most:
        return ""
    # Text with a few zeros in it is no UTF-16, unless it is full of what is no text either.
    as_they_are = sum(first in _PLAIN and second in _PLAIN for first, second in pairs)
    if as_they_are > most and decoded(start, "utf-8").count(ERROR) * 50 < len(start):
        return ""
    return "utf-16le" if little > big else "utf-16be"


_PLAIN: Final = frozenset((*b"\t\n\r", *range(32, 127)))
