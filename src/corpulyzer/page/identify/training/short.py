"""How the table of short text is learned: vectors by fastText, CLD2's answers by counting, the mix by fit.

Lessons are lines of the sources, and for 41 languages the commonest words of wordfreq, which is CC BY-SA 4.0.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from corpulyzer.page.identify import Identified
from corpulyzer.page.identify.cld2 import Cld2, best_guess
from corpulyzer.page.identify.group import shared_out
from corpulyzer.page.identify.guess import ANSWER_BANDS, BANDS, Short
from corpulyzer.page.identify.ngrams import MAX_TOKEN, hashed, letters_of
from corpulyzer.page.identify.table import Floats, Table
from corpulyzer.page.identify.training.calibrate import logistic
from corpulyzer.page.identify.training.crops import Crops, cropped, to_learn, to_tune
from corpulyzer.page.identify.training.recipe import NEAR, PLANS, file_of
from corpulyzer.page.identify.training.samples import Sample, read_lines

# The true code of a text, the text, what the ensemble answered, and what each group of look-alikes says.
Tuned = tuple[str, str, Identified, list[Floats]]
# Labels, a vector for each bucket, one for each label, and the one that every text has.
Vectors = tuple[list[str], Floats, Floats, Floats]
WRITTEN = Path(__file__).with_name("written")
ORDERS, BITS, NUMBERS = (0, 2, 3, 4), 17, 24
# A language that CLD2 does not know has a smaller web, so a short text is less likely in it.
EXAMPLES, EXAMPLES_OF_FEW, EXAMPLES_OF_WORDS = 3500, 1500, 6000
_MIN_LINES = 100
_EPOCHS, _RATE, _SEED = 3, 0.5, 3
_ANSWERS_COUNTED, _MIN_ANSWER = 150, 0.004
_LEVELS = 5
_AT_ONCE, _TUNED_LINES = 2000, 40
# What the weights of the witnesses may be, and where the search begins.
_WEIGHTS = ((0.5, 0.75, 1.0, 1.3, 1.6, 2.0, 2.5), (0.2, 0.4, 0.6, 0.8, 1.0), (0.15, 0.3, 0.45, 0.6))
_FIRST_WEIGHTS = (1.3, 0.6, 0.3)
# The same for what these say of look-alikes, and for what their own table says. The network has learned from
# other lines of the sources, the table has not, so a fit on their lines trusts the network too much: where
# the table has enough text to judge, the weights are those that do best on messages of programs.
_WEIGHTS_WITHIN = ((0.1, 0.2, 0.35, 0.5, 0.75, 1.0), (0.0, 0.25, 0.5, 0.75, 1.0))
_WITHIN = (0.2, 1.0)
_ENOUGH_LETTERS = 20
# For the same reason the network and CLD2 have fixed weights in the bands below, which do best there.
_IN_FEW_LETTERS = ((0.5, 0.6), (1.3, 1.0))
# CLD2 knows no Cantonese, and the network learned it from formal Chinese as well.
UNHEARD = ["near-chinese"]
# Nats by which a text is less likely beforehand: none for languages with a tenth of a percent of the web or
# more, by what Common Crawl counts; few for other languages of states or of millions; more for
# Bosnian, which most text without one telling word is not; most for the rest.
NATS_BEFOREHAND = (0.0, 0.3, 0.6, 1.5)
_RANKS = (
    "eng rus deu jpn spa fra zho ita por pol nld ces vie tur ind swe ara ron hun ell fas dan ukr fin "
    "kor nob slk bul hrv cat tha heb lit srp slv est lav hin ben",
    "sqi hye aze eus bel epo lug kat guj isl gle kaz lat mkd msa mri mar mon nno pan sna som sot "
    "swa tgl tam tel tso tsn urd cym xho yor zul afr glg uzb kir tgk tat mya khm lao sin nep mal kan "
    "ori asm amh tir hau ibo kin mlg nya jav sun ceb uig pus ckb kur snd tuk hat mlt ltz gla orm wol "
    "lin bak pcm run pnb skr yue",
    "bos",
)
# Arabic in Latin letters is a transcription that nobody writes.
_LEFT_OUT = "ara-Latn"
# Their lines in `udhr` are kept for measuring: there is no other text that was not made for learning.
WRITTEN_ONLY = ("lat-Latn", "pcm-Latn", "pnb-Arab")


def lessons_of(samples: Sequence[Sample], words: Mapping[str, Mapping[str, float]]) -> dict[str, Crops]:
    """By label what there is to learn from; `udhr` alone teaches no language."""
    known = {s.label for s in samples if s.source != "udhr" and len(s.lines) >= _MIN_LINES} - {_LEFT_OUT}
    sources: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for sample in samples:
        kept = sample.source == "udhr" and sample.label in WRITTEN_ONLY
        if sample.label in known and not kept:
            lines = sample.lines if sample.source in ("udhr", "govza") else to_learn(sample.lines)
            sources[sample.label][sample.source] += lines
    for file in sorted(WRITTEN.glob("*.txt")):
        sources[f"{file.stem}-Latn"]["written"] = read_lines(file)
    lessons = {}
    for label, own in sorted(sources.items()):
        code, _, script = label.partition("-")
        lessons[label] = Crops(script, own, words.get(code, {}))
    return lessons


def rank(label: str) -> int:
    """0 for languages with the most text on the web; the higher, the less likely beforehand."""
    code = label.partition("-")[0]
    return next((number for number, codes in enumerate(_RANKS) if code in codes.split()), len(_RANKS))


def beforehand(labels: Sequence[str]) -> dict[str, Any]:
    """What is known of labels without any text: how likely they are, and the groups of look-alikes."""
    groups = {
        file_of(plan).removesuffix(".table"): list(
            dict.fromkeys(each.partition("-")[0] for each in plan.labels)
        )
        for plan in (*PLANS, *NEAR)
    }
    prior = [-NATS_BEFOREHAND[rank(label)] for label in labels]
    return {"prior": prior, "groups": groups, "unheard": UNHEARD}


def table_of(lessons: Mapping[str, Crops], learned_vectors: Vectors) -> Table:
    """The table with all but the mix: what was learned, what CLD2 answers, what is likely beforehand."""
    labels, vectors, output, start = learned_vectors
    weights, steps = _in_bytes(vectors)
    notes: dict[str, Any] = {
        "labels": labels,
        "output": np.round(output, 3).tolist(),
        "steps": steps.tolist(),
        "start": np.round(start, 4).tolist(),
        **beforehand(labels),
        "answers": [answers(lessons, labels, band) for band in range(len(ANSWER_BANDS) + 1)],
    }
    none = np.zeros(0)
    return Table("short", (), ORDERS, BITS, weights, none, none, notes=notes)


def vectors_of(lessons: Mapping[str, Crops]) -> Vectors:
    """The labels, a vector for each bucket, one for each label, and the one that every text has."""
    import fasttext

    with TemporaryDirectory() as folder:
        file = Path(folder) / "lessons.txt"
        with file.open("w") as lines:
            lines.writelines(_as_numbers(_examples(lessons)))
        options = {"minn": 0, "maxn": 0, "bucket": 1, "minCount": 1, "loss": "softmax", "verbose": 0}
        # Fewer than eleven threads leave a part of the matrix at whatever the memory held. Threads learn side
        # by side, so vectors differ from run to run, by as little as from seed to seed.
        model = fasttext.train_supervised(
            str(file), dim=NUMBERS, lr=_RATE, epoch=_EPOCHS, thread=11, **options
        )
    names, rows = model.get_words(), model.get_input_matrix()
    vectors = np.zeros((1 << BITS, NUMBERS))
    start = np.zeros(NUMBERS)
    for name, row in zip(names, rows, strict=False):
        if name == "</s>":
            start = row.astype(float)
        else:
            vectors[int(name)] = row
    labels = [label.removeprefix("__label__") for label in model.get_labels()]
    return labels, vectors, model.get_output_matrix().astype(float), start


def _examples(lessons: Mapping[str, Crops]) -> list[tuple[str, str]]:
    rng, known = Random(_SEED), Cld2().languages
    examples = []
    for label, crops in lessons.items():
        count = EXAMPLES if label.partition("-")[0] in known else EXAMPLES_OF_FEW
        examples += [(label, text) for text in crops.pieces(count, rng)]
        examples += [(label, text) for text in crops.common(EXAMPLES_OF_WORDS, rng)]
    rng.shuffle(examples)
    return examples


def _as_numbers(examples: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Each example as a line of fastText, whose words are the numbers of its buckets."""
    for first in range(0, len(examples), _AT_ONCE):
        some = examples[first : first + _AT_ONCE]
        pairs = [(number, token) for number, (_, text) in enumerate(some) for token in text.split()]
        owners = np.array([number for number, _ in pairs])
        letters = letters_of([token[:MAX_TOKEN] for _, token in pairs])
        found = [(buckets, owners[own]) for buckets, own in hashed(letters, ORDERS, BITS)]
        buckets, whose = (np.concatenate(each) for each in zip(*found, strict=True))
        order = np.argsort(whose, kind="stable")
        ends = np.searchsorted(whose[order], np.arange(1, len(some)))
        for (label, _), own in zip(some, np.split(buckets[order], ends), strict=True):
            if len(own):
                yield f"__label__{label} {' '.join(map(str, own.tolist()))}\n"


def _in_bytes(vectors: Floats) -> tuple[Any, Floats]:
    """Vectors in whole numbers, and the step of each column; few levels, so that the file is small."""
    steps = 4 * vectors.std(axis=0) / _LEVELS
    levels = np.clip(np.round(vectors / steps), -127, 127).astype(np.int8)
    return levels, np.round(steps, 6)


def answers(lessons: Mapping[str, Crops], labels: Iterable[str], band: int) -> dict[str, dict[str, float]]:
    """By label the shares of CLD2's best guesses for texts of a band; under the empty one any other's."""
    found = {}
    for label in labels:
        rng, counts = Random(_SEED), Counter[str]()
        for text in lessons[label].pieces(4 * _ANSWERS_COUNTED, rng):
            if _band(ANSWER_BANDS, text) == band:
                counts[best_guess(text)] += 1
                if counts.total() >= _ANSWERS_COUNTED:
                    break
        rest = _MIN_ANSWER
        total = counts.total() + 1.0
        shares = {answer: round(size / total, 4) for answer, size in counts.items() if size / total >= rest}
        found[label] = {**shares, "": round(rest / 2, 4)}
    return found


def _band(bands: Sequence[int], text: str) -> int:
    letters = sum(map(str.isalpha, text[:400]))
    return sum(letters >= bound for bound in bands)


def mix(short: Short, texts: Sequence[Tuned]) -> list[list[float]]:
    """For each band the weights of the witnesses, and slope and shift of the chance that follows."""
    by_band: dict[int, list[Tuned]] = defaultdict(list)
    for each in texts:
        by_band[_band(BANDS, each[1])].append(each)
    found = []
    for band, letters in enumerate((0, *BANDS)):
        if letters < _ENOUGH_LETTERS:
            tried = [*_only(_IN_FEW_LETTERS[band]), _WEIGHTS[2], *_WEIGHTS_WITHIN]
        else:
            tried = [*_WEIGHTS, *_only(_WITHIN)]
        found.append(_mixed(short, by_band[band], tried))
    return found


def _only(weights: Sequence[float]) -> list[tuple[float]]:
    """Weights that are not searched for."""
    return [(weight,) for weight in weights]


def texts_to_tune_on(samples: Sequence[Sample], known: Sequence[str]) -> Iterator[tuple[Sample, str]]:
    """Lines that nothing was learned from, whole and in pieces, of the labels that are known."""
    rng = Random(_SEED)
    for sample in samples:
        if sample.source != "udhr" and sample.label in known:
            for line in to_tune(sample.lines)[:_TUNED_LINES]:
                yield sample, line
                yield sample, cropped(line, sample.script, rng)
                yield sample, cropped(line, sample.script, rng)


def _mixed(short: Short, texts: Sequence[Tuned], tried: Sequence[Sequence[float]]) -> list[float]:
    """The weights of those tried with which the right languages come out likeliest, and the calibration."""
    rows = [
        short.heard(row, text, first)
        for row, (_, text, first, _) in zip(short.evidence([each[1] for each in texts]), texts, strict=True)
    ]
    some = [number for number, row in enumerate(rows) if row is not None]
    heard = np.stack([row for row in rows if row is not None])
    truth = np.array([short.codes.index(texts[number][0]) for number in some])
    told = [np.stack([texts[number][3][group] for number in some]) for group in range(len(short.groups))]

    def chances(weights: Sequence[float]) -> Floats:
        *witnesses, others, by_table = weights
        found = np.tensordot(heard[:, :-1], np.array(witnesses), (1, 0)) + heard[:, -1]
        for group, said in zip(short.groups, told, strict=True):
            own, beforehand = found[:, group.places], short.beforehand[group.places]
            found[:, group.places] = shared_out(own, beforehand, said, (others * group.heard, by_table))
        return short.chances(found)

    def loss(weights: Sequence[float]) -> float:
        right = chances(weights)[np.arange(len(truth)), truth]
        return float(-np.log(np.maximum(right, 1e-9)).mean())

    best = [*_FIRST_WEIGHTS, *_WITHIN]
    for _ in range(2):
        for place, values in enumerate(tried):
            tries = [[*best[:place], each, *best[place + 1 :]] for each in values]
            best = min(tries, key=loss)
    found = chances(best)
    top = np.clip(found.max(axis=1), 1e-6, 1 - 1e-6)
    right = (found.argmax(axis=1) == truth).astype(float)
    slope, shift = logistic(np.log(top / (1 - top)), right, beside_look_alikes(short)[truth])
    return [*best, round(slope, 4), round(shift, 4)]


def beside_look_alikes(short: Short) -> Floats:
    """By code how much a text of it counts in the calibration: as much as it is likely beforehand.

    There are as many lines of Dari as of Persian to tune on, and no such share anywhere else: answers would
    say less than they know. Only look-alikes are compared, each with the likeliest of its group.
    """
    found = np.ones(len(short.codes))
    for group in short.groups:
        shares = np.exp(short.beforehand[group.places] - short.beforehand[group.places].max())
        for code, share in zip(group.codes, shares, strict=True):
            found[short.codes.index(code)] = share
    return found
