"""The one sentence splitter: right for every script, without a list of any language's abbreviations.

A newline always ends a sentence. Marks that do nothing else (`。` `।` `۔` `።`) end one wherever they stand;
full stops, exclamation and question marks only before white space, and not before a small letter. What is
shaped like an abbreviation, an initial or an ordinal keeps its full stop. Thai has no mark: a space between
two Thai words ends a clause, and the clause is taken for a sentence.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import TYPE_CHECKING

import regex

if TYPE_CHECKING:
    from corpulyzer.language import Language

# A line may have a million full stops: repetition is possessive, and only this much before each is read.
_CONTEXT_CHARACTERS = 100
# Marks that may stand inside a sentence too: in numbers, abbreviations, names and quoted speech.
_SOFT = r".!?…\u2024"
_BOUNDARY = r"""
    (?P<hard>
        # Burmese, Balinese and Javanese commas are no ends, though Unicode lists them; the shad is one.
        [[\p{Sentence_Terminal}།༎EXTRA]--[SOFT၊᭞꧈]]++ | (?<![!?])[!?]++(?=[\p{Han}\p{Hiragana}\p{Katakana}])
        # What is typed for the mark of a script.
        | ፡፡ | ::(?<=\p{Ethiopic}\ ?::) | \|(?<=[\p{Devanagari}\p{Bengali}\p{Gurmukhi}\p{Oriya}]\ ?\|)(?=\s|$)
        BY_SPACE
    )
    [\p{Pe}\p{Pf}"'\u200b]*
    |
    (?P<soft>
        (?<![SOFT])[SOFT]++ | [;\u037e](?<=\p{Greek}[\p{Pe}\p{Pf}"']?.) | :(?<=\p{Armenian}[\p{Pe}\p{Pf}"']?:)
    )
    [\p{Pe}\p{Pf}\p{Pi}"'\u200b]*+ (?:\[\d{1,3}\])*+ (?=\s|$)
"""
# Sentence ends marked only by a space, by bytes that any such text holds: the patterns are slow, so they are
# used only where those bytes occur.
_BY_SPACE = {
    b"\xe0\xb8": r"| (?<=[\p{Thai}--[ๆฯ]])\ ++(?=[\p{Thai}--ๆ])",
    # A shad is not written after the letter ga.
    "ག ".encode(): r"| (?<=ག)(?=\ )",
}
# Typists of Urdu and its neighbours put a hyphen for the full stop that their keyboard lacks.
_HYPHEN_STOP = r"| -(?<=\p{Arabic}-)(?=\s|$)"
_HYPHEN_STOP_LANGUAGES = frozenset({"urd", "pnb", "skr"})
_NEXT = regex.compile(r"[\s\p{Ps}\p{Pi}\p{Pf}\p{Pd}\"'¿¡•*]*(.?)")
_WORD_BEFORE = regex.compile(r"(?r)[^\s\p{Ps}\p{Pi}\"']+$")
_INITIALS = regex.compile(r"(?:^|\s)\p{L}\p{M}*\.\s?\p{L}\p{M}*$")
_DOTTED_LETTERS = regex.compile(r"(?:\p{L}\p{M}*){1,2}(?:\.(?:\p{L}\p{M}*){1,2})+")
_SPELLED_BEFORE = regex.compile(r"(?r)(?<!\p{L})\p{L}{1,4}(?:۔\p{L}{1,4})+$")
_SPELLED_AFTER = regex.compile(r"\p{L}{1,4}(?:(?P<more>۔)|\s|$)")
# Scripts without case in which a single letter before a full stop is an initial or a title.
_UNCASED_INITIAL = regex.compile(r"[\p{Arabic}\p{Hebrew}\p{Devanagari}\p{Bengali}]")
# Languages that write ordinals with a full stop and nouns with a capital.
_CAPITAL_AFTER_ORDINAL = frozenset({"deu", "gsw", "ltz", "nds"})
_VOWELS = frozenset("aeiouyæøœəɛɔıɨʉаеёиоуыэюяіїєўүұөәαεηιουω")


def sentences(text: str, language: Language | None = None) -> list[str]:
    """The sentences of a text in order, trimmed; the language adds its own sentence marks.

    >>> sentences("Dr. Khan paid 3.5 dollars. Why? یہ اردو ہے۔ہاں")
    ['Dr. Khan paid 3.5 dollars.', 'Why?', 'یہ اردو ہے۔', 'ہاں']
    """
    raw = text.encode("utf-8", "surrogatepass")
    by_space = "".join(pattern for sign, pattern in _BY_SPACE.items() if sign in raw)
    if language and language.code in _HYPHEN_STOP_LANGUAGES:
        by_space += _HYPHEN_STOP
    boundary = _boundary(language.sentence_terminators if language else "", by_space)
    ordinals = language is not None and language.code in _CAPITAL_AFTER_ORDINAL
    found = []
    for line in text.splitlines():
        start = 0
        for mark in boundary.finditer(line):
            near = max(start, mark.start() - _CONTEXT_CHARACTERS)
            if _ends_sentence(line[near : mark.start()], mark, ordinals):
                found.append(line[start : mark.end()].strip())
                start = mark.end()
        found.append(line[start:].strip())
    return [sentence for sentence in found if sentence]


@cache
def _boundary(terminators: str, by_space: str) -> regex.Pattern[str]:
    soft = _SOFT + "".join(regex.escape(mark) for mark in terminators if mark.isascii() and mark not in _SOFT)
    extra = "".join(regex.escape(mark) for mark in terminators if not mark.isascii())
    pattern = _BOUNDARY.replace("EXTRA", extra).replace("SOFT", soft).replace("BY_SPACE", by_space)
    return regex.compile(pattern, regex.V1 | regex.VERBOSE)


def _ends_sentence(before: str, mark: regex.Match[str], ordinals: bool) -> bool:
    line, end = mark.string, mark.end()
    if mark["hard"] is not None:
        return not _inside_spelled_letters(before, mark)
    following = _NEXT.match(line, end)
    first = following[1] if following else ""
    if not first:
        return True
    # Georgian letters count as small, but have no capital that would start a sentence.
    if first.islower() and first.title() != first:
        return False
    if mark["soft"] != ".":
        return True
    word = _WORD_BEFORE.search(before)
    if word and word[0].isdigit():
        return not ((len(word[0]) <= 2 and ordinals) or word[0] == before.strip())
    return word is None or not _keeps_full_stop(word[0], before, first)


def _keeps_full_stop(word: str, before: str, first: str) -> bool:
    """Whether a full stop after `word` is its own, judged by the shape of the word alone."""
    if _DOTTED_LETTERS.fullmatch(word) or _INITIALS.search(before[-20:]):
        return True
    if not word.isalpha():
        return False
    if word == word.swapcase():
        return len(word) == 1 and _UNCASED_INITIAL.match(word) is not None
    if len(word) == 1:
        return word.isupper() or not _has_vowel(word)
    if len(word) <= 3 and first.isdigit():
        return True
    if _has_vowel(word) or word.isupper():
        return False
    return len(word) <= (4 if word[0].isupper() else 2)


def _has_vowel(word: str) -> bool:
    return not _VOWELS.isdisjoint(unicodedata.normalize("NFD", word.lower()))


def _inside_spelled_letters(before: str, mark: regex.Match[str]) -> bool:
    """Whether an Urdu full stop stands between spelled letters, as in the name of a party."""
    if mark["hard"] != "۔":
        return False
    rest = _SPELLED_AFTER.match(mark.string, mark.end())
    return rest is not None and (rest["more"] is not None or _SPELLED_BEFORE.search(before) is not None)
