"""How tables are learned: what a source explains is not learned of its language."""

import numpy as np
import pytest

from corpulyzer.errors import UserError
from corpulyzer.page.identify.guess import shipped
from corpulyzer.page.identify.training.calibrate import logistic
from corpulyzer.page.identify.training.learn import contrast, count, likeness, rarity, shares_of
from corpulyzer.page.identify.training.recipe import FOLDS, Lessons, fold, gather, without
from corpulyzer.page.identify.training.samples import Sample, code_in, joined, read_folder
from corpulyzer.page.identify.training.short import beside_look_alikes

NEWS, TALK = "virus vlada izbori", "dobar dan hvala"


def counts(**texts):
    return {tuple(key.split("_")): count([text], (0,), 8) for key, text in texts.items()}


def bucket(word):
    return int(count([word], (0,), 8).argmax())


def test_the_topics_of_a_source_are_not_learned_of_its_language():
    found = counts(
        hr_news=f"{NEWS} tko",
        bs_news=f"{NEWS} ko",
        hr_talk=f"{TALK} tko",
        sr_talk=f"{TALK} ko",
    )
    weights = contrast(found, ["hr", "bs", "sr"], alone=0.0)
    assert abs(weights[bucket("virus")] @ [0, 1, 0]) < 0.1, "all of the source have it"
    assert weights[bucket("tko"), 0] > 0.2 > weights[bucket("tko"), 1]
    alone = contrast(counts(hr_talk=TALK, bs_news=NEWS), ["hr", "bs"], alone=0.0)
    assert np.allclose(alone, 0), "a source with one language says nothing of it"


def test_likeness_is_measured_against_any_text():
    found = counts(hr_a="tko tko dan", en_a="who who day")
    background = sum(found.values())
    weights = likeness(found, ["hr", "en"], background)
    assert weights[bucket("tko"), 0] > 0 > weights[bucket("tko"), 1]
    assert np.allclose(shares_of(rarity(background))[bucket("tko")], 2 / 6, rtol=0.07)


def sample(code, source, lines):
    return Sample(code, "Latn", source, tuple(f"{code} {source} {i}" for i in range(lines)))


def test_a_source_is_held_out_whole_where_there_is_another_of_some_size():
    samples = [
        sample("hrv", "a", 500),
        sample("hrv", "b", 300),
        sample("bos", "a", 500),
        sample("bos", "c", 60),
    ]
    train, test = without(samples, "a", 2)
    kept = {(s.code, s.source): len(s.lines) for s in train}
    assert kept == {("hrv", "b"): 300, ("bos", "a"): 400, ("bos", "c"): 60}
    assert {s.code: len(s.lines) for s in test} == {"hrv": 100, "bos": 100}
    seen = {line for s in train for line in s.lines}
    assert not seen & {line for s in test for line in s.lines}
    lessons = Lessons(tuple(samples), (0,), 8)
    assert lessons.crossed("hrv-Latn", "a") and not lessons.crossed("bos-Latn", "a")
    assert set(lessons.counts(("a", 2))) == set(kept_labels(kept))


def kept_labels(kept):
    return [(f"{code}-Latn", source) for code, source in kept]


def test_folds_are_stretches_that_cover_all():
    lines = list(range(13))
    assert [x for part in range(FOLDS) for x in fold(lines, part)] == lines


def test_files_are_mapped_whatever_script_or_region_their_names_carry(tmp_path):
    for name in ("arb_Arab", "zho-CN", "nob-NO", "srp", "acu@acu_1"):
        (tmp_path / f"{name}.txt").write_text("Ово је реченица.\n\n  \nDruga\n", "utf-8")
    assert [s.code for s in read_folder(tmp_path)] == ["acu", "ara", "nob", "srp", "zho"]
    assert code_in("kas_Deva") == "kas"
    with pytest.raises(UserError, match="begins with no language code"):
        code_in("README")


def test_serbian_is_learned_in_both_scripts_and_what_is_misfiled_goes_where_it_belongs(tmp_path):
    (tmp_path / "udhr").mkdir()
    (tmp_path / "udhr" / "srp.txt").write_text("Њих љуља џеп.\n", "utf-8")
    (tmp_path / "udhr" / "nbl.txt").write_text("Loba kufanele\n", "utf-8")
    found = {s.label: s.lines for s in gather(tmp_path)}
    assert found == {
        "nde-Latn": ("Loba kufanele",),
        "srp-Cyrl": ("Њих љуља џеп.",),
        "srp-Latn": ("Njih ljulja džep.",),
    }


def test_lines_are_joined_to_paragraphs():
    assert [len(text) for text in joined(["x" * 40] * 10, 100)] == [122, 122, 122]


def test_a_margin_becomes_a_chance():
    rng = np.random.default_rng(0)
    x = rng.normal(0, 3, 4000)
    y = (rng.random(4000) < 1 / (1 + np.exp(-(0.8 * x - 0.5)))).astype(float)
    slope, intercept = logistic(x, y)
    assert slope == pytest.approx(0.8, abs=0.1) and intercept == pytest.approx(-0.5, abs=0.15)


def test_what_counts_nothing_does_not_change_a_chance():
    x, y = np.array([-2.0, -1.0, 1.0, 2.0] * 50), np.array([0.0, 1.0, 0.0, 1.0] * 50)
    more = np.concatenate([x, x]), np.concatenate([y, 1 - y]), np.repeat([1.0, 0.0], len(x))
    assert logistic(*more) == pytest.approx(logistic(x, y))


def test_a_chance_is_fitted_on_look_alikes_as_often_as_they_are_likely():
    counted = dict(zip(shipped().codes, beside_look_alikes(shipped()), strict=True))
    assert counted["fas"] == counted["hrv"] == counted["deu"] == counted["lim"] == 1.0
    assert counted["prs"] == pytest.approx(np.exp(-1.5)) and counted["bos"] == pytest.approx(np.exp(-0.6))
