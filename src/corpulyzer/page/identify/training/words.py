"""The commonest words of 41 languages with their frequencies, from wordfreq (CC BY-SA 4.0)."""

from __future__ import annotations

import unicodedata
from collections import defaultdict

import regex

from corpulyzer.language import Language

_MOST = 60_000
# A word that is ten times as frequent in another language is a name or a quotation here.
_FOREIGN = 0.1
# Its Serbo-Croatian is of three standards at once.
_LEFT_OUT = {"sh"}
_WORD = regex.compile(r"[\p{L}\p{M}'’-]+")


def common_words() -> dict[str, dict[str, float]]:
    """By code the words of a language that are its own, with their shares of any text."""
    import wordfreq  # type: ignore[import-not-found,unused-ignore]

    found: dict[str, dict[str, float]] = {}
    for name in sorted(set(wordfreq.available_languages("small")) - _LEFT_OUT):
        shares = wordfreq.get_frequency_dict(name, "best")
        most = sorted(shares, key=lambda word: (-shares[word], word))[:_MOST]
        own = {unicodedata.normalize("NFC", word): shares[word] for word in most if _WORD.fullmatch(word)}
        found["tgl" if name == "fil" else Language.find(name).code] = own
    highest: dict[str, float] = defaultdict(float)
    for own in found.values():
        for word, share in own.items():
            highest[word] = max(highest[word], share)
    return {
        code: {word: share for word, share in own.items() if share >= _FOREIGN * highest[word]}
        for code, own in found.items()
    }
