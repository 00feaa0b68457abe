"""Which script a text is written in."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable
from functools import cache

import regex

from corpulyzer.language import scripts

_SPACELESS = frozenset(
    {"Thai", "Laoo", "Khmr", "Mymr", "Tibt", "Hani", "Hans", "Hant", "Hira", "Kana", "Jpan", "Bopo", "Yiii"}
    | {"Lana", "Talu", "Tale", "Tavt", "Java", "Bali"}
)
# Below this share of kana among kana and Han, a text is Chinese with some Japanese in it.
_MIN_KANA_SHARE = 0.05
_LETTER = regex.compile("[A-Za-z]")


def spaceless(script: str) -> bool:
    """Whether words are written without spaces in this script, so that only characters can be counted."""
    return script in _SPACELESS


def script_of(text: str) -> str:
    """The script (ISO 15924) of most characters, or an empty string where there is no letter.

    Han with kana is `Jpan`, Han alone `Hani`: simplified and traditional are not told apart.

    >>> script_of("اردو 2021 pdf"), script_of("123")
    ('Arab', '')
    """
    return _most(text, lambda point: 1)


def weightiest_script(text: str) -> str:
    """The script of most bytes in UTF-8: foreign words and names in Latin letters outweigh no sentence.

    >>> script_of("将 DEBUG 设为 True"), weightiest_script("将 DEBUG 设为 True")
    ('Latn', 'Hani')
    """
    return _most(text, lambda point: 1 if point < 0x80 else 2 if point < 0x800 else 3)


def _most(text: str, weight: Callable[[int], int]) -> str:
    """The script that has most, by the weight of a character."""
    if text.isascii():
        return "Latn" if _LETTER.search(text) else ""
    counts: Counter[str] = Counter()
    for character, count in Counter(text).items():
        point = ord(character)
        counts[_script(point)] += count * weight(point)
    del counts[""]
    kana = counts.pop("Hira", 0) + counts.pop("Kana", 0)
    if kana and kana >= _MIN_KANA_SHARE * (kana + counts["Hani"]):
        counts["Jpan"] = kana + counts.pop("Hani", 0)
    return min(counts, key=lambda script: (-counts[script], script), default="")


@cache
def _script(point: int) -> str:
    starts, spans = _script_spans()
    end, script = spans[bisect_right(starts, point) - 1]
    return script if point <= end else ""


@cache
def _script_spans() -> tuple[list[int], list[tuple[int, str]]]:
    spans = sorted((start, end, script.code) for script in scripts() for start, end in script.characters)
    return [-1, *(start for start, _, _ in spans)], [(-1, ""), *((end, code) for _, end, code in spans)]
