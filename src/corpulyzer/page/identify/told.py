"""The texts of a page's paragraphs for an identifier, and the paragraphs with its answers.

In C, where that was built, in a quarter of the time; arguments of unusual types are left to Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from corpulyzer.native import compiled
from corpulyzer.records import Paragraph

if TYPE_CHECKING:
    from corpulyzer.page.identify import Identified

Told = tuple[tuple[Paragraph, ...], dict[str, int], float]


def texts_of(text: str, paragraphs: tuple[Paragraph, ...]) -> list[str]:
    """The text of each paragraph."""
    texts: list[str] | None = compiled.texts_of(text, paragraphs) if compiled is not None else None
    return texts if texts is not None else [text[paragraph.start : paragraph.end] for paragraph in paragraphs]


def with_languages(paragraphs: tuple[Paragraph, ...], found: Sequence[Identified], target: str) -> Told:
    """The paragraphs with their languages, the bytes by language of all, and the characters of the target."""
    if compiled is not None and type(found) is list:
        made: Told | None = compiled.with_languages(paragraphs, found, target, Paragraph)
        if made is not None:
            return made
    return _with_languages(paragraphs, found, target)


def _with_languages(paragraphs: tuple[Paragraph, ...], found: Sequence[Identified], target: str) -> Told:
    made, characters = [], 0.0
    for (start, end, kind, _, _, _), (language, confidence, sizes) in zip(paragraphs, found, strict=True):
        made.append(Paragraph(start, end, kind, language, confidence, sizes))
        if target in sizes:  # of a paragraph in several languages, its share by bytes
            characters += (end - start) * (sizes[target] / sum(sizes.values()) if len(sizes) > 1 else 1)
    return tuple(made), total(found), characters


def total(found: Sequence[Identified | Paragraph]) -> dict[str, int]:
    """The bytes by language of several paragraphs together."""
    sums: dict[str, int] = {}
    for each in found:
        for language, size in each.languages.items():
            sums[language] = sums.get(language, 0) + size
    return sums
