"""The recipe of the models that ship with the package, from folders of sentences to tables.

Texts are used to count n-grams and are not kept. A table is measured on what it was not trained on: on
another source where a language has two of some size, else on a fifth of the same source.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from corpulyzer.page.identify.stems import read_stems
from corpulyzer.page.identify.table import Table
from corpulyzer.page.identify.training.learn import (
    BySource,
    Counts,
    contrast,
    count,
    likeness,
    quantised,
    rarity,
)
from corpulyzer.page.identify.training.samples import WHOLES, Sample, orthographies, read_folder
from corpulyzer.page.identify.training.shahmukhi import to_shahmukhi
from corpulyzer.page.identify.training.words import NO_WORDS, Words, telling_words

MODELS = Path(__file__).parent.parent / "models"
FOLDS = 5
# Fewer lines of a source teach little of a language, so a test without them is no test across sources.
MIN_LINES = 300
SCRIPTS = ("Latn", "Arab", "Cyrl", "Deva")

# What is filed under Southern Ndebele in `udhr` is the Ndebele of Zimbabwe.
_MISFILED = {("udhr", "nbl"): "nde"}
_CYRILLIC = "абвгдђежзијклљмнњопрстћуфхцчџш"
_LATIN = "a b v g d đ e ž z i j k l lj m n nj o p r s t ć u f h c č dž š".split()
_SERBIAN = str.maketrans(
    {
        **dict(zip(_CYRILLIC, _LATIN, strict=True)),
        **dict(zip(_CYRILLIC.upper(), (s.capitalize() for s in _LATIN), strict=True)),
    }
)


@dataclass(frozen=True, slots=True)
class GroupPlan:
    """A group of look-alikes: its members are told apart, and from the neighbours that may be mixed in.

    A family is contrasted with the others as one language, and its members with one another by a second
    contrast, which has the weight `within`. `sides` are labels, or labels together, whose common words are
    compared: those that one side has and the others have not count as stems do.
    """

    name: str
    members: tuple[str, ...]
    neighbours: tuple[str, ...] = ()
    families: tuple[tuple[str, ...], ...] = ()
    within: float = 1.0
    sides: tuple[tuple[str, ...], ...] = ()
    stem_nats: float = 0.0
    seen: float = 1.0
    orders: tuple[int, ...] = (0, 4)
    bits: int = 15

    @property
    def labels(self) -> tuple[str, ...]:
        return self.members + self.neighbours


def _labels(codes: str, script: str) -> tuple[str, ...]:
    return tuple(f"{code}-{script}" for code in codes.split())


PLANS = (
    GroupPlan(
        "south-slavic",
        (*_labels("hrv bos srp slv", "Latn"), *_labels("srp mkd", "Cyrl")),
        _labels("bul", "Cyrl"),
        families=(_labels("hrv bos srp", "Latn"),),
        within=0.12,
        stem_nats=6.0,
    ),
    GroupPlan("nguni", _labels("xho zul ssw nbl nya", "Latn"), _labels("tum sna bem tso", "Latn")),
    GroupPlan(
        "arabic-script",
        _labels("urd pnb skr kas snd fas prs pus ara ckb", "Arab"),
        _labels("azb uig", "Arab"),
        families=(_labels("fas prs", "Arab"), _labels("pnb skr", "Arab")),
        within=0.5,
        stem_nats=2.0,
    ),
    GroupPlan(
        "czech-slovak",
        _labels("ces slk", "Latn"),
        _labels("pol szl hsb", "Latn"),
        sides=(_labels("ces", "Latn"), _labels("slk", "Latn"), _labels("pol", "Latn")),
    ),
    GroupPlan(
        "malay",
        _labels("ind msa", "Latn"),
        _labels("jav sun min bjn ban ace bug", "Latn"),
        families=(_labels("ind msa", "Latn"),),
        within=0.5,
        sides=(_labels("ind", "Latn"), _labels("msa", "Latn")),
        stem_nats=2.0,
    ),
    GroupPlan(
        "rwanda-rundi",
        _labels("kin run", "Latn"),
        _labels("lug swa", "Latn"),
        families=(_labels("kin run", "Latn"),),
        stem_nats=2.0,
    ),
    GroupPlan(
        "scandinavian",
        _labels("nob nno dan swe", "Latn"),
        _labels("isl fao", "Latn"),
        # Of Nynorsk no words were counted; most of those that Danish lacks it shares with Bokmål.
        sides=(_labels("nob nno", "Latn"), _labels("dan", "Latn"), _labels("swe", "Latn")),
    ),
)
# Look-alikes that best guesses alone tell apart: a corpus takes what CLD2 and the table of the script answer.
NEAR = (
    GroupPlan("iberian", _labels("ast spa glg", "Latn"), _labels("cat por", "Latn")),
    GroupPlan("chinese", ("zho-Hans", "zho-Hant", "yue-Hant"), orders=(1, 2), bits=14),
)


def gather(folder: Path) -> list[Sample]:
    """All samples of a folder's sets under the codes that models use; Serbian and Punjabi in both scripts."""
    samples = []
    for source in sorted(each for each in folder.iterdir() if each.is_dir()):
        for sample in read_folder(source):
            code = _MISFILED.get((source.name, sample.code)) or WHOLES.get(sample.code, sample.code)
            samples.append(replace(sample, code=code))
            if sample.label == "srp-Cyrl":
                latin = tuple(line.translate(_SERBIAN) for line in sample.lines)
                samples.append(Sample(code, "Latn", sample.source, latin))
            if sample.label == "pan-Guru" and source.name != "udhr":
                arabic = tuple(map(to_shahmukhi, sample.lines))
                samples.append(Sample("pnb", "Arab", sample.source, arabic))
    return samples


@dataclass(frozen=True)
class Lessons:
    """Samples counted, a fifth at a time, so that a table can be made with any fifth or source left out."""

    samples: tuple[Sample, ...]
    orders: tuple[int, ...]
    bits: int
    _seen: dict[tuple[int, int], Counts] = field(default_factory=dict)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        return tuple(sorted({sample.label for sample in self.samples}))

    @cached_property
    def sources(self) -> tuple[str, ...]:
        return tuple(sorted({sample.source for sample in self.samples}))

    @cached_property
    def sizes(self) -> dict[tuple[str, str], int]:
        sizes: dict[tuple[str, str], int] = defaultdict(int)
        for sample in self.samples:
            sizes[sample.label, sample.source] += len(sample.lines)
        return dict(sizes)

    def crossed(self, label: str, source: str) -> bool:
        """Whether a language can be learned without this source."""
        return any(
            size >= MIN_LINES for (own, other), size in self.sizes.items() if own == label and other != source
        )

    def counts(self, held: tuple[str, int] | None = None) -> BySource:
        """N-grams by label and source, without what `held`, a source and a fifth of it, is tested on."""
        totals: dict[tuple[str, str], Counts] = {}
        for number, sample in enumerate(self.samples):
            for part in range(FOLDS):
                key = sample.label, sample.source
                if held and sample.source == held[0] and (part == held[1] or self.crossed(*key)):
                    continue
                totals[key] = totals.get(key, 0.0) + self._part(number, part)
        return {key: each for key, each in totals.items() if each.any()}

    def held_out(self, source: str, part: int) -> Iterator[tuple[str, list[str]]]:
        """The lines to test on, by label, when a source and a fifth of it are held out."""
        for sample in self.samples:
            if sample.source == source:
                yield sample.label, fold(sample.lines, part)

    def _part(self, number: int, part: int) -> Counts:
        if (number, part) not in self._seen:
            lines = fold(self.samples[number].lines, part)
            self._seen[number, part] = count(lines, self.orders, self.bits).astype(np.float32)
        return self._seen[number, part]


def without(samples: Sequence[Sample], source: str, part: int) -> tuple[list[Sample], list[Sample]]:
    """The samples to train on when a source and a fifth of it are held out, and those to test on."""
    lessons = Lessons(tuple(samples), (0,), 1)
    train, test = [], []
    for sample in samples:
        if sample.source != source:
            train.append(sample)
            continue
        test.append(replace(sample, lines=tuple(fold(sample.lines, part))))
        if not lessons.crossed(sample.label, source):
            rest = [line for other in range(FOLDS) if other != part for line in fold(sample.lines, other)]
            train.append(replace(sample, lines=tuple(rest)))
    return train, test


def fold(lines: Sequence[str], part: int) -> list[str]:
    """One of the fifths of some lines: a stretch, since neighbours may be of one text, or translations."""
    size = len(lines)
    return list(lines[size * part // FOLDS : size * (part + 1) // FOLDS])


def file_of(plan: GroupPlan) -> str:
    """The name of a group's table: those that a corpus asks begin otherwise than those of best guesses."""
    return f"{'group' if plan in PLANS else 'near'}-{plan.name}.table"


def lessons_for(plan: GroupPlan, samples: Sequence[Sample]) -> Lessons:
    """The samples that a group needs, counted as it needs them."""
    every = (*samples, *orthographies(samples))
    own = tuple(sample for sample in every if sample.label in plan.labels)
    return Lessons(own, plan.orders, plan.bits)


def wide_lessons(samples: Sequence[Sample], script: str, orders: tuple[int, ...], bits: int) -> Lessons:
    """The samples of all languages of a script, or of all other scripts for the empty one.

    A language that only `udhr` has is left out, unless a group needs it: sixty lines are too few to know it.
    """
    needed = {label for plan in PLANS for label in plan.members}
    needed |= {sample.label for sample in samples if sample.source != "udhr" and len(sample.lines) >= 200}
    own = tuple(
        sample
        for sample in samples
        if sample.label in needed
        and (sample.script == script or (not script and sample.script not in SCRIPTS))
    )
    return Lessons(own, orders, bits)


def group_table(plan: GroupPlan, counts: BySource, background: Counts, words: Words = NO_WORDS) -> Table:
    """The table of a group, not yet calibrated; `words` are the common ones by code, with their shares."""
    labels = [label for label in plan.labels if any(own == label for own, _ in counts)]
    family_of = {label: family[0] for family in plan.families for label in family}
    merged: dict[tuple[str, str], Counts] = {}
    for (label, source), each in counts.items():
        key = family_of.get(label, label), source
        merged[key] = merged.get(key, 0.0) + each
    heads = list(dict.fromkeys(family_of.get(label, label) for label in labels))
    between = contrast(merged, heads, seen=plan.seen)
    weights = between[:, [heads.index(family_of.get(label, label)) for label in labels]]
    for family in plan.families:
        own = [label for label in family if label in labels]
        inner = contrast(
            {key: each for key, each in counts.items() if key[0] in own}, own, seen=plan.seen, alone=0.0
        )
        for number, label in enumerate(own):
            weights[:, labels.index(label)] += plan.within * inner[:, number]
    fits = likeness(counts, labels, background)
    file = MODELS / "stems" / f"{plan.name}.txt"
    stems = read_stems(file, labels, plan.stem_nats) if plan.stem_nats else {}
    stems = {**telling_words(plan.sides, labels, words), **stems}
    blank = np.zeros(len(labels))
    both = quantised(np.concatenate([weights, fits], axis=1))
    return Table(plan.name, tuple(labels), plan.orders, plan.bits, both, blank, blank + 1.0, stems=stems)


def wide_table(name: str, counts: BySource, orders: tuple[int, ...], bits: int) -> Table:
    """The table of all languages of a script, not yet calibrated."""
    labels = sorted({label for label, _ in counts})
    background = background_of(counts)
    fits = likeness(counts, labels, background)
    blank = np.zeros(len(labels))
    weights = quantised(fits)
    return Table(name, tuple(labels), orders, bits, weights, blank, blank + 1.0, base=rarity(background))


def background_of(counts: BySource) -> Counts:
    """The n-grams of text in general: the mean of all languages, each counted equally."""
    by_label: dict[str, list[Counts]] = defaultdict(list)
    for (label, _), each in counts.items():
        by_label[label].append(each / max(each.sum(), 1.0))
    means = np.stack([np.stack(each).mean(axis=0) for each in by_label.values()])
    return np.asarray(means.mean(axis=0) + 1e-9)
