"""TextProfileSignature: equal profiles of frequent words, as in Nutch and as every script needs it (CZ-26).

Nutch shreds words at combining marks and beyond the basic plane, so that whole scripts have an empty
profile, and all empty profiles are equal. `strict` reproduces that; otherwise words keep their marks and a
text without a profile is merged with none.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import regex
from annotated_types import Ge, Gt

from corpulyzer.dedup.near.method import Grouping, Signature

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}\u200c\u200d]+")
_NUTCH_WORD = regex.compile(r"(?:(?=[\u0000-\uffff])[\p{L}\p{Nd}])+")


@dataclass(frozen=True, slots=True)
class TextProfile:
    """Documents with the same frequent words at the same rounded counts, in whatever order."""

    strict: Annotated[bool, "Words and empty profiles exactly as in Apache Nutch."] = False
    min_length: Annotated[int, "Words must be longer than this.", Ge(0)] = 2
    quantum: Annotated[float, "Counts are rounded down to this share of the highest.", Gt(0)] = 0.01

    @property
    def name(self) -> str:
        return "text_profile"

    @property
    def grouping(self) -> Grouping:
        return "linked"

    def sign(self, text: str) -> Signature | None:
        """The MD5 of the profile; None for an empty text, and for an empty profile unless strict."""
        profile = self.profile(text)
        if not text or not (profile or self.strict):
            return None
        digest = hashlib.md5(profile.encode(), usedforsecurity=False).digest()
        return Signature(int.from_bytes(digest[:8], "big", signed=True), digest)

    def profile(self, text: str) -> str:
        """The lines `word count`, most frequent first, ties in the order of letters.

        >>> TextProfile().profile("one two two three, three; three")
        'three 2\\ntwo 2'
        """
        words = _nutch_words(text) if self.strict else [word.lower() for word in _WORD.findall(text)]
        counts = Counter(word for word in words if len(word) > self.min_length)
        highest = max(counts.values(), default=0)
        quantum = int(highest * self.quantum + 0.5)  # Java's round: halves up
        if quantum < 2:
            quantum = 2 if highest > 1 else 1
        rounded = ((word, count // quantum * quantum) for word, count in counts.items() if count >= quantum)
        return "\n".join(f"{word} {count}" for word, count in sorted(rounded, key=lambda x: (-x[1], x[0])))

    def similar(self, left: Sequence[bytes], right: Sequence[bytes]) -> list[bool]:
        """Whether the digests are equal; documents with equal ones are never compared, but collapsed."""
        return [a == b for a, b in zip(left, right, strict=True)]


def _nutch_words(text: str) -> list[str]:
    """Runs of Java's letters and digits within the basic plane, lower-cased one character at a time."""
    return [
        "".join("i" if letter == "İ" else letter.lower() for letter in word)
        for word in _NUTCH_WORD.findall(text)
    ]
