"""Floors of identification on text that the tables have not seen, from other sources where there are two.

Each source is held out in turn: a language that has 300 lines or more elsewhere is learned without it, any
other from four fifths of it and tested on the fifth. All answers are the ensemble's, open to all languages.
"""

import json
import shutil
from collections import Counter
from random import Random

import pytest

from corpulyzer.lab.evaluate.identification import Evaluation
from corpulyzer.lab.evaluate.unseen import cross_source
from corpulyzer.page.identify.ensemble import Ensemble, forget_models, groups
from corpulyzer.page.identify.installed import install
from corpulyzer.page.identify.table import load, save
from corpulyzer.page.identify.training.build import background_for
from corpulyzer.page.identify.training.recipe import MODELS, PLANS, gather, group_table, lessons_for
from corpulyzer.page.identify.training.samples import PARAGRAPH_CHARACTERS, Sample, joined
from corpulyzer.page.identify.training.train import train

pytestmark = pytest.mark.slow

PARAGRAPH = 300
# A little below what was reached, for other machines; what is asked for is .85, .98, .98 and .99 of the targets.
FLOORS = {
    "south-slavic": {"hrv": 0.89, "slv": 0.99, "mkd": 0.99, "srp": 0.96, "bos": 0.8},
    "nguni": {"xho": 0.985, "zul": 0.955, "ssw": 0.99, "nbl": 0.92, "nya": 0.99},
    "arabic-script": {
        "urd": 0.995,
        "pnb": 0.93,
        "skr": 0.985,
        "kas": 0.99,
        "snd": 0.99,
        "fas": 0.73,
        "pus": 0.99,
        "ara": 0.985,
        "ckb": 0.99,
    },
    "czech-slovak": {"ces": 0.99, "slk": 0.99},
    "malay": {"ind": 0.945, "msa": 0.92},
    "scandinavian": {"nob": 0.98, "nno": 0.98, "dan": 0.99, "swe": 0.99},
}
# Croatian of each source with 300 lines, held out: none may pay for another.
CROATIAN_BY_SOURCE = {"flores": 0.9, "commonvoice": 0.87}
# All languages with 600 lines of Common Voice that CLD2 and the groups lack, but for Twi, which is Akan. Those of
# which there is no news are tested on more of their sentences, the others on news of another spelling as well.
NEW = "ast bas chv cnh dyu kab kur mdf mrj myv nan quy sah srd tig tok vot yue zgh zza".split()
WITHOUT_NEWS = set(NEW) - set("ast dyu kab kur quy srd yue".split())
NEAR = {"dyu": ["bam"], "yue": ["zho"]}
SENTENCES = 500


@pytest.fixture(scope="module")
def samples(shared_data):
    return gather(shared_data("lid.tar.gz"))


@pytest.fixture(scope="module")
def unseen(samples, tmp_path_factory):
    return cross_source(samples, tmp_path_factory.mktemp("held-out"))


def labels_of(group):
    return next(plan.labels for plan in PLANS if plan.name == group)


@pytest.mark.parametrize("group, code", [(group, code) for group, codes in FLOORS.items() for code in codes])
def test_paragraphs_of_an_unseen_source_are_told_apart(unseen, group, code):
    assert unseen.of("ensemble", "paragraph", labels_of(group)).of(code).f1 >= FLOORS[group][code]


@pytest.mark.parametrize("source", CROATIAN_BY_SOURCE)
def test_croatian_is_told_apart_in_every_source(unseen, source):
    found = unseen.of("ensemble", "paragraph", labels_of("south-slavic"), source)
    assert found.of("hrv").f1 >= CROATIAN_BY_SOURCE[source]


@pytest.mark.parametrize("group, code", [("south-slavic", "hrv"), ("nguni", "xho"), ("arabic-script", "urd")])
def test_cld2_alone_is_worse(unseen, group, code):
    ours, theirs = (
        unseen.of(name, "paragraph", labels_of(group)).of(code).f1 for name in ("ensemble", "cld2")
    )
    assert ours > theirs + 0.05


def test_sentences_of_isixhosa_are_told_from_its_neighbours(unseen):
    assert unseen.of("ensemble", "sentence", labels_of("nguni")).of("xho").f1 >= 0.92


@pytest.mark.parametrize("rival", ["pnb", "skr", "kas"])
def test_rivals_of_urdu_are_seldom_taken_for_it(unseen, rival):
    found = unseen.of("ensemble", "paragraph", labels_of("arabic-script"))
    assert rival in found.codes and found.of("urd").false_positives.get(rival, 0.0) <= 0.05


def test_urdu_is_found(unseen):
    assert unseen.of("ensemble", "paragraph", labels_of("arabic-script")).of("urd").recall >= 0.99


@pytest.mark.parametrize(
    "level, accuracy, macro_f1", [("paragraph", 0.975, 0.968), ("sentence", 0.945, 0.945)]
)
def test_all_languages_of_the_widest_source_are_told_better_than_by_cld2(unseen, level, accuracy, macro_f1):
    ours, theirs = (unseen.of(name, level, source="flores") for name in ("ensemble", "cld2"))
    assert len(ours.codes) > 180 and ours.accuracy >= accuracy and ours.macro_f1 >= macro_f1
    assert ours.accuracy > theirs.accuracy and ours.macro_f1 > theirs.macro_f1


def test_the_targets_hold_among_all_languages(unseen):
    among_all = unseen.of("ensemble", "paragraph", source="flores")
    for code, floor in {"hrv": 0.89, "slv": 0.98, "xho": 0.98, "urd": 0.99}.items():
        assert among_all.of(code).f1 >= floor, code


def without_languages(codes, folder):
    """The models that ship but for some languages, which no group may have, in a folder of their own."""
    shutil.copytree(MODELS, folder)
    for file in folder.glob("all-*.table"):
        table = load(file)
        kept = [number for number, code in enumerate(table.codes) if code not in codes]
        save(table.only(kept), file, level=1)
    hidden = json.loads((folder / "answers.json").read_text("utf-8"))
    left = {label: instead for label, instead in hidden.items() if label.partition("-")[0] not in codes}
    (folder / "answers.json").write_text(json.dumps(left), "utf-8")
    return folder


def new_languages(lessons, tests, folder, against):
    """What paragraphs come out as after languages that the models did not know were learned from sentences.

    `against` are rivals by code, for those that are to be named.
    """
    models = str(without_languages(lessons.keys(), folder / "models"))
    own = [_learned(code, lines, folder, against.get(code, ())) for code, lines in lessons.items()]
    identifier = Ensemble(models=tuple(own), folder=models)
    answers = Counter()
    for sample in tests:
        texts = joined(sample.lines, PARAGRAPH_CHARACTERS)
        answers.update((sample.code, identifier([text])[0].language) for text in texts)
    forget_models()
    return Evaluation("ensemble", answers, 0, 0.0)


def _learned(code, lines, folder, against):
    trained = train(code, lines, against, folder=str(folder / "models"))
    return str(install(trained.table, folder / "own"))


def test_new_languages_are_known_after_five_hundred_sentences(samples, tmp_path):
    lessons, tests = {}, [sample for sample in samples if sample.source == "flores"]
    for sample in (each for each in samples if each.source == "commonvoice" and each.code in NEW):
        lines = list(sample.lines)
        Random(1).shuffle(lines)
        lessons[sample.code] = lines[:SENTENCES]
        rest = tuple(line for line in lines[SENTENCES:] if line not in lessons[sample.code])
        tests.append(Sample(sample.code, sample.script, sample.source, rest))
    assert sorted(lessons) == NEW
    found = new_languages(lessons, tests, tmp_path, NEAR)
    reached = {code for code in NEW if found.of(code).f1 >= 0.965}
    assert reached >= WITHOUT_NEWS and len(WITHOUT_NEWS) == 13
    assert len(reached) >= 18, {code: found.of(code).f1 for code in NEW}
    assert all(found.of(code).f1 >= 0.97 for code in WITHOUT_NEWS)


def test_the_shipped_tables_are_those_of_the_recipe(samples):
    """What ships was made by this recipe from these texts, not by hand."""
    shipped = {table.name: table for table in groups()}
    plan = next(plan for plan in PLANS if plan.name == "nguni")
    made = group_table(plan, lessons_for(plan, samples).counts(), background_for(plan, samples))
    assert (made.weights == shipped["nguni"].weights).mean() > 0.999


def test_unknown_languages_are_seldom_taken_for_a_target(samples):
    """Of the languages that only `udhr` has, none is in the tables: they must not become Croatian or Urdu."""
    known = {sample.code for sample in samples if sample.source != "udhr"} | {"pnb"}
    strangers = [sample for sample in samples if sample.code not in known]
    texts = [text for sample in strangers for text in list(joined(sample.lines, PARAGRAPH))[:2]]
    found = Counter(each.language for each in (Ensemble()([text])[0] for text in texts))
    assert found["und"] >= 0.5 * len(texts)
    for target in ("hrv", "slv", "xho", "urd"):
        assert found[target] <= 0.005 * len(texts), target
