"""Words that keep a full stop, and words that open sentences: as listed for a language, and as learned.

The lists are short and our own; what they lack is learned from a corpus (`learn_stops`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corpulyzer.language import Language

_LISTS = Path(__file__).parents[1] / "data" / "abbreviations.tsv"
# Languages that write ordinals with a full stop, and those among them that write nouns with a capital.
_ORDINALS = frozenset(
    "bos ces cnr dan deu dsb est fao fin gsw hbs hrv hsb hun isl lav lit ltg ltz nds nno nob slk slv sme srp"
    " szl tur".split()
)
_CAPITAL_NOUNS = frozenset({"deu", "gsw", "ltz", "nds"})


@dataclass(frozen=True, slots=True)
class Learned:
    """What the texts of a corpus show of full stops, each in alphabetical order and in small letters.

    `abbreviations` keep their stop, `words` look like abbreviations and are none, `openers` begin sentences,
    `common` are ordinary words, `after_ordinal` follow a number with a full stop inside of sentences.
    """

    abbreviations: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    openers: tuple[str, ...] = ()
    common: tuple[str, ...] = ()
    after_ordinal: tuple[str, ...] = ()

    def __hash__(self) -> int:
        """Of the shortest field alone: the splitter looks its tables up by this, for each text."""
        return hash(self.abbreviations)


@dataclass(frozen=True, slots=True)
class Stops:
    """What decides of a full stop: `inside` never ends a sentence, `either` may, `never` keeps no stop.

    `openers` begin sentences. `common` words have a capital there alone, where nouns have none; after a
    `learned` abbreviation they begin one.
    """

    inside: frozenset[str] = frozenset()
    either: frozenset[str] = frozenset()
    never: frozenset[str] = frozenset()
    openers: frozenset[str] = frozenset()
    learned: frozenset[str] = frozenset()
    common: frozenset[str] = frozenset()
    after_ordinal: frozenset[str] = frozenset()
    ordinals: bool = False
    capital_nouns: bool = False


@cache
def stops_of(language: Language | None, learned: Learned | None = None) -> Stops:
    """What is known of the full stops of a language, and what was learned of them.

    >>> from corpulyzer.language import Language
    >>> "prof" in stops_of(Language.find("deu")).inside
    True
    """
    code = language.code if language else ""
    inside, either, openers = _listed().get(code, (frozenset(),) * 3)
    known = Stops(
        inside=inside,
        either=either,
        openers=openers,
        ordinals=code in _ORDINALS,
        capital_nouns=code in _CAPITAL_NOUNS,
    )
    if learned is None:
        return known
    found = frozenset(learned.abbreviations) - inside - either
    return replace(
        known,
        either=either | found,
        learned=found,
        never=frozenset(learned.words) - inside - either,
        openers=openers | frozenset(learned.openers),
        common=frozenset() if known.capital_nouns else frozenset(learned.common),
        ordinals=known.ordinals or bool(learned.after_ordinal),
        after_ordinal=frozenset(learned.after_ordinal),
    )


@cache
def _listed() -> dict[str, tuple[frozenset[str], frozenset[str], frozenset[str]]]:
    """By language: words whose stop never ends a sentence, those whose stop may, and openers of sentences."""
    found = {}
    for line in _LISTS.read_text("utf-8").splitlines()[1:]:
        codes, inside, either, openers = line.split("\t")
        lists = (frozenset(inside.split()), frozenset(either.split()), frozenset(openers.split()))
        found.update(dict.fromkeys(codes.split(), lists))
    return found
