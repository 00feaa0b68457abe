"""One clean form of a text, so that equal texts are equal strings and native libraries can take them."""

from __future__ import annotations

import unicodedata

import regex

from corpulyzer.native.scan import is_stable

# What is no text: controls, halves of surrogate pairs, and code points that Unicode promises never to use.
_NO_TEXT = regex.compile(r"[[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]--[\n\t]]", regex.V1)
_BREAKS = regex.compile(r"\r\n?|[\v\f\x1c-\x1f\x85]")
_ASCII_CONTROLS = bytes([*range(9), *range(11, 32), 127])


def clean(text: str) -> str:
    """The text in NFC, without controls and non-characters; applying it twice changes nothing.

    Tabs and newlines stay. A carriage return is a newline, other breaks are a space.

    >>> clean("e\\u0301te\\x00\\r\\n")
    'éte\\n'
    """
    if is_stable(text):
        return text
    if not _is_clean(text):
        text = _BREAKS.sub(lambda match: "\n" if match[0][0] == "\r" else " ", text)
        text = _NO_TEXT.sub("", text)
    return nfc(text)


def nfc(text: str) -> str:
    """The text in Unicode's composed form (NFC)."""
    if text.isascii():
        return text
    # Line by line, because one mark makes a whole string take the slow way (50 ns a character).
    return "\n".join([unicodedata.normalize("NFC", line) for line in text.split("\n")])


def _is_clean(text: str) -> bool:
    """Whether the encoded bytes prove that a text is clean; if not, it may be clean all the same.

    Ten times quicker than a search for the characters themselves.
    """
    try:
        raw = text.encode()
    except UnicodeEncodeError:
        return False
    if len(raw.translate(None, _ASCII_CONTROLS)) != len(raw):
        return False
    if len(raw) == len(text):
        return True
    if b"\xbf\xbe" in raw or b"\xbf\xbf" in raw or b"\xef\xb7" in raw:
        return False
    return b"\xc2" not in raw or all(piece[0] >= 0xA0 for piece in raw.split(b"\xc2")[1:])
