"""A new language from a few hundred sentences: a column beside those of all the languages of its script.

A small language must not lose its texts to rivals with more text, nor take theirs; so a constant, the lift,
is added to its column, chosen for the best F1 on held-out sentences. Rivals are known by their columns and by
the probes that ship with the package, or by files of one's own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from corpulyzer.errors import UserError
from corpulyzer.page.identify.cld2 import Cld2
from corpulyzer.page.identify.ensemble import MODELS
from corpulyzer.page.identify.table import Table
from corpulyzer.page.identify.training.calibrate import unseen_spread
from corpulyzer.page.identify.training.candidates import Candidates
from corpulyzer.page.identify.training.learn import TRUST, Counts, columns_of, count, quantised, shares_of
from corpulyzer.page.identify.training.probes import Bag, bag_of, scores_of
from corpulyzer.page.identify.training.recipe import FOLDS, fold
from corpulyzer.page.identify.training.samples import joined
from corpulyzer.records import UNDETERMINED

RIVALS = 5
_LIFTS = range(-12, 25, 2)
_MIN_CALL_SHARE = 0.02
_SENTENCE_BITS = 200
# A worse model would do more harm than good; it is made only if the user named the rivals.
_MIN_F1 = 0.6


@dataclass(frozen=True, slots=True)
class Measured:
    """What cross-validation says of a new language, at the level of sentences."""

    sentences: int
    f1: float
    precision: float
    recall: float
    confusions: Mapping[str, float]
    taken: Mapping[str, float]
    f1_by_sentences: Mapping[int, float] = field(default_factory=dict)

    @property
    def gain_of_doubling(self) -> float:
        """About how much F1 would rise with twice the text: half of what the last doubling brought."""
        sizes = sorted(self.f1_by_sentences)
        if len(sizes) < 2:
            return 0.0
        return max(0.0, (self.f1_by_sentences[sizes[-1]] - self.f1_by_sentences[sizes[-2]]) / 2)


@dataclass(frozen=True, slots=True)
class Trained:
    """A model of a new language, and how good it is."""

    table: Table
    rivals: tuple[str, ...]
    measured: Measured


def train(
    code: str,
    lines: Sequence[str],
    against: Sequence[str] = (),
    texts: Mapping[str, Sequence[str]] | None = None,
    *,
    name: str = "",
    folder: str = str(MODELS),
) -> Trained:
    """A model of the language of some sentences, cross-validated against rivals.

    `against` are the codes of rivals, picked by likeness where there are none; `texts` are sentences of
    rivals by code, for rivals that no model knows or to try the new one harder. Text that is too little, in
    several scripts, in or mixed with a language that is known already under another code, or that cannot be
    told from its rivals, is refused with the reason, unless the rivals were named.
    """
    candidates = Candidates.of(code, lines, folder, against)
    table = _with_texts(candidates.table(), texts or {}, candidates)
    competition = _Competition(table, candidates, texts or {})
    rivals = competition.rivals(against)
    lift, measured = competition.cross_validated(rivals)
    if measured.f1 < _MIN_F1 and not against:
        raise _not_told_apart(candidates, measured)
    size = len(candidates.lines)
    curve = {n: competition.cross_validated(rivals, n)[1].f1 for n in (size // 4, size // 2) if n >= 50}
    measured = replace(measured, f1_by_sentences={**curve, size: measured.f1})
    return Trained(competition.finished(lift, measured, rivals, name), tuple(rivals), measured)


def _not_told_apart(candidates: Candidates, measured: Measured) -> UserError:
    """The error for sentences that cannot be told from those of other languages."""
    code = candidates.code
    shares = Counter(measured.taken) + Counter(measured.confusions)
    worst = [rival for rival, _ in shares.most_common(3)]
    known = candidates.label in candidates.table().labels
    return UserError(
        f"By these sentences {code} cannot be told from {', '.join(worst)}: F1 {measured.f1:.2f}. "
        "Nothing was kept.",
        (f"{code} is known already: it needs no model of yours. " if known else "")
        + "Look for text of other languages in the file. If they are so near, name them: "
        + " ".join(f"--against {rival}" for rival in worst)
        + ".",
    )


def _with_texts(table: Table, texts: Mapping[str, Sequence[str]], candidates: Candidates) -> Table:
    """The table with a column for each rival that is given as text."""
    labels, columns = [], []
    for code, lines in texts.items():
        counts = count(lines, table.orders, table.bits)
        labels.append(f"{code}-{candidates.script}")
        columns.append(_column(counts, table))
    if not labels:
        return table
    blank = np.zeros(len(labels))
    weights = np.stack(columns, axis=1)
    return table.with_columns(
        [Table("own", tuple(labels), table.orders, table.bits, weights, blank, blank + 1)]
    )


def _column(counts: Counts, table: Table) -> npt.NDArray[np.int8]:
    if table.base is None:
        raise ValueError(f"the table {table.name} has no base to compare a new language with")
    return quantised(columns_of(counts / max(counts.sum(), 1.0), shares_of(table.base), TRUST))


@dataclass(frozen=True, slots=True)
class _Competition:
    """All languages of a script, and the sentences of the new one."""

    table: Table
    candidates: Candidates
    texts: Mapping[str, Sequence[str]]

    def rivals(self, wanted: Sequence[str]) -> list[str]:
        """The labels to be told from: those wanted, or those that score best on the new language's text."""
        own = self.candidates.label
        if wanted:
            return self.candidates.labels_of(wanted, self.table.labels)
        bags = self._bags(self.candidates.lines[:_SENTENCE_BITS])
        means = scores_of(bags, self.table.weights).mean(axis=0)
        order = [self.table.labels[i] for i in np.argsort(-means) if self.table.labels[i] != own]
        # A table of many scripts: those of the same script first.
        order.sort(key=lambda label: not label.endswith(f"-{self.candidates.script}"))
        given = self.candidates.labels_of(list(self.texts), self.table.labels)
        return list(dict.fromkeys([*given, *order[:RIVALS]]))

    def cross_validated(self, rivals: Sequence[str], size: int = 0) -> tuple[int, Measured]:
        """The best lift of the new column, and how held-out sentences are identified with it."""
        lines = self.candidates.lines[:size] if size else self.candidates.lines
        others = [i for i, label in enumerate(self.table.labels) if label != self.candidates.label]
        new, rest, sizes = [], [], []
        foreign = {label: self._foreign(label) for label in rivals}
        against = {label: [np.zeros((0, 2))] for label in rivals}
        for part in range(FOLDS):
            train_on = [line for other in range(FOLDS) if other != part for line in fold(lines, other)]
            column = _column(count(train_on, self.table.orders, self.table.bits), self.table)
            bags = self._bags(fold(lines, part))
            new.append(scores_of(bags, column[:, None])[:, 0])
            rest.append(scores_of(bags, self.table.weights[:, others]))
            sizes.append(np.array([len(bag) for bag in bags]))
            for label, bags_of_rival in foreign.items():
                own = scores_of(bags_of_rival, column[:, None])[:, 0]
                known = scores_of(bags_of_rival, self.table.weights[:, others]).max(axis=1)
                grams = np.array([len(bag) for bag in bags_of_rival])
                against[label].append(np.stack([(known - own) / np.maximum(grams, 1), grams], axis=1))
        best_rest = np.concatenate(rest)
        margins = (np.concatenate(new) - best_rest.max(axis=1)) / np.maximum(np.concatenate(sizes), 1)
        needed = {label: np.concatenate(each)[:, 0] for label, each in against.items()}
        lift = max(_LIFTS, key=lambda each: (_f1(each, margins, needed)[0], -abs(each)))
        f1, precision, recall = _f1(lift, margins, needed)
        lost = margins + lift <= 0
        codes = [self.table.codes[others[i]] for i in best_rest.argmax(axis=1)[lost]]
        return lift, Measured(
            sentences=len(lines),
            f1=f1,
            precision=precision,
            recall=recall,
            confusions=_shares(Counter(codes), len(margins)),
            taken={label.partition("-")[0]: float((each < lift).mean()) for label, each in needed.items()},
        )

    def finished(self, lift: int, measured: Measured, rivals: Sequence[str], name: str) -> Table:
        """The model: the column of all sentences, lifted, its usual fit, and the answers of CLD2 to check."""
        lines, table = self.candidates.lines, self.table
        column = _column(count(lines, table.orders, table.bits), table).astype(np.int16) + lift
        fits = []
        for part in range(FOLDS):
            train_on = [line for other in range(FOLDS) if other != part for line in fold(lines, other)]
            held = _column(count(train_on, table.orders, table.bits), table)
            bags = self._bags(list(joined(fold(lines, part), 200)))
            grams = np.array([max(len(bag), 1) for bag in bags])
            fits += list(scores_of(bags, held[:, None])[:, 0] / grams + lift)
        usual, spread = unseen_spread(fits)
        notes = {
            "code": self.candidates.code,
            "name": name,
            "script": table.name,
            "sentences": len(lines),
            "f1": round(measured.f1, 4),
            "rivals": [label.partition("-")[0] for label in rivals],
            "confusions": dict(measured.confusions),
        }
        return Table(
            name=self.candidates.code,
            labels=(self.candidates.label,),
            orders=table.orders,
            bits=table.bits,
            weights=np.clip(column, -127, 127).astype(np.int8)[:, None],
            usual=np.array([usual]),
            spread=np.array([spread]),
            calls=self._calls(),
            notes=notes,
        )

    def _calls(self) -> frozenset[str]:
        """The answers that CLD2 gives for the new language's text."""
        texts = list(joined(self.candidates.lines[:1000], 200))
        answers = Counter(Cld2()([text])[0].language for text in texts)
        calls = {code for code, size in answers.items() if size >= _MIN_CALL_SHARE * len(texts)}
        return frozenset(calls - {UNDETERMINED})

    def _bags(self, lines: Sequence[str]) -> list[Bag]:
        return [bag_of(line, self.table.orders, self.table.bits) for line in lines]

    def _foreign(self, label: str) -> list[Bag]:
        code = label.partition("-")[0]
        if code in self.texts:
            return self._bags(list(self.texts[code])[:_SENTENCE_BITS])
        return self.candidates.probes().get(label, [])


def _f1(lift: float, margins: Counts, needed: Mapping[str, Counts]) -> tuple[float, float, float]:
    """F1, precision and recall of a new language with a lift, as if every rival had as many texts as it."""
    recall = float((margins + lift > 0).mean())
    taken = sum(float((each < lift).mean()) for each in needed.values() if len(each))
    precision = recall / (recall + taken) if recall + taken else 0.0
    total = precision + recall
    return (2 * precision * recall / total if total else 0.0), precision, recall


def _shares(counts: Counter[str], total: int) -> dict[str, float]:
    return {code: round(size / max(total, 1), 4) for code, size in counts.most_common(8)}
