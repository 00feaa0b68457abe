"""What a file that is no web page gives: its paragraphs, and what it says of itself."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reading:
    """Paragraphs as (text, kind), in order. Without any, `reason` says why."""

    paragraphs: tuple[tuple[str, str], ...]
    title: str = ""
    author: str = ""
    language: str = ""
    reason: str = ""


def unreadable(reason: str) -> Reading:
    """The reading of a file that gives no text, and why."""
    return Reading((), reason=reason)
