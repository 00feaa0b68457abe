"""The languages that a corpus is for, and which of them a page or a document is judged by.

A corpus of one language is the set of one: every page is judged by it, whatever it is in. In a corpus of
several, a page belongs to that of them which has the most bytes on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from corpulyzer.errors import UserError
from corpulyzer.language import Language
from corpulyzer.records import UNDETERMINED

ALL = "all"
SEVERAL = "mul"
"""The code of ISO 639-2 for several languages at once."""


class Wanted(Protocol):
    """The settings that name the languages: one, several, or `all`."""

    @property
    def language(self) -> str: ...
    @property
    def languages(self) -> tuple[str, ...]: ...


@dataclass(frozen=True, slots=True)
class Targets:
    """The languages of a corpus, in the order of their codes; none stands for every language."""

    languages: tuple[Language, ...] = ()

    @property
    def only(self) -> Language | None:
        """The language of a corpus of one; None for several."""
        return self.languages[0] if len(self.languages) == 1 else None

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of the languages; `all` where every language is one."""
        return tuple(language.code for language in self.languages) or (ALL,)

    @property
    def name(self) -> str:
        """The languages in words."""
        names = [language.name for language in self.languages]
        return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:]))) or "all languages"

    @property
    def together(self) -> Language:
        """What the corpus as a whole is in: its language, or `mul` for several."""
        return self.only or Language(SEVERAL, self.name)

    def named(self, query: str) -> Language:
        """The one of the languages that a code or a name stands for; UserError where it is none of them."""
        found = Language.find(query)
        if self.languages and found.code not in self.codes:
            raise UserError(f"The corpus is not for {found.code}.", f"It is for {', '.join(self.codes)}.")
        return self.of_document(found.code)

    def judging(self, sizes: Mapping[str, int]) -> str:
        """The code of the language that a page with these bytes by language is judged by; empty for none.

        >>> several = targets("", ("hrv", "slv"))
        >>> several.judging({"eng": 90, "slv": 5, "hrv": 5}), several.judging({"eng": 90})
        ('hrv', '')
        >>> targets("urd").judging({"eng": 90})
        'urd'
        """
        if len(self.languages) == 1:
            return self.languages[0].code
        wanted = set(self.codes) if self.languages else set(sizes)
        known = {code: size for code, size in sizes.items() if code in wanted and size > 0}
        known.pop(UNDETERMINED, None)
        return min(known, key=lambda code: (-known[code], code), default="")

    def shown(self, sizes: Mapping[str, int], before: str = UNDETERMINED) -> str:
        """What a document with these bytes says is its language: its own, or else the one with most bytes.

        In a corpus of one language it is always the one with most bytes; `und` where there is none. In one of
        several, a document that loses all its text stays in the language that it had `before`.

        >>> several, one = targets("", ("hrv", "slv")), targets("slv")
        >>> several.shown({"eng": 90, "slv": 5}), one.shown({"eng": 90, "slv": 5}), several.shown({}, "hrv")
        ('slv', 'eng', 'hrv')
        """
        one = len(self.languages) == 1
        found = ("" if one else self.judging(sizes)) or Targets().judging(sizes)
        return found or (UNDETERMINED if one else before)

    def judging_shown(self, shown: str) -> str:
        """The code of the language that judges a document which says that it is in `shown`; or empty."""
        if len(self.languages) == 1:
            return self.languages[0].code
        ours = shown in self.codes if self.languages else shown != UNDETERMINED
        return shown if ours else ""

    def of_document(self, shown: str) -> Language:
        """The language in which a document is read that says that it is in `shown`."""
        return self.only or _by_code(self, shown)


@cache
def _by_code(of: Targets, code: str) -> Language:
    return next((language for language in of.languages if language.code == code), None) or language_of(code)


@cache
def language_of(code: str) -> Language:
    """The language of a code that an identifier gave, which may be one that nobody else knows.

    >>> language_of("xho").name, language_of("zz-own").name
    ('Xhosa', 'zz-own')
    """
    try:
        return Language.find(code)
    except UserError:
        return Language(code, code)


def targets_of(wanted: Wanted) -> Targets:
    """The languages that the settings of a corpus name."""
    return targets(wanted.language, wanted.languages)


@cache
def targets(language: str, languages: tuple[str, ...] = ()) -> Targets:
    """The languages of a corpus of one, or of several; UserError where both are named, or one twice."""
    if language and languages:
        raise UserError(
            "The settings name both corpus.language and corpus.languages.",
            "Keep one of them: `language` for a corpus of one language, `languages` for several.",
        )
    if len(languages) == 1 and languages[0].strip().casefold() == ALL:
        return Targets()
    found = [Language.find(each) for each in languages or (language,)]
    if languages:
        _must_differ(languages, [each.code for each in found])
    return Targets(tuple(sorted(found, key=lambda each: each.code)))


def _must_differ(names: Sequence[str], codes: Sequence[str]) -> None:
    """UserError where a set has a language twice, or `all` beside others."""
    if ALL in codes:
        raise UserError(
            "corpus.languages names all languages and others beside them.",
            "Name `all` alone. (Allar, whose code is `all`, can have a corpus of its own: corpus.language.)",
        )
    for code in codes:
        if codes.count(code) > 1:
            twice = [name for name, of in zip(names, codes, strict=True) if of == code]
            raise UserError(
                f"corpus.languages names {code} twice: {' and '.join(twice)}.",
                f"Name each language once; {code} is the language in all its scripts.",
            )
