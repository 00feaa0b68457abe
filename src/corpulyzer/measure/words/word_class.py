"""What kind of word a word is, told from its characters: of the language, a number, markup, mixed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import regex

from corpulyzer.language import Language
from corpulyzer.records.columns import batch_of, schema_of
from corpulyzer.text import script_of

if TYPE_CHECKING:
    import pyarrow as pa

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
    language = Language.find(f"{code}-{script}" if script else code)
    ranges = "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in language.ranges)
    strict = regex.compile(f"[{ranges}]+") if ranges else None
    if script == "Latn" and ranges:
        own = ranges
    elif script:
        own = "".join(rf"\p{{Script_Extensions={name}}}" for name in _COMPOSITES.get(script, (script,)))
    else:
        return strict, None
    shared = r"\p{Script=Common}\p{Script=Inherited}"
    return strict, regex.compile(rf"(?=.*?[[{own}]&&\p{{L}}])[{own}{shared}]+", regex.V1)


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

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        at(0)
        language = Language.find(self.language)
        sums: dict[Class, list[int]] = {}
        columns = batch.select(["word", "tokens", "target"]).to_pydict().values()
        for word, tokens, target in zip(*columns, strict=True):
            found = sums.setdefault(class_of(word, language), [0, 0, 0, 0])
            found[0] += 1
            found[1] += tokens
            found[2] += target > 0
            found[3] += target
        return {"classes": batch_of([ClassCount(*key, *each) for key, each in sums.items()], ClassCount)}

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        """The word as one of no class: its tokens must not be lost."""
        (row,) = batch.to_pylist()
        counts = (1, row["tokens"], int(row["target"] > 0), row["target"])
        return {"classes": batch_of([ClassCount(0, 0, 0, "unreadable", *counts)], ClassCount)}
