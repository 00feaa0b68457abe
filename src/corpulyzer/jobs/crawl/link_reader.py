"""How a corpus reads links: the words, scripts and names of its target languages."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, lru_cache

from corpulyzer.corpus.settings.config import Config
from corpulyzer.language import Language, Ranges
from corpulyzer.page.identifier import identifier_by
from corpulyzer.page.identify import Identifier
from corpulyzer.page.settings import IdentifyTable
from corpulyzer.records.targets import Targets, targets_of
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
    several languages ("Iindaba" is isiXhosa and isiNdebele), so there it is enough that CLD2 takes it for a
    target.
    """

    targets: Targets
    table: IdentifyTable

    def __call__(self, anchor: str) -> str:
        return _guessed(self, anchor)


@lru_cache(maxsize=1 << 14)
def _guessed(guess: BestGuess, anchor: str) -> str:
    text = " ".join(anchor.split())
    if " " not in text and (told := _told_by_cld2(text)) in guess.targets.codes:
        return told
    (found,) = _for_short_texts(guess)([text])
    return found.language if found.confidence >= guess.table.sentences.min_confidence else ""


@cache
def _for_short_texts(guess: BestGuess) -> Identifier:
    from corpulyzer.page.identify.ensemble import Ensemble

    only = guess.targets.only
    found = identifier_by(guess.table, only.code if only else "")
    return replace(found, min_characters=1) if isinstance(found, Ensemble) else found


def reads_short_anchors(config: Config) -> bool:
    """Whether links are read as the isiXhosa crawler did: anchors of a word too, and no others (XH-6)."""
    return config.frontier.strategy == "anchor"


def reader_of(config: Config) -> Reader:
    """The reader of links that a configuration asks for."""
    targets, short = targets_of(config.corpus), reads_short_anchors(config)
    return Reader(
        words=words_of(targets),
        anchor=AnchorReader(
            frozenset(targets.codes),
            letters_of(targets),
            (BestGuess(targets, config.identify) if short else AnchorIdentifier())
            if targets.languages
            else None,
            fewest_letters=1 if short else FEWEST_LETTERS,
        ),
        targets=targets,
        scope=config.scope,
        traps=config.frontier.traps,
        follow_nofollow=not config.opt_outs.rel_nofollow,
        follow_own_nofollow=not config.opt_outs.own_nofollow,
        elements=CLICKED if short else FOLLOWED,
    )


@lru_cache(maxsize=8)
def words_of(targets: Targets) -> LanguageWords:
    """What URLs may call the languages of a corpus, and others of which each has a two-letter code.

    Where every language is wanted, an address cannot speak for one or against it.
    """
    if not targets.languages:
        return LanguageWords(frozenset(), ())
    names = [each.name_substrings or (each.name.lower(),) for each in targets.languages]
    codes = frozenset(code for each in targets.languages for code in (each.code, each.iso639_1) if code)
    others = [other for other in Language.with_short_codes() if other.code not in codes]
    return LanguageWords(
        codes=codes,
        names=tuple(dict.fromkeys(name for of_one in names for name in of_one)),
        others=frozenset(code for other in others for code in (other.code, other.iso639_1)),
        other_names=frozenset(other.name.lower() for other in others if other.name.isalpha()),
    )


def letters_of(targets: Targets) -> Ranges:
    """The letters of all languages of a corpus; none where those of one are not known, or all are wanted."""
    ranges = [language.ranges for language in targets.languages]
    return tuple(dict.fromkeys(each for of_one in ranges for each in of_one)) if all(ranges) else ()
