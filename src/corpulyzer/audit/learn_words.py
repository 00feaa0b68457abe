"""Words that tell texts with a flag from the others, learned from texts that people labelled.

Weights are log-odds with a prior of all words (Monroe, Colaresi and Quinn 2008, equations 16 and 22), so that
rare words get no large weight by chance.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from corpulyzer.errors import UserError
from corpulyzer.text.word_list import WordList

FEWEST = 10
"""Texts with the flag, and without it, that are needed to learn anything."""
MIN_Z, MIN_TEXTS = 1.96, 2
MOST_WORDS = 500
FOLDS = 5
# The prior counts as much as this many words, spread as the words of all texts are.
PRIOR_WORDS = 1_000


@dataclass(frozen=True, slots=True)
class Example:
    """The words of a text, and whether it has the flag."""

    words: tuple[str, ...]
    flagged: bool


@dataclass(frozen=True, slots=True)
class LearnedList:
    """A list, of how many texts, and how right it was on texts that it was not learned from."""

    words: WordList
    flagged: int
    others: int
    precision: float | None
    recall: float


def learn_list(examples: Sequence[Example], seed: int = 0) -> LearnedList:
    """The list that tells the flagged texts from the others; UserError where there are too few of either.

    Precision and recall are those of five lists, each learned from four fifths and tried on the rest.
    """
    flagged = sum(example.flagged for example in examples)
    others = len(examples) - flagged
    if min(flagged, others) < FEWEST:
        raise UserError(
            f"There are {flagged} texts with the flag and {others} without.",
            f"Label at least {FEWEST} of each with `corpulyzer audit label`.",
        )
    order = list(range(len(examples)))
    Random(seed).shuffle(order)
    right = found = 0
    for fold in range(FOLDS):
        tried = set(order[fold::FOLDS])
        words = _list_of([examples[place] for place in order if place not in tried])
        said = [examples[place] for place in sorted(tried) if _has_label(words, examples[place])]
        found += len(said)
        right += sum(example.flagged for example in said)
    return LearnedList(_list_of(examples), flagged, others, right / found if found else None, right / flagged)


def log_odds(flagged: Mapping[str, int], others: Mapping[str, int]) -> dict[str, tuple[float, float]]:
    """For each word the log-odds of its use in flagged texts against the others, and its z-score."""
    sizes = sum(flagged.values()), sum(others.values())
    every = sum(sizes)
    found = {}
    for word in flagged:
        counts = flagged[word], others.get(word, 0)
        prior = PRIOR_WORDS * sum(counts) / every
        odds = [
            math.log((count + prior) / (size + PRIOR_WORDS - count - prior))
            for count, size in zip(counts, sizes, strict=True)
        ]
        variance = sum(1 / (count + prior) for count in counts)
        delta = odds[0] - odds[1]
        found[word] = delta, delta / math.sqrt(variance)
    return found


def _list_of(examples: Sequence[Example]) -> WordList:
    """The words that mark flagged texts, and the score that tells these examples apart best."""
    words = _marking(examples)
    scored = [(words.score(example.words)[0], example.flagged) for example in examples]
    return WordList(words.weights, _best_threshold(scored))


def _marking(examples: Iterable[Example]) -> WordList:
    counts: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    texts: Counter[str] = Counter()
    for example in examples:
        counts[example.flagged].update(example.words)
        if example.flagged:
            texts.update(set(example.words))
    scored = log_odds(counts[True], counts[False])
    kept = [word for word, (_, z) in scored.items() if z >= MIN_Z and texts[word] >= MIN_TEXTS]
    kept.sort(key=lambda word: (-scored[word][1], word))
    return WordList({(word,): scored[word][0] for word in kept[:MOST_WORDS]})


def _best_threshold(scored: Sequence[tuple[float, bool]]) -> float:
    """The threshold with the best F1: half-way between two scores, so that new texts may differ a little."""
    levels = sorted({score for score, _ in scored if score > 0}, reverse=True)
    flagged = sum(is_flagged for _, is_flagged in scored)
    best, chosen = -1.0, math.inf
    for place, level in enumerate(levels):
        said = [is_flagged for score, is_flagged in scored if score >= level]
        f1 = 2 * sum(said) / (len(said) + flagged)
        if f1 > best:
            below = levels[place + 1] if place + 1 < len(levels) else 0.0
            best, chosen = f1, (level + below) / 2
    return chosen


def _has_label(words: WordList, example: Example) -> bool:
    return words.threshold is not None and words.score(example.words)[0] >= words.threshold
