"""The text of a page from its paragraphs: one a line, with the span of each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from corpulyzer.native import compiled
from corpulyzer.records import UNDETERMINED, Paragraph

Joined = tuple[str, tuple[Paragraph, ...]]


def joined(paragraphs: Iterable[tuple[Any, ...]]) -> Joined:
    """The text of a page and the spans in it, from tuples of text, kind and more; empty texts are left out.

    >>> joined([("One.", "h"), ("", "p"), ("Two.", "p", 17)])[0]
    'One.\\nTwo.'
    """
    listed = list(paragraphs)
    if compiled is not None:
        found: Joined = compiled.joined(listed, Paragraph, UNDETERMINED)
        return found
    return joined_in_python(listed)


def joined_in_python(paragraphs: list[tuple[Any, ...]]) -> Joined:
    """The same where nothing was compiled."""
    texts, spans, start = [], [], 0
    for text, kind, *_ in paragraphs:
        if text:
            end = start + len(text)
            texts.append(text)
            spans.append(Paragraph(start, end, kind, UNDETERMINED, 0.0, {}))
            start = end + 1
    return "\n".join(texts), tuple(spans)
