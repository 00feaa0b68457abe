"""Fingerprints last: they change when a result would, and for no other reason."""

import json
from dataclasses import dataclass, field, make_dataclass
from enum import Enum
from pathlib import Path

import pytest

import corpulyzer
from corpulyzer.corpus.settings.config import keys, merge
from corpulyzer.dedup.near.method import SignDocuments
from corpulyzer.dedup.near.simhash import SimHash
from corpulyzer.dedup.near.text_profile import TextProfile
from corpulyzer.engine.derived import Part
from corpulyzer.jobs.crawl.phases import made_by
from corpulyzer.jobs.dedup.run import wanted_of
from corpulyzer.page.pipeline import fingerprints
from corpulyzer.records.fingerprint import METHOD_VERSIONS, VERSIONS, fingerprint

EARLIER = json.loads((Path(__file__).parent.parent / "data" / "earlier" / "settings.json").read_text("utf-8"))


class Unit(Enum):
    BYTES = "bytes"


@dataclass(frozen=True)
class Inner:
    unit: Unit = Unit.BYTES
    share: float = 1.0


@dataclass(frozen=True)
class Size:
    min_bytes: int = 256
    words: tuple[str, ...] = ()
    inner: Inner = field(default_factory=Inner)
    made_for: str = field(default="", compare=False)


def mark(settings, **versions):
    return fingerprint("filter", settings, {"filter": 1, **versions})


def config(**values):
    flags = {key.replace("__", "."): value for key, value in values.items()}
    return merge("", "settings", {"corpus.language": "urd", **flags}, {})[0]


def test_equal_settings_have_equal_fingerprints():
    assert mark(Size(3, ("a",))) == mark(Size(3, ("a",)))
    assert mark({"a": 1, "b": {2, 1}}) == mark({"b": {1, 2}, "a": 1.0})
    assert mark(Size(made_for="a file")) == mark(Size())


def test_a_class_may_get_another_name():
    renamed = make_dataclass("Renamed", [("min_bytes", int, 256), ("words", tuple, ())], frozen=True)
    assert mark(renamed(3, ("a",))) == mark(Size(3, ("a",)))


def test_a_new_setting_at_its_default_makes_nothing_again():
    older = make_dataclass("Size", [("min_bytes", int, 256)], frozen=True)
    assert mark(older(3)) == mark(Size(3))
    assert mark({"size": older()}) == mark({"size": Size()})


@pytest.mark.parametrize(
    "other", [Size(4), Size(3, ("b",)), Size(3, ("a", "b")), Size(3, ("a",), Inner(share=0.5))], ids=repr
)
def test_another_value_gives_another_fingerprint(other):
    assert mark(other) != mark(Size(3, ("a",)))


def test_a_stage_whose_version_is_raised_makes_everything_again():
    assert mark(Size(), filter=2) != mark(Size())


def test_what_has_no_lasting_form_is_refused():
    with pytest.raises(TypeError, match="cannot be part of a fingerprint"):
        mark({"classifier": test_what_has_no_lasting_form_is_refused})


def test_a_release_makes_nothing_again(monkeypatch):
    before = fingerprints(config()), made_by(config())
    monkeypatch.setattr(corpulyzer, "__version__", "99.0")
    assert (fingerprints(config()), made_by(config())) == before


def test_fingerprints_are_those_that_stand_in_corpora_already():
    """If this fails, all corpora will be made again. Is that what you want, and is a version raised for it?"""
    raised = {stage: version for stage, version in VERSIONS.items() if version > 1}
    known = {
        "index": 2,
        "extract": 5,
        "identify": 3,
        "frontier": 5,
        "duplicates": 2,
        "passages": 2,
        "annotations": 2,
        "text_counts": 3,
        "analysis": 3,
    }
    assert raised == known, "write down here the fingerprints of the new versions"
    assert fingerprints(config()) == {
        "extract": "69a9b34aab16e27e",
        "identify": "fc3540b8e3ba719c",
        "filter": "a312174a552dffc1",
    }
    assert made_by(config()) == "cb50fcd3f0f77480"


def test_no_default_changes_unnoticed():
    """A value that is the default is no part of fingerprints. Where one changes, its stage's version goes up."""
    now = {key.name: key.default for key in keys()}
    same = {
        name: list(now[name]) if isinstance(now[name], tuple) else now[name] for name in EARLIER["defaults"]
    }
    assert same == EARLIER["defaults"], "raise the version of the stage, and write the new default down there"


@pytest.mark.parametrize(
    "values, group",
    [
        ({"extract__method": "justext"}, "extract"),
        ({"label__license__method": "off"}, "extract"),
        ({"filter__received": ["mime", "hosts", "raw_size"]}, "extract"),
        ({"filter__mime__types": ["text/html"]}, "extract"),
        ({"opt_outs__nofollow": False}, "extract"),
        ({"identify__method": "cld2"}, "identify"),
        ({"corpus__language": "pan"}, "identify"),
        ({"filter__length__min_words": 61}, "filter"),
        ({"filter__document": ["content_size"]}, "extract"),
        ({"filter__document": ["machine_translation", "length"]}, "filter"),
        ({"opt_outs__noindex": True}, "filter"),
    ],
    ids=str,
)
def test_documents_are_stale_from_the_first_group_that_has_other_settings(values, group):
    before, after = fingerprints(config()), fingerprints(config(**values))
    assert next(name for name in before if before[name] != after[name]) == group


def test_two_methods_at_their_defaults_are_told_apart():
    part = Part("round=00000/a.00000.parquet", "documents/round=00000/a.00000.parquet", "0123", 3)
    by_simhash = wanted_of(SignDocuments(SimHash()), [part])
    assert by_simhash != wanted_of(SignDocuments(TextProfile()), [part])
    assert by_simhash != wanted_of(SignDocuments(SimHash()), [part._replace(version="4567")])


def test_a_method_whose_version_is_raised_makes_its_own_corpora_again_and_no_others(monkeypatch):
    before = {method: fingerprints(config(identify__method=method)) for method in ("markov", "cld2")}
    monkeypatch.setitem(METHOD_VERSIONS, "identify.markov", METHOD_VERSIONS["identify.markov"] + 1)
    after = {method: fingerprints(config(identify__method=method)) for method in ("markov", "cld2")}
    assert after["cld2"] == before["cld2"]
    assert {group for group in after["markov"] if after["markov"][group] != before["markov"][group]} == {
        "identify",
        "filter",
    }
