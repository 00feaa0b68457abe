"""Whether a full stop ends a sentence, or belongs to an abbreviation, an initial, a number or a date.

What is known of a language or learned from a corpus (`Stops`) decides first; where nothing is known, the
shape of the word does.
"""

from __future__ import annotations

import unicodedata

import regex

from corpulyzer.text.abbreviations import Stops

_WORD_BEFORE = regex.compile(r"(?r)[^\s\p{Ps}\p{Pi}\"'¿¡]+$")
_INITIALS = regex.compile(r"(?:^|\s)\p{L}\p{M}*\.\s?\p{L}\p{M}*$")
_DOTTED_LETTERS = regex.compile(r"(?:\p{L}\p{M}*){1,2}(?:\.(?:\p{L}\p{M}*){1,2})+")
_NUMBER = regex.compile(r"[\p{Pd}•*⁃]*(\d+)")
# After a name it is the number of a king or a pope, which may end a sentence.
_ROMAN_ORDINAL = regex.compile(r"(?:^|\s)[^\s\p{Lu}]\S*\s[IVX]{1,5}$")
_DOUBLED_CAPITALS = regex.compile(r"(?![IVX])(\p{Lu})\1")
_NUMBER_SIGN = regex.compile(r"\p{L}?\p{L}?[°º№]")
_UNIT_AFTER_NUMBER = regex.compile(r"\d\s?\S{1,3}$")
_NEXT_WORD = regex.compile(r"([\p{L}\p{M}’']*)(\.?)")
_REST_OF_DATE = regex.compile(r"(?:1[0-2]|0?[1-9])(?:\.|\s|$)|[12]\d{3}\b")
_MONTH_AND_YEAR = regex.compile(r"\p{Lu}\p{L}{2,}\.?\s[12]\d{3}\b")
# Scripts without case in which a single letter before a full stop is an initial or a title.
_UNCASED_INITIAL = regex.compile(r"[\p{Arabic}\p{Hebrew}\p{Devanagari}\p{Bengali}]")
# A longer word has no shape of an abbreviation; most words are longer, and need no further look.
_LONGEST = 4
_VOWELS = frozenset("aeiouyæøœəɛɔıɨʉаеёиоуыэюяіїєўүұөәαεηιουω")


def keeps_full_stop(before: str, line: str, end: int, place: int, stops: Stops) -> bool:
    """Whether the full stop after `before` belongs to its word.

    It ends at `end` of the line, and the next letter or digit stands at `place`; it is no small letter.
    """
    word = _word_at_end(before)
    if not word:
        return False
    if not word.isalpha() and (number := _NUMBER.fullmatch(word)):
        return word == before.strip() or (stops.ordinals and _is_ordinal(number[1], line, end, place, stops))
    first, key = line[place], word.lower()
    if len(word) == 1 and (following := _NEXT_WORD.match(line, place)) and _is_initial(following):
        return True
    if key in stops.inside:
        return True
    if key in stops.either:
        common = key in stops.learned and _next_word(line, place) in stops.common
        return not (common or opens_sentence(line, place, stops))
    if key in stops.never or (len(word) > _LONGEST and word.isalpha() and not word.isupper()):
        return False
    opens = opens_sentence(line, place, stops)
    if _DOTTED_LETTERS.fullmatch(word) or _INITIALS.search(before[-20:]):
        return not opens
    if stops.ordinals and not opens and _ROMAN_ORDINAL.search(before[-40:]):
        return True
    if first.isdigit() and _NUMBER_SIGN.fullmatch(word):
        return True
    return word.isalpha() and _has_shape_of_abbreviation(word, before, first, opens)


def _word_at_end(text: str) -> str:
    last: str = text[text.rfind(" ") + 1 :]
    if last.isalpha():  # as most are; the pattern would find the same, more slowly
        return last
    found = _WORD_BEFORE.search(text)
    return found[0] if found else ""


def _is_ordinal(number: str, line: str, end: int, place: int, stops: Stops) -> bool:
    """Whether a number with a full stop is an ordinal, as in a date or a span of dates."""
    if len(number) > 2:
        return False
    if line[place].isdigit():
        span = not line[end:place].isspace()
        return int(number) <= 31 and (span or _REST_OF_DATE.match(line, place) is not None)
    if stops.capital_nouns:
        return True
    return _MONTH_AND_YEAR.match(line, place) is not None or _next_word(line, place) in stops.after_ordinal


def _has_shape_of_abbreviation(word: str, before: str, first: str, opens: bool) -> bool:
    if word == word.swapcase():
        return len(word) == 1 and _UNCASED_INITIAL.match(word) is not None
    if _UNIT_AFTER_NUMBER.search(before) and not first.isdigit():
        return False
    if len(word) == 1:
        return (word.isupper() or lacks_vowel(word)) and not opens
    if len(word) <= 3 and first.isdigit():
        return True
    if _DOUBLED_CAPITALS.fullmatch(word):
        return True
    if word.isupper() or not lacks_vowel(word):
        return False
    return len(word) <= (4 if word[0].isupper() else 2)


def opens_sentence(line: str, place: int, stops: Stops) -> bool:
    """Whether the word at `place` is one that opens sentences, and no initial."""
    found = _NEXT_WORD.match(line, place)
    return found is not None and found[1].lower() in stops.openers and not _is_initial(found)


def _is_initial(next_word: regex.Match[str]) -> bool:
    return len(next_word[1]) == 1 and next_word[2] == "."


def _next_word(line: str, place: int) -> str:
    found = _NEXT_WORD.match(line, place)
    return found[1].lower() if found else ""


def lacks_vowel(word: str) -> bool:
    """Whether a word has no vowel of the Latin, Greek or Cyrillic script, as many abbreviations."""
    return _VOWELS.isdisjoint(unicodedata.normalize("NFD", word.lower()))
