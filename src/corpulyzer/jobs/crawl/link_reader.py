"""How a corpus reads links: the words, scripts and names of its target language."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, lru_cache

from corpulyzer.corpus.settings.config import Config
from corpulyzer.language import Language
from corpulyzer.page.identifier import identifier_by
from corpulyzer.page.identify import Identifier
from corpulyzer.page.settings import IdentifyTable
from corpulyzer.web.frontier.clues import FOLLOWED, Reader
from corpulyzer.web.frontier.link_words import FEWEST_LETTERS, AnchorReader
from corpulyzer.web.frontier.pattern import LanguageWords

ENOUGH_CONFIDENCE = 0.8
CLICKED = frozenset(("a", "area"))
"""The links that someone can click, which the isiXhosa crawler followed; redirects are none of a page's."""


@dataclass(frozen=True, slots=True)
class AnchorIdentifier:
    """The code of an anchor's language, as CLD2 tells it; empty where it is not sure."""

    def __call__(self, anchor: str) -> str:
        return _told_by_cld2(anchor)


@lru_cache(maxsize=1 << 14)
def _told_by_cld2(anchor: str) -> str:
    from corpulyzer.page.identify.cld2 import Cld2

    (found,) = Cld2()([anchor.replace("\n", " ")])
    return found.language if found.confidence >= ENOUGH_CONFIDENCE else ""


@dataclass(frozen=True, slots=True)
class BestGuess:
    """The code of an anchor's language, however short it is, as the corpus tells that of sentences (XH-6).

    Empty where the confidence is below that from which a sentence counts. A single word is often one of
    several languages ("Iindaba" is isiXhosa and isiNdebele), so there it is enough that CLD2 takes it for the
    target.
    """

    target: str
    table: IdentifyTable

    def __call__(self, anchor: str) -> str:
        return _guessed(self, anchor)


@lru_cache(maxsize=1 << 14)
def _guessed(guess: BestGuess, anchor: str) -> str:
    text = " ".join(anchor.split())
    if " " not in text and _told_by_cld2(text) == guess.target:
        return guess.target
    (found,) = _for_short_texts(guess)([text])
    return found.language if found.confidence >= guess.table.sentences.min_confidence else ""


@cache
def _for_short_texts(guess: BestGuess) -> Identifier:
    from corpulyzer.page.identify.ensemble import Ensemble

    found = identifier_by(guess.table, guess.target)
    return replace(found, min_characters=1) if isinstance(found, Ensemble) else found


def reads_short_anchors(config: Config) -> bool:
    """Whether links are read as the isiXhosa crawler did: anchors of a word too, and no others (XH-6)."""
    return config.frontier.strategy == "anchor"


def reader_of(config: Config) -> Reader:
    """The reader of links that a configuration asks for."""
    language, short = Language.find(config.corpus.language), reads_short_anchors(config)
    return Reader(
        words=words_of(language),
        anchor=AnchorReader(
            language.code,
            language.ranges,
            BestGuess(language.code, config.identify) if short else AnchorIdentifier(),
            fewest_letters=1 if short else FEWEST_LETTERS,
        ),
        target=language.code,
        scope=config.scope,
        traps=config.frontier.traps,
        follow_nofollow=not config.opt_outs.rel_nofollow,
        follow_own_nofollow=not config.opt_outs.own_nofollow,
        elements=CLICKED if short else FOLLOWED,
    )


@lru_cache(maxsize=8)
def words_of(language: Language) -> LanguageWords:
    """What URLs may call a language and all others; of those only the ones that have a two-letter code."""
    names = language.name_substrings or (language.name.lower(),)
    others = [other for other in Language.search("") if other.iso639_1 and other.code != language.code]
    return LanguageWords(
        codes=frozenset(code for code in (language.code, language.iso639_1) if code),
        names=names,
        others=frozenset(code for other in others for code in (other.code, other.iso639_1)),
        other_names=frozenset(other.name.lower() for other in others if other.name.isalpha()),
    )
