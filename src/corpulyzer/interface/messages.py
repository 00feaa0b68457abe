"""Messages that Python has put together, in the language that a reader has chosen.

Whoever says "There is no subcorpus 'x'." knows nothing of languages. The catalogue has that sentence with a
name in the place of the value, `There is no subcorpus %(name)s.`, and a message that is like it is said as
its translation is, with the same value.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING

import regex

from corpulyzer.interface.catalogue import ENGLISH, chosen, messages, spoken

if TYPE_CHECKING:
    from markupsafe import Markup

LONGEST = 4_000
"""Longer texts are not looked up: no message of ours is."""
LEAST_LETTERS, LEAST_BETWEEN = 4, 10
"""A sentence with fewer letters besides its values would be like everything. One that begins and ends with
a value needs more between them."""
OURS = frozenset({"kind", "unit", "what", "of", "level", "part", "missing", "stream", "field"})
"""Values that are words of ours, and never of the corpus."""
_VALUE = regex.compile(r"%\((\w+)\)s")
_LEFT_TO_RIGHT = regex.compile(r"[\p{Latin}\d]")
_RIGHT_TO_LEFT = regex.compile(r"[\p{Arabic}\p{Hebrew}\p{Syriac}\p{Thaana}\p{Nko}\p{Adlam}]")
ISOLATE, END_OF_ISOLATE = "\u2066", "\u2069"
"""What stands between these is read from left to right, whatever is around it."""
_END = regex.compile(r"(?<=[.!?]) +(?=\p{Lu}|`)")


def side(message: str) -> str:
    """The direction in which a message is written: that of the interface, if it is translated."""
    return "auto" if said(message) == message else chosen().direction


def said(message: str) -> str:
    """A message in the chosen language; what is not in the catalogue stays as it is."""
    code = chosen().code
    return message if code == ENGLISH or len(message) > LONGEST else _said(code, message)


def told(message: str) -> Markup:
    """A message in the chosen language for a page, where what stands between `backticks` is code.

    >>> told("Run `corpulyzer dedup` & see.")
    Markup('Run <code dir="ltr">corpulyzer dedup</code> &amp; see.')
    """
    from markupsafe import Markup, escape

    parts = said(message).split("`")
    if len(parts) % 2 == 0:  # a lone one is what it is
        return escape("`".join(parts))
    code = Markup('<code dir="ltr">{}</code>')
    return Markup("").join(code.format(part) if place % 2 else part for place, part in enumerate(parts))


@lru_cache(maxsize=4_096)
def _said(code: str, message: str) -> str:
    if found := messages(code).get(message):
        return found
    sentences = _END.split(message)
    if len(sentences) == 1:
        return _alike(code, message) or message
    # A value may be whole sentences, so these come first where each of them is known.
    each = [_said(code, sentence) for sentence in sentences]
    if any(other == sentence for other, sentence in zip(each, sentences, strict=True)):
        return _alike(code, message) or " ".join(each)
    return " ".join(each)


def _alike(code: str, message: str) -> str:
    """The translation of the sentence that a message is made of; empty if there is none."""
    for own, pattern, other in _patterns(code):
        if own in message and (found := pattern.fullmatch(message)):
            return filled(
                other, {name: _value(code, name, value) for name, value in found.groupdict().items()}
            )
    return ""


def _value(code: str, name: str, value: str) -> str:
    """A value of a message, which may be a part of a sentence itself. Most single words are the corpus's."""
    found = _said(code, value) if " " in value.strip() or name in OURS else value
    if spoken(code).direction == "ltr" or not _LEFT_TO_RIGHT.search(found) or _RIGHT_TO_LEFT.search(found):
        return found
    return f"{ISOLATE}{found}{END_OF_ISOLATE}"  # else 2026-01-31 would be shown as 31-01-2026


def filled(text: str, values: Mapping[str, str]) -> str:
    """A text with its values in their places.

    >>> filled("%(count)s von %(of)s", {"count": "3", "of": "5"})
    '3 von 5'
    """
    return _VALUE.sub(lambda place: values.get(place[1], place[0]), text)


@cache
def _patterns(code: str) -> tuple[tuple[str, regex.Pattern[str], str], ...]:
    """The sentences with values that are translated, those with most words of their own first.

    Before each stands the longest piece of it without a value: to look for that is quick.
    """
    found = [(own_letters(text), text, other) for text, other in messages(code).items() if other]
    found = [each for each in found if _VALUE.search(each[1]) and each[0] >= _least(each[1])]
    return tuple(
        (max(_VALUE.split(text)[::2], key=len), pattern_of(text), other)
        for _, text, other in sorted(found, reverse=True)
    )


def _least(text: str) -> int:
    """How many letters of its own a sentence has to have."""
    open_ended = _VALUE.match(text) and text.endswith(")s")
    return LEAST_BETWEEN if open_ended else LEAST_LETTERS


def own_letters(text: str) -> int:
    """How many letters a text has besides its values."""
    return sum(each.isalpha() for each in _VALUE.sub("", text))


def pattern_of(text: str) -> regex.Pattern[str]:
    """What a message is like that says a text with values.

    >>> pattern_of("There is no %(what)s here.").fullmatch("There is no cat here.")["what"]
    'cat'
    """
    parts = _VALUE.split(text)
    names: set[str] = set()
    made = []
    for place, part in enumerate(parts):
        if place % 2 == 0:
            made.append(regex.escape(part))
        elif part in names:
            made.append(f"(?P={part})")
        else:
            names.add(part)
            made.append(f"(?P<{part}>.*?)")
    return regex.compile("".join(made), regex.DOTALL)
