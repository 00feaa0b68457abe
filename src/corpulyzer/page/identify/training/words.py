"""The commonest words of 41 languages with their frequencies, from wordfreq (CC BY-SA 4.0)."""

from __future__ import annotations

import math
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

import regex

from corpulyzer.language import Language
from corpulyzer.page.identify.training.learn import UNITS_PER_NAT

# By code the words of a language with their shares of any text.
Words = Mapping[str, Mapping[str, float]]
NO_WORDS: Words = MappingProxyType({})
_MOST = 60_000
# A word that is ten times as frequent in another language is a name or a quotation here.
_FOREIGN = 0.1
# Its Serbo-Croatian is of three standards at once.
_LEFT_OUT = {"sh"}
_WORD = regex.compile(r"[\p{L}\p{M}'’-]+")
_LETTERS = regex.compile(r"[\p{L}\p{M}]{2,}")
# A word tells sides apart if it is this many nats likelier in one; it counts that much, up to a limit.
_MIN_NATS, _MAX_NATS = 1.5, 4.0
# A word that was not counted may be this frequent.
_UNSEEN = 5e-7
_MOST_TELLING = 8000


def word_shares() -> Words:
    """By code the commonest words of a language with their shares of any text."""
    import wordfreq  # type: ignore[import-not-found,unused-ignore]

    found: dict[str, dict[str, float]] = {}
    for name in sorted(set(wordfreq.available_languages("small")) - _LEFT_OUT):
        shares = wordfreq.get_frequency_dict(name, "best")
        most = sorted(shares, key=lambda word: (-shares[word], word))[:_MOST]
        own = {unicodedata.normalize("NFC", word): shares[word] for word in most if _WORD.fullmatch(word)}
        found["tgl" if name == "fil" else Language.find(name).code] = own
    return found


def common_words(found: Words) -> dict[str, dict[str, float]]:
    """By code the words of a language that are its own."""
    highest: dict[str, float] = defaultdict(float)
    for own in found.values():
        for word, share in own.items():
            highest[word] = max(highest[word], share)
    return {
        code: {word: share for word, share in own.items() if share >= _FOREIGN * highest[word]}
        for code, own in found.items()
    }


def telling_words(
    sides: Sequence[Sequence[str]], labels: Sequence[str], words: Words
) -> dict[str, list[int]]:
    """The commonest words that one side has and the others have hardly, with a weight for each label.

    A side is known by the words of its first label.
    """
    own = [words.get(side[0].partition("-")[0], {}) for side in sides]
    if not all(own):
        return {}
    found = {}
    for word, number, nats in list(_telling(own))[:_MOST_TELLING]:
        weight = round(min(nats, _MAX_NATS) * UNITS_PER_NAT)
        found[word] = [weight * (label in sides[number]) for label in labels]
    return found


def _telling(sides: Sequence[Mapping[str, float]]) -> Iterator[tuple[str, int, float]]:
    """Words that tell sides apart, the most frequent first: the number of the side, and how much likelier."""
    highest = {word: max(own.get(word, 0.0) for own in sides) for own in sides for word in own}
    for word in sorted(highest, key=lambda word: (-highest[word], word)):
        *_, second, most = sorted(own.get(word, 0.0) for own in sides)
        nats = math.log((most + _UNSEEN) / (second + _UNSEEN))
        if nats >= _MIN_NATS and _LETTERS.fullmatch(word):
            yield word, next(n for n, own in enumerate(sides) if own.get(word) == most), nats
