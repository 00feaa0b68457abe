"""The letters of each script's encodings, and the classes of all other characters, as small numbers."""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Final

import regex

from corpulyzer.page.extract.charset.decoders import ERROR, single_byte_table

SCRIPTS: Final = {
    "Latn": "windows-1252 windows-1250 iso-8859-2 windows-1254 windows-1257 iso-8859-13 iso-8859-15 "
    "windows-1258 iso-8859-4 iso-8859-3 iso-8859-16 iso-8859-10 iso-8859-14 macintosh",
    "Cyrl": "windows-1251 koi8-r koi8-u iso-8859-5 ibm866 x-mac-cyrillic ibm855",
    "Grek": "windows-1253 iso-8859-7",
    "Arab": "windows-1256 iso-8859-6",
    "Hebr": "windows-1255 iso-8859-8-i",
    "Thai": "windows-874",
}
"""The single-byte encodings of each script, the usual ones first."""

BOUNDARY, MARK, ODD, ALIEN, WRONG, FIRST_LETTER = range(6)
"""The classes: what is between words, usual marks, unusual ones, letters of other scripts, no characters."""

_MARKS: Final = frozenset("\xa0«»“”„‘’‚–—…€©®°·•§№™£¥¿¡½×²±´\xad؟،؛\u200c\u200d\u200e\u200f")
_LETTER = regex.compile(r"[\p{L}\p{M}]")


@cache
def letters(script: str) -> str:
    """The lower-case letters that texts of a script are made of: its own, and those of ASCII."""
    tables = map(single_byte_table, SCRIPTS[script].split())
    found = {
        folded for table in tables for character in table[128:] if (folded := _folded(character, script))
    }
    return "abcdefghijklmnopqrstuvwxyz" + "".join(sorted(found))


@cache
def number_of(character: str, script: str) -> int:
    """The number of a character in texts of a script: that of its letter, or of its class."""
    lower = character.lower()[:1]  # İ has two characters in lower case, of which the first is its letter
    if lower < "\x80":
        return FIRST_LETTER + ord(lower) - ord("a") if "a" <= lower <= "z" else BOUNDARY
    if character in _MARKS:
        return MARK
    if character == ERROR or unicodedata.category(character) in ("Cc", "Co", "Cn"):
        return WRONG
    place = letters(script).find(_folded(character, script) or character)
    if place >= 0:
        return FIRST_LETTER + place
    return ALIEN if _LETTER.match(character) else ODD


@cache
def _folded(character: str, script: str) -> str:
    """A letter of the script in lower case; empty for all else."""
    lower = character.lower()
    if len(lower) != 1 or lower < "\x80" or lower in "ªºµ":
        return ""
    own = regex.match(
        rf"[\p{{Script_Extensions={script}}}--[\p{{P}}\p{{S}}\p{{N}}\p{{Cf}}]]", lower, regex.V1
    )
    inherited = unicodedata.category(lower) == "Mn"  # the tones of Vietnamese, the points of Hebrew
    return lower if own or inherited else ""
