"""A text cut once, for all that is counted in it: sentences, and the words of each in small letters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from corpulyzer.language import Language
from corpulyzer.measure.text.target_text import fold
from corpulyzer.text import Learned, sentences, tokens

# A longer "word" is text without spaces; it is counted under its first characters.
MAX_WORD_CHARACTERS = 100


@dataclass(frozen=True, slots=True)
class Passage:
    """The sentences of a text, folded, and beside each its words."""

    text: str
    sentences: tuple[str, ...]
    words: tuple[list[str], ...]

    @property
    def all_words(self) -> list[str]:
        return [word for words in self.words for word in words]


def passage(
    text: str, language: Language, learned: Learned | None = None, own: Sequence[str] | None = None
) -> Passage:
    """The text, cut by the one sentence splitter, if it has no sentences of its `own`, and the one tokeniser.

    >>> passage("Ja sam. Ti si!", Language.find("hrv")).words
    (['ja', 'sam'], ['ti', 'si'])
    """
    found = folded_sentences(text, language, learned, own)
    return Passage(text, found, tuple(words_of(sentence, language) for sentence in found))


def folded_sentences(
    text: str, language: Language, learned: Learned | None = None, own: Sequence[str] | None = None
) -> tuple[str, ...]:
    """The sentences of a text, if it has none of its `own`, in small letters."""
    cut = sentences(text, language, learned) if own is None else own
    return tuple(fold(sentence, language) for sentence in cut)


def words_of(text: str, language: Language) -> list[str]:
    """The words of a folded text, none longer than `MAX_WORD_CHARACTERS`."""
    found = tokens(text, language)
    if len(text) > MAX_WORD_CHARACTERS:
        return [word[:MAX_WORD_CHARACTERS] for word in found]
    return found
