"""Near-duplicates made to measure: pairs of texts of a known Jaccard index, with spaces and without.

A pair's index is that of its sets of character 5-grams, counted, not estimated.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate, combinations

from corpulyzer.dedup.near.shingles import shingles

GRAMS = 5
VOCABULARY = 4_000
# Consonants, vowels or vowel signs, and what stands between two words.
SCRIPTS = {
    "Latn": ("bcdfghjklmnpqrstvwxz", "aeiouáéíóúâêîôû", " "),
    "Cyrl": ("бвгджзклмнпрстфхцчш", "аеиоуыэюя", " "),
    "Arab": ("بپتٹجچحخدڈرزسشصطعغفقکگلمنوہی", ("", "ا", "و", "ی", "ِ", "ُ"), " "),
    "Deva": ("कखगघचछजझटठडढतथदधनपफबभमयरलवशसह", ("", "ा", "ि", "ी", "ु", "े", "ो", "्"), " "),
    "Ethi": ("ሀለሐመሠረሰሸቀበተቸነአከኸወዘየደገጠጰፀፈፐ", ("", "ት", "ን", "ው"), " "),
    "Mymr": ("ကခဂငစဆဇညတထဒနပဖဗမယရလဝသဟ", ("", "ာ", "ိ", "ီ", "ု", "ေ", "း", "့"), ""),
    "Hani": ("天地人日月山水火木金土心手口目耳言語文字書畫春夏秋冬東西南北中國家道德經史子集", ("",), ""),
    "Adlm": ("𞤀𞤁𞤂𞤃𞤄𞤆𞤇𞤈𞤉𞤊𞤋𞤌", ("𞤢", "𞤫", "𞤭", "𞤮", "𞤵"), " "),
}


@dataclass(frozen=True, slots=True)
class Pair:
    """Two texts and the Jaccard index of their 5-grams."""

    script: str
    left: str
    right: str
    jaccard: float


@dataclass(frozen=True, slots=True)
class Measured:
    """How many of the pairs ≥ .8 were found, and how many of those found are ≥ .7."""

    recall: float
    precision: float
    found: int


def jaccard(left: str, right: str) -> float:
    """The Jaccard index of two texts' sets of character 5-grams; 0 of two empty ones."""
    a, b = shingles(left, GRAMS), shingles(right, GRAMS)
    return len(a & b) / len(a | b) if a or b else 0.0


def generated_pairs(each: int, low: float, high: float, *, seed: int, words: int = 250) -> Iterator[Pair]:
    """`each` pairs in every script, with indices that fill `low` to `high` evenly."""
    for script in SCRIPTS:
        chance = random.Random(f"{seed} {script} {low} {high}")
        writer = Writer(script, chance)
        for _ in range(each):
            wanted = chance.uniform(low, high)
            left = writer.words(words)
            right = _edited(left, writer, wanted, chance)
            texts = writer.text(left), writer.text(right)
            index = jaccard(*texts)
            if low <= index <= high:
                yield Pair(script, *texts, index)


class Writer:
    """Words of a made-up language in a real script, some of them frequent as in any language."""

    def __init__(self, script: str, chance: random.Random) -> None:
        consonants, vowels, self._space = SCRIPTS[script]
        self._chance = chance
        self._vocabulary = [
            "".join(chance.choice(consonants) + chance.choice(vowels) for _ in range(chance.randint(1, 4)))
            for _ in range(VOCABULARY)
        ]
        self._weights = list(accumulate(1 / (rank + 3) for rank in range(VOCABULARY)))

    def words(self, count: int) -> list[str]:
        """Words of a new text."""
        return self._chance.choices(self._vocabulary, cum_weights=self._weights, k=count)

    def text(self, words: list[str]) -> str:
        """The words as they are written."""
        return self._space.join(words)


def measured(pairs: Mapping[int, Pair], clusters: Iterable[Iterable[tuple[int, int]]]) -> Measured:
    """What a method made of pairs: a cluster is of `(number of the pair, side)`, side 0 or 1."""
    found, right, joined = 0, 0, set()
    for cluster in clusters:
        for (a, side_a), (b, side_b) in combinations(sorted(cluster), 2):
            index = pairs[a].jaccard if a == b else jaccard(_side(pairs[a], side_a), _side(pairs[b], side_b))
            found += 1
            right += index >= 0.7
            if a == b:
                joined.add(a)
    wanted = {number for number, pair in pairs.items() if pair.jaccard >= 0.8}
    recall = len(wanted & joined) / len(wanted) if wanted else 1.0
    return Measured(recall, right / found if found else 1.0, found)


def _side(pair: Pair, side: int) -> str:
    return pair.right if side else pair.left


def _edited(words: list[str], writer: Writer, wanted: float, chance: random.Random) -> list[str]:
    """The words with as many of them changed as brings the index closest to `wanted`.

    Scattered over the text, or one after the other, as an editor or a template changes it.
    """
    places = list(range(len(words)))
    if chance.random() < 0.5:
        chance.shuffle(places)
    others, original = writer.words(len(words)), writer.text(words)

    def changed(count: int) -> list[str]:
        new = list(words)
        for place in places[:count]:
            new[place] = others[place]
        return new

    low, high = 0, len(words)
    while low < high:
        middle = (low + high) // 2
        if jaccard(original, writer.text(changed(middle))) > wanted:
            low = middle + 1
        else:
            high = middle
    return changed(low)
