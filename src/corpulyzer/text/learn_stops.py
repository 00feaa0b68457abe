"""Learn from texts which words keep a full stop and which open sentences, after Kiss & Strunk (2006).

An abbreviation is a short word that is seldom without its full stop. How seldom is told by Dunning's
likelihood ratio, weighted by the length of the word, its inner full stops and the times it stands without
one. Openers of sentences and words after ordinals are collocations: they stand there more often than chance
has it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import exp, log
from typing import TYPE_CHECKING

import regex

from corpulyzer.text.abbreviations import Learned
from corpulyzer.text.full_stop import lacks_vowel
from corpulyzer.text.sentence import sentences

if TYPE_CHECKING:
    from corpulyzer.language import Language

# Thresholds of the paper; the least counts are ours, since the web repeats its slips.
ABBREVIATION_SCORE = 0.3
COLLOCATION_SCORE = 30.0
LEAST_STOPPED = 4
LEAST_PLAIN = 10
LEAST_OPENED = 10
LEAST_AFTER_ORDINAL = 5
MOST_LETTERS = 12
MOST_COMMON = 2_000
# Numbers of kings and single letters are judged by what stands around them.
_NO_ABBREVIATION = regex.compile(r"[ivx]+|\p{L}\p{M}*")
_TOKEN = regex.compile(
    r"(?<![\p{L}\p{N}/])(\p{L}[\p{L}\p{M}.]*)((?<!\.)\.)?(?![\p{L}\p{M}\p{N}])"
    r"|(?<![\p{L}\p{N}.,:])\d{1,2}\.\s(\p{Lu}[\p{L}\p{M}]*)"
)
_FIRST_WORD = regex.compile(r"[\p{Ps}\p{Pi}\"']*(\p{Lu}[\p{L}\p{M}]*)")


@dataclass(slots=True)
class StopCounts:
    """How often words stand with a full stop, without one, in small letters, at the start of a sentence."""

    language: Language | None
    stopped: Counter[str] = field(default_factory=Counter)
    plain: Counter[str] = field(default_factory=Counter)
    small: Counter[str] = field(default_factory=Counter)
    opened: Counter[str] = field(default_factory=Counter)
    after_ordinal: Counter[str] = field(default_factory=Counter)
    sentences: int = 0

    def add(self, text: str) -> None:
        """Count the words of a text."""
        for word, stop, ordinal in _TOKEN.findall(text):
            if ordinal:
                self.after_ordinal[ordinal.lower()] += 1
                continue
            bare = word.rstrip(".").lower() if stop or word[-1] == "." else word.lower()
            if len(bare) > MOST_LETTERS:
                continue
            (self.stopped if stop or word[-1] == "." else self.plain)[bare] += 1
            if word[0].islower():
                self.small[bare] += 1
        for sentence in sentences(text, self.language):
            self.sentences += 1
            if first := _FIRST_WORD.match(sentence):
                self.opened[first[1].lower()] += 1

    def learned(self) -> Learned:
        """What the counts show."""
        stops, total = self.stopped.total(), self.stopped.total() + self.plain.total()
        if not stops or stops == total:
            return Learned()
        share = stops / total
        abbreviations = {
            word
            for word, count in self.stopped.items()
            if count >= LEAST_STOPPED
            and self._score(word, count, share) >= ABBREVIATION_SCORE
            and not _NO_ABBREVIATION.fullmatch(word)
        }
        openers = {word for word, count in self.opened.items() if self._opens(word, count, total)}
        return Learned(
            abbreviations=tuple(sorted(abbreviations)),
            words=tuple(sorted(self._words() - abbreviations)),
            openers=tuple(sorted(openers - abbreviations)),
            common=tuple(sorted(self._common())),
            after_ordinal=tuple(sorted(self._after_ordinal() - openers)),
        )

    def _score(self, word: str, stopped: int, share: float) -> float:
        """How much a word behaves like an abbreviation (Kiss & Strunk, section 4.1.6)."""
        plain = self.plain[word]
        letters = len(word.replace(".", ""))
        ratio = 2 * (_log_likelihood(stopped, plain, 0.99) - _log_likelihood(stopped, plain, share))
        penalty = float(letters) ** -plain if plain < LEAST_PLAIN * letters else 0.0
        return ratio * exp(-letters) * (word.count(".") + 1) * penalty

    def _words(self) -> set[str]:
        """Words of the shape of abbreviations that mostly stand without a full stop."""
        often = (word for word, count in self.plain.items() if count >= LEAST_PLAIN)
        short = (word for word in often if len(word) <= 3 or (len(word) == 4 and lacks_vowel(word)))
        return {word for word in short if self.stopped[word] * 4 < self.plain[word]}

    def _common(self) -> list[str]:
        """The most frequent words that are no names: they have a capital at the start of sentences only."""
        often = (word for word, count in sorted(self.small.items(), key=_by_count) if count >= LEAST_PLAIN)
        return [word for word in often if self.small[word] >= 5 * self._in_the_middle(word)][:MOST_COMMON]

    def _in_the_middle(self, word: str) -> int:
        """How often a word has a capital inside of a sentence."""
        return self.plain[word] + self.stopped[word] - self.small[word] - self.opened[word]

    def _opens(self, word: str, opened: int, total: int) -> bool:
        """Whether a word is a frequent opener of sentences, and no name: it is written small elsewhere."""
        if opened < LEAST_OPENED or self.small[word] * 2 < opened:
            return False
        elsewhere = max(0, self.plain[word] + self.stopped[word] - opened)
        return _association(opened, self.sentences, elsewhere, total - self.sentences) >= COLLOCATION_SCORE

    def _after_ordinal(self) -> set[str]:
        counts = ((word, count) for word, count in self.after_ordinal.items() if count >= LEAST_AFTER_ORDINAL)
        return {word for word, count in counts if count * 3 > self.opened[word]}


def _by_count(counted: tuple[str, int]) -> tuple[int, str]:
    return -counted[1], counted[0]


def _log_likelihood(hits: int, misses: int, chance: float) -> float:
    return hits * log(chance) + misses * log(1 - chance)


def _association(here: int, places: int, elsewhere: int, others: int) -> float:
    """Dunning's likelihood ratio of a word that is more frequent in some places than in others; else 0."""
    if others <= 0 or here * others <= elsewhere * places:
        return 0.0
    both = (here + elsewhere) / (places + others)
    alone = [(here, places, here / places), (elsewhere, others, elsewhere / others)]
    parts = (
        _log_likelihood(hits, size - hits, min(max(chance, 1e-12), 1 - 1e-12))
        - _log_likelihood(hits, size - hits, both)
        for hits, size, chance in alone
    )
    return 2 * sum(parts)
