"""What two texts have in common, and what tells them apart, word by word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import regex

_WORD = regex.compile(r"\w+")
MIN_WORDS = 8
CONTEXT_WORDS = 3
MAX_WORDS_COMPARED = 20_000


@dataclass(frozen=True, slots=True)
class Reuse:
    """A run of words that stands in both texts: characters `begins` to `stops` of ours, and of the query."""

    begins: int
    stops: int
    query_begins: int
    query_stops: int
    words: int


def shared_passages(query: str, text: str, min_words: int = MIN_WORDS) -> list[Reuse]:
    """The longest runs of at least `min_words` words of the query that stand in the text, in their order.

    Case, punctuation and line breaks make no difference. One pass over both texts.
    """
    asked, ours = _words(query), _words(text)
    size = min(min_words, max(1, len(asked)))
    places: dict[tuple[str, ...], int] = {}
    for place in range(len(ours) - size + 1):
        places.setdefault(tuple(word for word, _, _ in ours[place : place + size]), place)
    found, start = [], 0
    while start + size <= len(asked):
        place = places.get(tuple(word for word, _, _ in asked[start : start + size]), -1)
        if place < 0:
            start += 1
            continue
        length = size
        while (
            start + length < len(asked)
            and place + length < len(ours)
            and asked[start + length][0] == ours[place + length][0]
        ):
            length += 1
        last, last_asked = place + length - 1, start + length - 1
        found.append(Reuse(ours[place][1], ours[last][2], asked[start][1], asked[last_asked][2], length))
        start += length
    return found


def difference(kept: str, copy: str, most: int = 10) -> list[str]:
    """How a copy differs from the text that is kept, a line for each place: `… [-kept-] {+copy+} …`.

    >>> difference("one two three four", "one two tree four")
    ['one two [-three-] {+tree+} four']
    """
    if kept == copy:
        return ["the texts are equal"]
    old, new = kept.split(), copy.split()
    if max(len(old), len(new)) > MAX_WORDS_COMPARED:
        return [f"too long to compare word by word: {len(old):,} and {len(new):,} words"]
    changes = [
        change
        for change in SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        if change[0] != "equal"
    ]
    lines = [_shown(old, new, change) for change in changes[:most]]
    if len(changes) > most:
        lines.append(f"and {len(changes) - most:,} more places")
    return lines or ["nothing but white space"]


def _shown(old: Sequence[str], new: Sequence[str], change: tuple[str, int, int, int, int]) -> str:
    _, first, last, new_first, new_last = change
    before = " ".join(old[max(0, first - CONTEXT_WORDS) : first])
    after = " ".join(old[last : last + CONTEXT_WORDS])
    gone = f"[-{' '.join(old[first:last])}-]" if last > first else ""
    come = f"{{+{' '.join(new[new_first:new_last])}+}}" if new_last > new_first else ""
    return " ".join(part for part in (before, gone, come, after) if part)


def _words(text: str) -> list[tuple[str, int, int]]:
    return [(found.group().casefold(), found.start(), found.end()) for found in _WORD.finditer(text)]
