"""Plug-ins in the settings: found by name, checked like ours, and not run before they are needed."""

import logging
from dataclasses import replace

import pytest
from own_corpus import RULES, folder_with

from corpulyzer.api.corpus import open_corpus
from corpulyzer.corpus.settings.config import load_with_plugins
from corpulyzer.corpus.settings.plugins import plugins_of
from corpulyzer.errors import UserError
from corpulyzer.page.pipeline import fingerprints, pipeline
from corpulyzer.records import Page
from corpulyzer.records.fingerprint import fingerprint

SHOUTS = """
[plugins.filters]
few_shouts = "my_rules.FewShouts"

[filter]
document = ["few_shouts", "content_size"]
"""
MOST = "[filter.few_shouts]\nmost = "


def marks(folder):
    return fingerprints(open_corpus(folder).config)


def judged(folder, text, **more):
    """What the filters of a corpus say of a text."""
    corpus = open_corpus(folder)
    corpus.load_plugins(plugins_of(corpus.config))
    page = Page(more.pop("url", "https://a.example/"), text=text, **more)
    return pipeline(corpus.config)(page, "filter").verdict


def test_opening_a_corpus_runs_nothing_of_it(tmp_path, caplog):
    ran = tmp_path / "ran"
    folder = folder_with(tmp_path / "mine", SHOUTS, f"open({str(ran)!r}, 'w').close()\n{RULES}")
    corpus = open_corpus(folder)
    assert len(corpus.config.filter.words) == 2
    assert corpus.status().funnel.steps[-2].words == "quiet enough"
    assert len(fingerprints(corpus.config)) == 3
    assert not ran.exists()
    with caplog.at_level(logging.WARNING):
        corpus.load_plugins(corpus.config.filter.plugins)
    assert ran.exists()
    assert caplog.messages == [f"Running {folder / 'my_rules.py'}: filter few_shouts."]


def test_its_settings_are_those_of_its_table(tmp_path, monkeypatch):
    folder = folder_with(tmp_path / "mine", f'{SHOUTS}\n{MOST}2\nmarks = ["!", "?"]\n')
    told = {each.key: each for each in load_with_plugins(folder)}
    most, counted = told["filter.few_shouts.most"], told["filter.few_shouts.marks"]
    assert (most.value, counted.value) == (2, ("!", "?"))
    assert most.origin == counted.origin == str(folder / "corpulyzer.toml")
    assert most.explanation == "Most exclamation marks of a page."
    assert judged(folder, "!?").reason == "content_size"
    loud = judged(folder, "!?!")
    assert (loud.reason, loud.detail) == ("few_shouts", "shouts: too loud")
    assert loud.facts == {"found": 3, "wanted": 2}
    monkeypatch.setenv("CORPULYZER_FILTER_FEW_SHOUTS_MOST", "7")
    again = {each.key: each for each in load_with_plugins(folder)}["filter.few_shouts.most"]
    assert (again.value, again.origin) == (7, "environment")
    flags = open_corpus(folder, {"filter.few_shouts.most": 9}).config.filter.plugins[0]
    assert dict(flags.settings)["most"] == 9


def test_a_setting_that_it_was_not_given_has_its_default(tmp_path):
    folder = folder_with(tmp_path / "mine", SHOUTS)
    told = {each.key: (each.value, each.origin) for each in load_with_plugins(folder)}
    assert told["filter.few_shouts.most"] == (3, "default")


def test_what_is_wrong_with_its_settings_is_said_with_the_line(tmp_path):
    folder = folder_with(tmp_path / "mine", f"{SHOUTS}\n{MOST}'many'\n")
    line = (folder / "corpulyzer.toml").read_text().splitlines().index("most = 'many'") + 1
    with pytest.raises(UserError, match=f"line {line}: filter.few_shouts.most = 'many' is not possible"):
        load_with_plugins(folder)
    other = folder_with(tmp_path / "other", f"{SHOUTS}\n[filter.few_shouts]\nmosst = 1\n")
    with pytest.raises(UserError, match=r"line \d+: .*few_shouts.* has no setting 'mosst'") as error:
        load_with_plugins(other)
    assert "filter.few_shouts.most" in error.value.hint


def test_a_function_has_no_settings(tmp_path):
    settings = '[plugins]\nlabels = {mood = "my_rules.bold"}\n[label]\nmore = ["mood"]\n[label.mood]\nx = 1\n'
    with pytest.raises(UserError, match=r"'mood' of my_rules.py has no setting 'x'"):
        load_with_plugins(folder_with(tmp_path / "mine", settings))


WRONG = {
    'few_shouts = "my_rules"': "cannot be 'my_rules'",
    'few_shouts = "../my_rules.FewShouts"': "cannot be '../my_rules.FewShouts'",
    'few_shouts = "no_rules.FewShouts"': "there is no .*no_rules.py",
    'few_shouts = "my_rules.NoClass"': "'few_shouts' of my_rules.py cannot be loaded: AttributeError",
    'few_shouts = "my_rules.RULE"': "'few_shouts' of my_rules.py cannot be called: it is 7",
    'few_shouts = "my_rules.NoDefault"': "cannot be made without settings: TypeError",
    'few_shouts = "my_rules.NoType"': "settings of the filter .* cannot be told: NameError",
    'length = "my_rules.FewShouts"': "'length' of my_rules.py has a name of ours",
    'near_duplicate = "my_rules.FewShouts"': "'near_duplicate' of my_rules.py has a name of ours",
    '"few shouts" = "my_rules.FewShouts"': "filter cannot be called 'few shouts'",
    'loud = "my_rules.FewShouts"': "filter.document: There is no filter 'few_shouts'",
}
ODD_RULES = f"{RULES}\nRULE = 7\n\n@dataclass\nclass NoDefault:\n    most: int\n\n@dataclass\nclass NoType:\n    most: 'Nothing' = 1\n"


@pytest.mark.parametrize("line, words", WRONG.items())
def test_one_that_is_not_there_or_no_filter_is_named(tmp_path, line, words):
    settings = SHOUTS.replace('few_shouts = "my_rules.FewShouts"', line)
    folder = folder_with(tmp_path / "mine", settings, ODD_RULES)
    with pytest.raises(UserError, match=words) as error:
        load_with_plugins(folder)
    assert error.value.hint


def test_a_file_that_imports_another_beside_it_hears_what_to_do(tmp_path):
    folder = folder_with(tmp_path / "mine", SHOUTS, "from my_words import FewShouts")
    (folder / "my_words.py").write_text("class FewShouts: pass")
    with pytest.raises(UserError, match="No module named 'my_words'") as error:
        open_corpus(folder).process()
    assert "put its code here or make a package of both" in error.value.hint


@pytest.mark.parametrize(
    "rules, words",
    [
        ("class", "SyntaxError"),
        ("import no_such_package", "ModuleNotFound"),
        ("raise SystemExit", "SystemExit"),
    ],
)
def test_a_file_that_cannot_be_run_is_named_when_it_is_needed(tmp_path, rules, words):
    folder = folder_with(tmp_path / "mine", SHOUTS, rules)
    assert open_corpus(folder).status().funnel.kept == 0
    with pytest.raises(UserError, match=f"'few_shouts' of my_rules.py cannot be loaded: {words}"):
        load_with_plugins(folder)


def test_a_table_of_nobody_is_still_an_error(tmp_path):
    with pytest.raises(UserError, match=r"line \d+: there is no setting 'filter.few_shots.most'"):
        open_corpus(folder_with(tmp_path / "mine", "[filter.few_shots]\nmost = 1\n"))


# What a change of the file or of the settings makes stale: a filter of documents the verdicts alone.
CHANGES = {
    "a word in the file, the version as it was": (lambda text: text.replace("too loud", "loud"), "", ""),
    "the version": (lambda text: text.replace("version = 1", "version = 2"), "", "filter"),
    "no version, a word in the file": (
        lambda text: text.replace("version = 1", "").replace("too", ""),
        "",
        "filter",
    ),
    "a setting": (lambda text: text, f"{MOST}4\n", "filter"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_changes_with_it_is_made_again_and_nothing_else(tmp_path, change):
    edit, settings, group = CHANGES[change]
    before = marks(folder_with(tmp_path / "a", SHOUTS))
    after = marks(folder_with(tmp_path / "b", SHOUTS + settings, edit(RULES)))
    assert {name for name in before if before[name] != after[name]} == {group} - {""}


def test_each_kind_counts_for_the_stage_that_it_is_in(tmp_path):
    names = """
[plugins]
filters = { few_shouts = "my_rules.FewShouts" }
extractors = { bold = "my_rules.bold" }
identifiers = { urdu = "my_rules.AlwaysUrdu" }
labels = { mood = "my_rules.Mood" }
panels = { mood = "my_rules.Mood" }
exports = { lines = "my_rules.Lines" }
"""
    before = marks(folder_with(tmp_path / "none", ""))
    assert marks(folder_with(tmp_path / "named", names)) == before, "named, and not in use"
    uses = {
        "[label]\nmore = ['mood']": "extract",
        "[identify]\nmethod = 'urdu'": "identify",
        "[filter]\nreceived = ['hosts', 'mime', 'raw_size', 'few_shouts']": "extract",
    }
    for number, (use, first) in enumerate(uses.items()):
        after = marks(folder_with(tmp_path / str(number), f"{names}\n{use}\n"))
        assert next(name for name in before if before[name] != after[name]) == first


def test_settings_without_plug_ins_have_the_fingerprints_that_they_had(tmp_path):
    """The field that holds plug-ins is left out of the hash where it is empty, as if it were not there."""
    config = open_corpus(folder_with(tmp_path / "mine", "")).config
    filters = {"content_size": {"min_bytes": 300}}
    changed = replace(config.filter, content_size=replace(config.filter.content_size, min_bytes=300))
    assert fingerprint("filter", changed) == fingerprint("filter", filters)
