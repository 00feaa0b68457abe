"""What kind of word a word is, told from its characters: of the language, a number, markup, mixed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import regex

from corpulyzer.language import Language
from corpulyzer.records.columns import batch_of, schema_of
from corpulyzer.text import script_of

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

# Names in Unicode's own list for scripts that ISO 15924 composes of others.
_COMPOSITES = {
    "Jpan": ("Hani", "Hira", "Kana"),
    "Hrkt": ("Hira", "Kana"),
    "Kore": ("Hang", "Hani"),
    "Hans": ("Hani",),
    "Hant": ("Hani",),
}
# Scripts that one word may mix.
_TOGETHER = ({"Jpan", "Hani"}, {"Hang", "Hani"})
# Parts of addresses and markup; none is a word of any language that we know of.
_ADDRESS = frozenset("http https www html htm php aspx jsp utm url urls xml rss wp cgi".split())
_MARKUP = frozenset(
    """
    nbsp amp quot lt gt href src img px rgb rgba css js javascript jquery iframe onclick params tbody thead
    colspan rowspan noscript charset utf jpg jpeg png gif svg webp pdf mp3 mp4 endif nofollow noopener
    """.split()
)
_LETTER = regex.compile(r"\p{L}")
_DIGIT = regex.compile(r"\p{N}")
_SHARED = r"\p{Script=Common}\p{Script=Inherited}"


Class = tuple[int, int, int, str]


@dataclass(frozen=True, slots=True)
class WordClass:
    """`strict`: every character is in the language's ranges (CZ-23). `aware`: every letter is of it.

    `kind` is empty for what may be a word, else why it is not one (C4-20). `mixed`: letters of two scripts.
    """

    strict: int
    aware: int
    mixed: int
    kind: str


def classify(word: str, language: Language) -> WordClass:
    """The class of a word.

    >>> classify("کتاب2", Language.find("urd")), classify("می‌خواهم", Language.find("urd")).aware
    (WordClass(strict=0, aware=1, mixed=0, kind='letters_and_digits'), 1)
    """
    return WordClass(*class_of(word, language))


def class_of(word: str, language: Language) -> Class:
    """The same as a plain tuple, which costs less where there are millions."""
    strict, aware = _patterns(language.code, language.script)
    in_ranges = strict is not None and strict.fullmatch(word) is not None
    of_it = aware is not None and aware.fullmatch(word) is not None
    return int(in_ranges), int(of_it), int(mixed(word)), kind_of(word, of_it)


def kind_of(word: str, of_language: bool) -> str:
    """Why a token is not a word of the language; empty for what may be one."""
    if not _LETTER.search(word):
        return "number"
    if word in _ADDRESS:
        return "address"
    if word in _MARKUP:
        return "markup"
    if _DIGIT.search(word):
        return "letters_and_digits"
    return "" if of_language else "foreign_letters"


def mixed(word: str) -> bool:
    """Whether a word has letters of several scripts that no language mixes.

    >>> mixed("сhоrus"), mixed("カタカナ語"), mixed("chorus2")
    (True, False, False)
    """
    if word.isascii():
        return False
    found = {script for script in map(_script, word) if script}
    return len(found) > 1 and not any(found <= pair for pair in _TOGETHER)


@cache
def _script(character: str) -> str:
    return script_of(character)


@cache
def _patterns(code: str, script: str) -> tuple[regex.Pattern[str] | None, regex.Pattern[str] | None]:
    """The strict rule, and the one that ignores what belongs to no script; None where nothing is known."""
    ranges, own = _ranges(code, script)
    strict = regex.compile(f"[{ranges}]+") if ranges else None
    aware = rf"(?=.*?[[{own}]&&\p{{L}}])[{own}{_SHARED}]+"
    return strict, regex.compile(aware, regex.V1) if own else None


def _ranges(code: str, script: str) -> tuple[str, str]:
    """The characters of a language, and those that its words may have, as parts of patterns."""
    language = Language.find(f"{code}-{script}" if script else code)
    ranges = "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in language.ranges)
    if script == "Latn" and ranges:
        return ranges, ranges
    names = _COMPOSITES.get(script, (script,)) if script else ()
    return ranges, "".join(rf"\p{{Script_Extensions={name}}}" for name in names)


# What a character may be: in the ranges of the language; one of its script or of none; one of its letters; a
# letter; a digit. Every character of a word has to be the first two, for the others one of them is enough.
_STRICT, _AWARE, _OWN, _ANY_LETTER, _ANY_DIGIT, _SEEN = 1, 2, 4, 8, 16, 32
_EVERY, _SOME = _STRICT | _AWARE, _OWN | _ANY_LETTER | _ANY_DIGIT
_CODE_POINTS = 0x110000
_NO_SCRIPT = 255


def _class(kinds: int) -> Class:
    """The class of a word of one script, neither address nor markup, by the kinds of its characters."""
    of_it = bool(kinds & _AWARE and kinds & _OWN)
    why = "" if of_it else "foreign_letters"
    if not kinds & _ANY_LETTER:
        why = "number"
    elif kinds & _ANY_DIGIT:
        why = "letters_and_digits"
    return int(bool(kinds & _STRICT)), int(of_it), 0, why


@cache
def _characters(language: Language) -> Characters:
    return Characters(language)


class Characters:
    """The kinds and the script of each character in a language, found out when it is first seen."""

    def __init__(self, language: Language) -> None:
        import numpy as np

        ranges, own = _ranges(language.code, language.script)
        classes = {
            _STRICT: f"[{ranges}]" if ranges else "",
            _AWARE: f"[{own}{_SHARED}]" if own else "",
            _OWN: rf"[[{own}]&&\p{{L}}]" if own else "",
            _ANY_LETTER: _LETTER.pattern,
            _ANY_DIGIT: _DIGIT.pattern,
        }
        self._rules = {bit: regex.compile(each, regex.V1) for bit, each in classes.items() if each}
        self._kinds = np.zeros(_CODE_POINTS, np.uint8)
        self._scripts = np.full(_CODE_POINTS, _NO_SCRIPT, np.uint8)
        self._numbers = {"": _NO_SCRIPT}

    def kinds(self, words: Sequence[str]) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
        """By word the kinds of its characters, and whether it has to be looked at by itself."""
        import numpy as np

        if not words:
            return np.zeros(0, np.uint8), np.zeros(0, bool)
        codes = np.frombuffer("".join(words).encode("utf-32-le", "surrogatepass"), np.uint32)
        for code in np.unique(codes[self._kinds[codes] == 0]):
            self._see(chr(code))
        starts = np.cumsum([0, *map(len, words[:-1])])
        kinds, scripts = self._kinds[codes], self._scripts[codes]
        every = np.bitwise_and.reduceat(kinds, starts) & _EVERY
        some = np.bitwise_or.reduceat(kinds, starts) & _SOME
        # Of several scripts if the least and the greatest differ, those of no script left aside.
        greatest = np.maximum.reduceat(np.where(scripts == _NO_SCRIPT, 0, scripts), starts)
        several = np.minimum.reduceat(scripts, starts) < greatest
        listed = np.array([word in _ADDRESS or word in _MARKUP for word in words])
        return (every | some).astype(np.uint8), several | listed

    def _see(self, character: str) -> None:
        found = sum(bit for bit, rule in self._rules.items() if rule.match(character))
        number = self._numbers.setdefault(_script(character), len(self._numbers))
        self._kinds[ord(character)], self._scripts[ord(character)] = found | _SEEN, number


def kinds_of(words: Sequence[str], language: Language) -> list[str]:
    """Of each word why it is not one of the language, as `classify` says it; of many at once.

    >>> kinds_of(["kuća", "2021", "nbsp"], Language.find("hrv"))
    ['', 'number', 'markup']
    """
    kinds, single = _characters(language).kinds(words)
    said = {kind: _class(kind)[3] for kind in set(kinds.tolist())}
    pairs = zip(words, kinds.tolist(), single.tolist(), strict=True)
    return [class_of(word, language)[3] if alone else said[kind] for word, kind, alone in pairs]


@dataclass(frozen=True, slots=True)
class ClassCount:
    """Types and tokens of a class, in all text and in that of the target language."""

    strict: int
    aware: int
    mixed: int
    kind: str
    types: int
    tokens: int
    target_types: int
    target_tokens: int


@dataclass(frozen=True, slots=True)
class ClassifyWords:
    """Map: words with their tokens and those of them in target text in, types and tokens by class out."""

    language: str

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        return {"classes": schema_of(ClassCount)}

    @property
    def batch_rows(self) -> int:
        return 10_000

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        """Classes follow from characters, so most are found for all words at once."""
        import numpy as np

        at(0)
        language = Language.find(self.language)
        words = list(map(str, batch.column("word").to_pylist()))
        tokens, target = (batch.column(name).to_numpy() for name in ("tokens", "target"))
        rows = np.stack([np.ones_like(tokens), tokens, target > 0, target], axis=1)
        kinds, single = _characters(language).kinds(words)
        sums: dict[Class, NDArray[np.int64]] = {}
        for kind in np.unique(kinds[~single]):
            members = rows[(kinds == kind) & ~single].sum(axis=0)
            sums[_class(int(kind))] = sums.get(_class(int(kind)), 0) + members
        for place in np.flatnonzero(single):
            found = class_of(words[place], language)
            sums[found] = sums.get(found, 0) + rows[place]
        counts = [ClassCount(*key, *map(int, each)) for key, each in sums.items()]
        return {"classes": batch_of(counts, ClassCount)}

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        """The word as one of no class: its tokens must not be lost."""
        (row,) = batch.to_pylist()
        counts = (1, row["tokens"], int(row["target"] > 0), row["target"])
        return {"classes": batch_of([ClassCount(0, 0, 0, "unreadable", *counts)], ClassCount)}
