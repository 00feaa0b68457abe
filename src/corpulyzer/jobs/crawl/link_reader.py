"""How a corpus reads links: the words, scripts and names of its target language."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from corpulyzer.corpus.settings.config import Config
from corpulyzer.language import Language
from corpulyzer.web.frontier.clues import Reader
from corpulyzer.web.frontier.link_words import FEWEST_LETTERS, AnchorReader
from corpulyzer.web.frontier.pattern import LanguageWords

ENOUGH_CONFIDENCE = 0.8


@dataclass(frozen=True, slots=True)
class AnchorIdentifier:
    """The code of an anchor's language, as CLD2 tells it; empty where it is not sure."""

    def __call__(self, anchor: str) -> str:
        return _identified(anchor)


@lru_cache(maxsize=1 << 14)
def _identified(anchor: str) -> str:
    from corpulyzer.page.identify.cld2 import Cld2

    (found,) = Cld2()([anchor.replace("\n", " ")])
    return found.language if found.confidence >= ENOUGH_CONFIDENCE else ""


def reads_short_anchors(config: Config) -> bool:
    """Whether anchors of a word or two are identified too, as the isiXhosa crawler does (XH-6)."""
    return config.frontier.strategy == "anchor"


def reader_of(config: Config) -> Reader:
    """The reader of links that a configuration asks for."""
    language = Language.find(config.corpus.language)
    return Reader(
        words=words_of(language),
        anchor=AnchorReader(
            language.code,
            language.ranges,
            AnchorIdentifier(),
            fewest_letters=1 if reads_short_anchors(config) else FEWEST_LETTERS,
        ),
        target=language.code,
        scope=config.scope,
        traps=config.frontier.traps,
        follow_nofollow=not config.opt_outs.rel_nofollow,
        follow_own_nofollow=not config.opt_outs.own_nofollow,
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
