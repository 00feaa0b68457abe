"""`init` for one language, and for several."""

import json

import pytest
from typer.testing import CliRunner

from corpulyzer.api.corpus import open_corpus
from corpulyzer.cli import app
from corpulyzer.errors import UserError


def run(*arguments):
    return CliRunner().invoke(app, [*map(str, arguments)])


def test_several_languages_are_named_by_an_option_and_the_folder_comes_alone(tmp_path):
    done = run("init", "--languages", "hr, slv,srp-Latn", tmp_path / "web", "--json")
    assert done.exit_code == 0, done.output
    assert [it["code"] for it in json.loads(done.stdout)["languages"]] == ["hrv", "slv", "srp"]
    corpus = open_corpus(tmp_path / "web")
    assert corpus.config.corpus.languages == ("hrv", "slv", "srp-Latn")
    assert corpus.targets.of_document("srp").script == "Latn"


def test_all_languages_and_a_set_of_one(tmp_path):
    assert run("init", "--languages", "all", tmp_path / "all").exit_code == 0
    assert open_corpus(tmp_path / "all").targets.codes == ("all",)
    assert run("init", "--languages", "ALL", tmp_path / "upper").exit_code == 0
    assert open_corpus(tmp_path / "upper").targets.languages == ()
    assert run("init", "--languages", "urd", tmp_path / "urd").exit_code == 0
    assert run("init", "urd", tmp_path / "other" / "urd").exit_code == 0
    texts = [(tmp_path / place / "corpulyzer.toml").read_text() for place in ("urd", "other/urd")]
    assert texts[0] == texts[1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "no language to make a corpus for"),
        (("--languages", "hrv,slv", "xho", "web"), "'xho' is named beside --languages"),
        (("--languages", "hrv,hr", "web"), "names hrv twice: hrv and hr"),
        (("--languages", "srp-Cyrl,srp-Latn", "web"), "names srp twice: srp-Cyrl and srp-Latn"),
        (("--languages", "all,hrv", "web"), "names all languages and others"),
        (("--languages", "hrv,nosuch", "web"), "nosuch"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = run("init", *arguments).exception
    assert isinstance(found, UserError) and said in found.message
    assert list(tmp_path.iterdir()) == []


def test_config_prints_the_settings_of_a_language_with_their_origin(tmp_path):
    run("init", "--languages", "hrv,slv", tmp_path / "web")
    with open(tmp_path / "web" / "corpulyzer.toml", "a") as file:
        file.write("\n[language.slv]\nfilter.length.min_words = 9\n")
    for code, value, origin in (("slv", 9, "[language.slv]"), ("hrv", 60, "default")):
        key = "filter.length.min_words"
        done = run("config", "--language", code, "--explain", key, "--json", "-p", tmp_path / "web")
        (found,) = json.loads(done.stdout)
        assert (found["value"], found["origin"].endswith(origin)) == (value, True)
        shown = run("config", "--language", code, "--explain", key, "-p", tmp_path / "web").stdout
        assert origin in shown
