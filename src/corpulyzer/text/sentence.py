"""The one sentence splitter: right for every script, better where the language or its corpus is known.

A newline always ends a sentence. Marks that do nothing else (`。` `।` `۔` `።`) end one wherever they stand;
full stops, exclamation and question marks only before white space, and not before a small letter. Whether a
full stop belongs to an abbreviation, an initial or a number is told by `full_stop`, and where the items of a
list begin by `list_items`. Thai has no mark: a space between two Thai words ends a clause, and the clause is
taken for a sentence.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

import regex

from corpulyzer.native.scan import marked
from corpulyzer.text.abbreviations import Learned, Stops, stops_of
from corpulyzer.text.full_stop import keeps_full_stop, opens_sentence
from corpulyzer.text.list_items import items_of
from corpulyzer.text.marks import marks_of

if TYPE_CHECKING:
    from corpulyzer.language import Language

# A line may have a million full stops: repetition is possessive, and only this much before each is read.
_CONTEXT_CHARACTERS = 100
# Marks that may stand inside a sentence too: in numbers, abbreviations, names and quoted speech.
_SOFT = r".!?…\u2024"
_BOUNDARY = r"""
    (?P<hard>
        # Burmese, Balinese and Javanese commas are no ends, though Unicode lists them; the shad is one.
        [[\p{Sentence_Terminal}།༎EXTRA]--[SOFT၊᭞꧈]]++(?:\ [!؟]++)?
        | (?<![!?])[!?]++(?=[\p{Han}\p{Hiragana}\p{Katakana}])
        # What is typed for the mark of a script.
        | ፡፡ | ::(?<=\p{Ethiopic}\ ?::) | \|(?<=[\p{Devanagari}\p{Bengali}\p{Gurmukhi}\p{Oriya}]\ ?\|)(?=\s|$)
        # Who wrote a piece of news, after its last sentence.
        | \((?<=\p{Ll}{3}[.!?…]["”“’»]?\ \()\p{Ll}{2,5}\)(?=\s|$)
        BY_SPACE
    )
    [\p{Pe}\p{Pf}"'\u200b]*
    |
    (?P<soft>
        (?<![SOFT])(?:\.(?:\ \.){2,}+|[SOFT]++) | [;\u037e](?<=\p{Greek}[\p{Pe}\p{Pf}"']?.)
        | :(?<=\p{Armenian}[\p{Pe}\p{Pf}"']?:)
    )
    [\p{Pe}\p{Pf}\p{Pi}"'\u200b]*+ (?:\ ?\[\d{1,3}\])*+ (?=\s|$)
    |
    (?P<dateline>:)(?<=\p{Arabic}:)(?=\s)
    |
    # No space was typed: an end only before a word that opens sentences.
    (?P<tight>[.!?])(?<=\p{Ll}{2}.)(?=\p{Lu})
"""
# Sentence ends marked only by a space, by bytes that any such text holds: the patterns are slow, so they are
# used only where those bytes occur.
_BY_SPACE = {
    b"\xe0\xb8": r"| (?<=[\p{Thai}--[ๆฯ]])\ ++(?=[\p{Thai}--ๆ])",
    # A shad is not written after the letter ga.
    "ག ".encode(): r"| (?<=ག)(?=\ )",
}
# Every boundary but those by space begins with one of these; none has a code point from this on.
_BEGINS = r"[\p{Sentence_Terminal}།༎EXTRASOFT፡:|(;\u037eHYPHEN]"
_BEGINS_BELOW = 0x20000
# Typists of Urdu and its neighbours put a hyphen for the full stop that their keyboard lacks.
_HYPHEN_STOP = r"| -(?<=\p{Arabic}-)(?=\s|$)"
_HYPHEN_STOP_LANGUAGES = frozenset({"urd", "pnb", "skr"})
_NEXT = regex.compile(r"[\s\p{Ps}\p{Pi}\p{Pf}\p{Pd}\"'¿¡•*]*(.?)")
_SPELLED_BEFORE = regex.compile(r"(?r)(?<!\p{L})\p{L}{1,4}(?:۔\p{L}{1,4})+$")
_SPELLED_AFTER = regex.compile(r"\p{L}{1,4}(?:(?P<more>۔)|\s|$)")
# The head of a piece of news in scripts without capitals: place, dash, agency, colon.
_SIGNATURE = regex.compile(r"\s\(\p{Ll}{2,5}\)(?:\s+[\p{Lu}\p{Ps}\p{Pi}\"']|\s*$)")
_WORD_END = regex.compile(r"\p{Ll}{3}$")
# Where a mark begins and ends, and what the pattern found of it; None for a full stop between letters.
_Mark = tuple[int, int, regex.Match[str] | None]
_DATELINE = regex.compile(r"\s*+[\p{L}\p{M}\u200c\ ]{2,30}[-–][\p{L}\p{M}\u200c\ ]{2,30}")


def sentences(text: str, language: Language | None = None, learned: Learned | None = None) -> list[str]:
    """The sentences of a text in order, trimmed; the language adds its own marks and abbreviations.

    `learned` is what a corpus shows of its own abbreviations.

    >>> sentences("Dr. Khan paid 3.5 dollars. Why? یہ اردو ہے۔ہاں")
    ['Dr. Khan paid 3.5 dollars.', 'Why?', 'یہ اردو ہے۔', 'ہاں']
    """
    raw = text.encode("utf-8", "surrogatepass")
    by_space = "".join(pattern for sign, pattern in _BY_SPACE.items() if sign in raw)
    hyphen = _HYPHEN_STOP if language and language.code in _HYPHEN_STOP_LANGUAGES else ""
    terminators = language.sentence_terminators if language else ""
    boundary = _boundary(terminators, by_space + hyphen)
    begins_with = b"" if by_space else _begins(terminators, bool(hyphen))
    stops = stops_of(language, learned)
    found: list[str] = []
    for line in text.splitlines():
        for item, begins in items_of(line, stops.capital_nouns):
            found += _cut(item, _marks(item, begins, boundary, begins_with), stops)
    return [sentence for sentence in found if sentence]


def _marks(line: str, begins: int, boundary: regex.Pattern[str], begins_with: bytes) -> Iterator[_Mark]:
    """What may end sentences in a line, or in an item whose own text begins at `begins`.

    Where all that it begins with is known, the pattern is tried there alone: it is slow. A full stop between
    a letter and a space before a letter, as most are, is known without it.
    """
    if marked is None or not begins_with:
        yield from ((*found.span(), found) for found in boundary.finditer(line, begins))
        return
    end = begins
    for place in marked(line, begins_with):
        if place < end:
            continue
        after = place + 1
        is_full_stop = line[place:after] == "." and line[after : after + 1] == " "
        if is_full_stop and line[place - 1 : place].isalpha() and line[after + 1 : after + 2].isalpha():
            end = after
            yield place, end, None
        elif found := boundary.match(line, place):
            end = found.end()
            yield place, end, found


def _cut(line: str, marks: Iterator[_Mark], stops: Stops) -> list[str]:
    """The sentences of a line, or of an item of one, by the marks that may end them."""
    found, start = [], 0
    for place, end, mark in marks:
        before = line[max(start, place - _CONTEXT_CHARACTERS) : place]
        if _ends_sentence(before, mark, stops) if mark else _ends_at_full_stop(before, line, end, stops):
            found.append(line[start:end].strip())
            start = end
    found.append(line[start:].strip())
    return found


@cache
def _boundary(terminators: str, by_space: str) -> regex.Pattern[str]:
    pattern = _with_terminators(_BOUNDARY, terminators).replace("BY_SPACE", by_space)
    return regex.compile(pattern, regex.V1 | regex.VERBOSE)


@cache
def _begins(terminators: str, hyphen: bool) -> bytes:
    """The characters that boundaries begin with."""
    characters = _with_terminators(_BEGINS, terminators).replace("HYPHEN", "\\-" if hyphen else "")
    return marks_of(characters, _BEGINS_BELOW)


def _with_terminators(pattern: str, terminators: str) -> str:
    soft = _SOFT + "".join(regex.escape(mark) for mark in terminators if mark.isascii() and mark not in _SOFT)
    extra = "".join(regex.escape(mark) for mark in terminators if not mark.isascii())
    return pattern.replace("EXTRA", extra).replace("SOFT", soft)


def _ends_at_full_stop(before: str, line: str, end: int, stops: Stops) -> bool:
    """The same as `_ends_sentence` of a full stop after a letter, before a space and another letter."""
    return not _is_small(line[end + 1]) and not keeps_full_stop(before, line, end, end + 1, stops)


def _is_small(letter: str) -> bool:
    """Georgian letters count as small, but have no capital that would start a sentence."""
    return letter.islower() and letter.title() != letter


def _ends_sentence(before: str, mark: regex.Match[str], stops: Stops) -> bool:
    line, end, soft = mark.string, mark.end(), mark["soft"]
    if soft is None:
        return _ends_without_soft_mark(before, mark, stops)
    place = end + 1
    if line[end:place] != " " or not line[place : place + 1].isalpha():
        following = _NEXT.match(line, end)
        if following is None or not following[1]:
            return True
        place = following.start(1)
    first = line[place]
    if _is_small(first) or first == "№":
        return _SIGNATURE.match(line, end) is not None and _WORD_END.search(before) is not None
    if soft != ".":
        return not _is_omission(before, soft, line[end:place])
    return not keeps_full_stop(before, line, end, place, stops)


def _ends_without_soft_mark(before: str, mark: regex.Match[str], stops: Stops) -> bool:
    if mark["hard"] is not None:
        return not _inside_hard_mark(before, mark)
    if mark["tight"] is not None:
        return opens_sentence(mark.string, mark.end(), stops)
    return _DATELINE.fullmatch(before) is not None


def _is_omission(before: str, soft: str, gap: str) -> bool:
    """Whether dots stand for words left out: in brackets before more marks, or three with spaces."""
    if before.endswith(("[", "(")):
        return not gap.isspace() and not soft.strip(".…")
    return soft == ". . ." and before.endswith(" ")


def _inside_hard_mark(before: str, mark: regex.Match[str]) -> bool:
    """Whether a mark that ends sentences stands inside of one: in a number, a title, a quotation, a name."""
    line, end, sign = mark.string, mark.end(), mark["hard"]
    after = line[end : end + 1]
    if sign == "．":
        return before[-1:].isdigit() and after.isdigit()
    if sign == "۔":
        return _inside_spelled_letters(before, mark)
    if before.rfind("《") > before.rfind("》") and "》" in line[end - 1 : end + _CONTEXT_CHARACTERS]:
        return True
    return line[end - 1] in "」』" and after == "と"


def _inside_spelled_letters(before: str, mark: regex.Match[str]) -> bool:
    """Whether an Urdu full stop stands between spelled letters, as in the name of a party."""
    rest = _SPELLED_AFTER.match(mark.string, mark.end())
    return rest is not None and (rest["more"] is not None or _SPELLED_BEFORE.search(before) is not None)
