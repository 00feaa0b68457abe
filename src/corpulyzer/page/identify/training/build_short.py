"""From folders of sentences to the table of short text, and to what every language was measured on.

The ensemble is one witness of three, so its tables are made again without the fifths of the sources that the
lines to tune and to measure on lie in.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from corpulyzer.page.identify.ensemble import Ensemble, forget_models
from corpulyzer.page.identify.guess import Short, with_pidgin
from corpulyzer.page.identify.table import Table, save
from corpulyzer.page.identify.training.crops import to_measure
from corpulyzer.page.identify.training.held_out import held_out
from corpulyzer.page.identify.training.recipe import FOLDS
from corpulyzer.page.identify.training.samples import Sample
from corpulyzer.page.identify.training.short import (
    WRITTEN_ONLY,
    beforehand,
    lessons_of,
    mix,
    table_of,
    texts_to_tune_on,
    vectors_of,
)

# Whole languages of a source are measured on; a source that only some were learned from is left out.
SOURCES = ("commonvoice", "flores")
_MOST_TESTED = 200
_CONFUSIONS = 3
Words = Mapping[str, Mapping[str, float]]


def build_short(
    samples: Sequence[Sample],
    words: Words,
    models: Path,
    say: Callable[[str], None],
    learned: Table | None = None,
    unseen: Sequence[Sample] = (),
) -> None:
    """Make the table of short text and the measurements, from samples and common words.

    `learned` is a table that is mixed anew, if any; `unseen` are samples of sources that nothing was made
    from.
    """
    if learned is None:
        lessons = lessons_of(samples, words)
        learned = table_of(lessons, vectors_of(lessons))
        say(f"{len(lessons)} labels, {sum(map(len, learned.notes['answers']))} rows of answers")
    table = replace(learned, notes={**learned.notes, **beforehand(learned.notes["labels"])})
    with TemporaryDirectory() as folder:
        ensembles = dict(_ensembles(samples, Path(folder)))
        shorts = {source: Short(table, each.folder) for source, each in ensembles.items()}
        rows = [
            (sample.code, text, ensembles[sample.source]([text])[0], shorts[sample.source].told(text))
            for sample, text in texts_to_tune_on(samples, table.notes["labels"])
            if sample.source in ensembles
        ]
        table = replace(table, notes={**table.notes, "mix": mix(Short(table), rows)})
        say(f"tuned on {len(rows):,} texts: {table.notes['mix']}")
        save(table, models / "short.table")
        found = measured(table, [*samples, *unseen], ensembles)
    (models / "measured.json").write_text(_json_lines(found), "utf-8")
    forget_models()


def _ensembles(samples: Sequence[Sample], folder: Path) -> Iterator[tuple[str, Ensemble]]:
    """By source an ensemble that has not seen the last fifth of it."""
    for held in held_out(samples, folder, SOURCES, (FOLDS - 1,)):
        yield held.source, with_pidgin(Ensemble(folder=str(held.folder)))


Measured = dict[str, dict[str, dict[str, object]]]


def measured(table: Table, samples: Sequence[Sample], ensembles: Mapping[str, Ensemble]) -> Measured:
    """By language and source: single sentences, how many were told rightly, and the wrong answers."""
    answers: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    shipped = with_pidgin(Ensemble())
    shorts = {each.folder: Short(table, each.folder) for each in (shipped, *ensembles.values())}
    for sample in samples:
        if sample.source == "udhr" and sample.label not in WRITTEN_ONLY:
            continue
        lines = to_measure(sample.lines) if sample.source in ensembles else list(sample.lines)
        ensemble = ensembles.get(sample.source, shipped)
        short = shorts[ensemble.folder]
        for line in lines[:_MOST_TESTED]:
            (guess,) = short([line], ensemble([line]))
            answers[sample.code][sample.source][guess.code] += 1
    return {
        code: {source: _summed(code, counts) for source, counts in sorted(by_source.items())}
        for code, by_source in sorted(answers.items())
    }


def _summed(code: str, counts: Counter[str]) -> dict[str, object]:
    wrong = [(other, size) for other, size in counts.most_common() if other != code]
    return {"texts": counts.total(), "right": counts[code], "wrong": dict(wrong[:_CONFUSIONS])}


def _json_lines(table: Mapping[str, object]) -> str:
    rows = ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in table.items())
    return f"{{\n{rows}\n}}\n"
