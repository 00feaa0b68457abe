"""From folders of sentences to the files in `models`: tables, the answers at which they are asked, scores."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from corpulyzer.page.identify.cld2 import Cld2, iso639_3
from corpulyzer.page.identify.table import Table, save
from corpulyzer.page.identify.training.calibrate import calibrated, held_out_scores
from corpulyzer.page.identify.training.chain import markov_table
from corpulyzer.page.identify.training.learn import Counts
from corpulyzer.page.identify.training.probes import save_probes
from corpulyzer.page.identify.training.recipe import (
    NEAR,
    PLANS,
    SCRIPTS,
    GroupPlan,
    Lessons,
    background_of,
    file_of,
    gather,
    group_table,
    lessons_for,
    wide_lessons,
    wide_table,
)
from corpulyzer.page.identify.training.samples import Sample, joined, orthographies, read_lines
from corpulyzer.page.identify.training.short import WRITTEN
from corpulyzer.page.identify.training.train import train
from corpulyzer.page.identify.training.words import NO_WORDS, Words
from corpulyzer.records import UNDETERMINED

Answers = dict[str, dict[str, float]]

WIDE_ORDERS, WIDE_BITS = (0, 3), 14
# A group is asked at an answer that CLD2 gives to at least this share of a member's paragraphs.
_MIN_CALL_SHARE = 0.02
_BAND_PERCENTILES = (1.0, 99.0)
_MIN_BAND_TEXTS = 40
_PROBE_LINES, _PROBE_CHARACTERS, _PROBES = 24, 100, 4


Say = Callable[[str], None]


def build(folder: Path, words: Words, models: Path, say: Say, only: Sequence[str] = ()) -> None:
    """Make every model that ships, from the sets in `folder` and common words; or `only` some groups."""
    samples = gather(folder)
    if only:
        answers = json.loads((models / "answers.json").read_text("utf-8"))
        build_groups(samples, answers, words, models, say, only)
    else:
        build_from(samples, words, models, say)


def build_from(samples: Sequence[Sample], words: Words, models: Path, say: Say) -> None:
    """Make every model that ships, from some samples and common words."""
    say(f"{len(samples)} samples, {sum(len(sample.lines) for sample in samples):,} lines")
    bands = usual_scores(samples)
    (models / "bands.json").write_text(_json_lines(bands), "utf-8")
    answers = answers_instead(samples)
    (models / "answers.json").write_text(_json_lines(answers), "utf-8")
    build_groups(samples, answers, words, models, say)
    save(pidgin(), models / "target-pcm.table")
    save(markov_table(samples), models / "markov.table")
    for script in (*SCRIPTS, ""):
        probes, rest = set_aside(samples, script)
        table = trained_wide(script, rest)
        save(table, models / f"all-{script or 'other'}.table")
        save_probes(probes, models / f"all-{script or 'other'}.probes", WIDE_ORDERS, WIDE_BITS)
        say(f"{script or 'other scripts'}: {len(table.labels)} labels")


def build_groups(
    samples: Sequence[Sample],
    answers: Answers,
    words: Words,
    models: Path,
    say: Say,
    only: Sequence[str] = (),
) -> None:
    """Make the tables of look-alikes, or those of `only` some groups, and the list of what calls for them."""
    calls = {}
    for plan in (*PLANS, *NEAR):
        own = calls_for(plan, answers) if plan in PLANS else frozenset[str]()
        if plan in PLANS:
            scripts = dict.fromkeys(label.partition("-")[2] for label in plan.labels)
            calls[plan.name] = {"scripts": list(scripts), "calls": sorted(own)}
        if not only or plan.name in only:
            table = replace(trained_group(plan, samples, words), calls=own)
            save(table, models / file_of(plan))
            say(f"{plan.name}: {', '.join(table.labels)}; called by {', '.join(sorted(own)) or 'none'}")
    (models / "calls.json").write_text(_json_lines(calls), "utf-8")


def trained_group(plan: GroupPlan, samples: Sequence[Sample], words: Words = NO_WORDS) -> Table:
    """The table of a group, calibrated."""
    lessons = lessons_for(plan, samples)
    background = background_for(plan, samples)
    table = group_table(plan, lessons.counts(), background, words)
    tests = held_out_scores(lessons, lambda part: group_table(plan, part, background, words))
    return calibrated(table, tests)


def background_for(plan: GroupPlan, samples: Sequence[Sample]) -> Counts:
    """The n-grams of text in the scripts of a group, whatever its language."""
    scripts = {label.partition("-")[2] for label in plan.labels}
    every = (*samples, *orthographies(samples))
    some = [replace(sample, lines=sample.lines[:200]) for sample in every if sample.script in scripts]
    return background_of(Lessons(tuple(some), plan.orders, plan.bits).counts())


def trained_wide(script: str, samples: Sequence[Sample]) -> Table:
    """The table of all languages of a script, calibrated."""
    lessons = wide_lessons(samples, script, WIDE_ORDERS, WIDE_BITS)
    name = script or "other"
    table = wide_table(name, lessons.counts(), WIDE_ORDERS, WIDE_BITS)
    tests = held_out_scores(lessons, lambda part: wide_table(name, part, WIDE_ORDERS, WIDE_BITS))
    return calibrated(table, tests)


def pidgin() -> Table:
    """The model of Nigerian Pidgin, from hand-written sentences, as a user would teach it.

    It is asked where Pidgin is the target alone: beside it, English would be doubtful on every page.
    """
    return train("pcm", read_lines(WRITTEN / "pcm.txt"), against=("eng",)).table


def set_aside(samples: Sequence[Sample], script: str) -> tuple[dict[str, list[str]], list[Sample]]:
    """A few texts of each language of a script, to ship as probes, and the samples without them."""
    probes: dict[str, list[str]] = defaultdict(list)
    rest = []
    for sample in wide_lessons(samples, script, WIDE_ORDERS, WIDE_BITS).samples:
        few = list(joined(sample.lines[:_PROBE_LINES], _PROBE_CHARACTERS))[:_PROBES]
        enough = sample.source != "udhr" and len(probes[sample.label]) + len(few) <= 2 * _PROBES
        if enough:
            probes[sample.label] += few
        rest.append(replace(sample, lines=sample.lines[_PROBE_LINES:]) if enough else sample)
    return dict(probes), rest


def calls_for(plan: GroupPlan, answers: Answers) -> frozenset[str]:
    """The members of a group, and what CLD2 calls them."""
    members = {label.partition("-")[0] for label in plan.members}
    instead = {code for label in plan.members for code in answers.get(label, {})}
    others = {label.partition("-")[0] for other in PLANS if other != plan for label in other.members}
    return frozenset((members | instead) - {"eng"} - others)


def answers_instead(samples: Sequence[Sample]) -> Answers:
    """What CLD2 calls each language that a table knows, other than by its name and with a usual score."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    known = {sample.label for sample in samples if sample.source != "udhr"}
    for sample in samples:
        if sample.label in known:
            for text in joined(sample.lines[:600], 200):
                (found,), unusual = Cld2().look([text])
                # An answer with an unusual score is always checked, so it counts as none.
                counts[sample.label][UNDETERMINED if found.language in unusual else found.language] += 1
    return {
        label: {
            answer: round(size / each.total(), 3)
            for answer, size in each.most_common()
            if size >= max(2, _MIN_CALL_SHARE * each.total())
            and answer not in (label.partition("-")[0], UNDETERMINED)
        }
        for label, each in sorted(counts.items())
    }


def usual_scores(samples: Sequence[Sample]) -> dict[str, list[float]]:
    """Between which scores of CLD2 nearly all paragraphs of a language lie, by CLD2's code."""
    import pycld2

    scores: dict[str, list[float]] = defaultdict(list)
    # The scores of one declaration are no measure of a language.
    known = {sample.label for sample in samples if sample.source != "udhr"}
    for sample in (each for each in samples if each.label in known):
        for text in joined(sample.lines[:600], 300):
            try:
                *_, summary = pycld2.detect(text, isPlainText=True)
            except pycld2.error:
                continue
            _, code, share, score = summary[0]
            if share > 80 and iso639_3(code) == sample.code:
                scores[code].append(score)
    return {
        code: [round(float(x), 1) for x in np.percentile(each, _BAND_PERCENTILES)]
        for code, each in sorted(scores.items())
        if len(each) >= _MIN_BAND_TEXTS
    }


def _json_lines(table: Mapping[str, object]) -> str:
    rows = ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in table.items())
    return f"{{\n{rows}\n}}\n"
