"""Lemmas out of word lists, in more than fifty languages and without a model: simplemma."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from corpulyzer.annotate.backend import is_word
from corpulyzer.annotate.plain import plain_sentences
from corpulyzer.errors import UserError
from corpulyzer.language import Language
from corpulyzer.records.annotation import Sentence, Token
from corpulyzer.text import Learned

# Where simplemma has another code: Croatian, Serbian, Bosnian and Montenegrin share one list.
_OTHER_CODES = {"hrv": "hbs", "srp": "hbs", "bos": "hbs", "cnr": "hbs", "nob": "nb", "nno": "nn", "fil": "tl"}


@dataclass(frozen=True, slots=True)
class Simplemma:
    """Lemmas of single words, without their context."""

    language: str
    learned: Learned | None = None
    gives: tuple[str, ...] = ("lemma",)

    @property
    def name(self) -> str:
        return f"simplemma ({code_for(self.language)})"

    def load(self) -> None:
        """Load the word list; UserError if there is none for the language."""
        if not code_for(self.language):
            raise UserError(
                f"simplemma has no word list for {Language.find(self.language).name}.",
                "Train a model with `corpulyzer annotate train`, or use --method plain.",
            )
        _lemma(code_for(self.language), "a")

    def __call__(self, text: str, paragraph: int, start: int, end: int) -> Sequence[Sentence]:
        sentences = plain_sentences(text, paragraph, start, end, self.language, self.learned)
        return [replace(s, tokens=tuple(map(self._with_lemma, s.tokens))) for s in sentences]

    def _with_lemma(self, token: Token) -> Token:
        lemma = _lemma(code_for(self.language), token.form) if is_word(token) else token.form
        return replace(token, lemma=lemma)


def code_for(language: str) -> str:
    """simplemma's code for a language; empty if it does not know it."""
    found = Language.find(language)
    wanted = (_OTHER_CODES.get(found.code, found.iso639_1), found.code)
    return next((code for code in wanted if code and code in _supported()), "")


@cache
def _supported() -> frozenset[str]:
    from simplemma.strategies.dictionaries.dictionary_factory import SUPPORTED_LANGUAGES

    return frozenset(SUPPORTED_LANGUAGES)


@lru_cache(maxsize=1 << 17)
def _lemma(code: str, form: str) -> str:
    import simplemma

    return str(simplemma.lemmatize(form, lang=code))
