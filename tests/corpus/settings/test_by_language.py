"""Settings of single languages: their order, their origins, and what cannot be set for one."""

import json

import pytest

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.corpus.settings.config import merge
from corpulyzer.corpus.settings.explain import settings_of_language
from corpulyzer.errors import UserError

FILE = """\
[corpus]
languages = ["hrv", "slv", "xho"]

[filter.content_size]
min_bytes = 100

[language.xho]
filter.content_size.min_bytes = 50
identify.min_confidence = 0.5
"""
MIN_BYTES, MIN_WORDS = "filter.content_size.min_bytes", "filter.length.min_words"
LEARNED = {f"language.xho.{MIN_BYTES}": 7, f"language.xho.{MIN_WORDS}": 8}


def told(key, code, text=FILE, flags=None, environment=None, learned=LEARNED):
    config, settings = merge(text, "web/corpulyzer.toml", flags or {}, environment or {}, learned)
    found = {each.key: each for each in settings_of_language(config.corpus, settings, code)}[key]
    return config, found.value, found.origin


def test_a_language_has_its_own_values_and_the_others_have_those_of_the_corpus():
    config, value, origin = told(MIN_BYTES, "xho")
    assert (value, origin) == (50, "web/corpulyzer.toml [language.xho]")
    assert config.of_language("xho").filter.content_size.min_bytes == 50
    assert config.of_language("xho").identify.min_confidence == 0.5
    assert config.of_language("xho").corpus.language == "xho"
    assert told(MIN_BYTES, "hrv")[1:] == (100, "web/corpulyzer.toml")
    assert config.of_language("hrv").filter == config.filter


def test_flag_environment_table_file_learned_preset_and_default_win_in_this_order():
    name = "CORPULYZER_FILTER_CONTENT_SIZE_MIN_BYTES"
    everywhere = {"flags": {MIN_BYTES: 1}, "environment": {name: "2"}}
    assert told(MIN_BYTES, "xho", **everywhere)[1:] == (1, "flag")
    assert told(MIN_BYTES, "xho", environment={name: "2"})[1:] == (2, "environment")
    own = {"CORPULYZER_LANGUAGE_XHO_FILTER_CONTENT_SIZE_MIN_BYTES": "3", name: "2"}
    assert told(MIN_BYTES, "xho", environment=own)[1:] == (3, "environment [language.xho]")
    assert told(MIN_BYTES, "hrv", environment=own)[1:] == (2, "environment")
    without = FILE.replace("filter.content_size.min_bytes = 50\n", "")
    assert told(MIN_BYTES, "xho", without)[1:] == (100, "web/corpulyzer.toml")
    nothing = without.replace("min_bytes = 100", "")
    assert told(MIN_BYTES, "xho", nothing)[1:] == (7, "calibration.json [language.xho]")
    assert told(MIN_WORDS, "xho")[1:] == (8, "calibration.json [language.xho]")
    preset = 'preset = "isixhosa"\n' + nothing.replace("[filter.content_size]\n", "")
    assert told("filter.sentences.inclusive", "xho", preset)[2] == "preset isixhosa"
    assert told(MIN_WORDS, "hrv")[1:] == (60, "default")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[language.eng]\nfilter.length.min_words = 1", r"line 8: The corpus is not for eng"),
        ("[language.slv]\nfilter.length.min_word = 1", r"line 8.*no setting 'filter.length.min_word'"),
        ("[language.slv]\nfilter.length.min_words = -1", r"\[language.slv\], line 8: .* is not possible"),
        ("[language.slv]\ncrawl.pages = 1", r"crawl.pages cannot be set for one language"),
        ("[language.slv]\nfilter.received = []", r"filter.received cannot be set"),
        ("[language.slv]\nextract.method = 'nosuch'", r"nosuch"),
        ("[language.slv]\nfilter.hosts.allow = ['a']", r"filter.hosts.allow would have no effect"),
        ("[language.slv]\nfilter.document = ['nosuch']", r"nosuch"),
        ("[language.nosuch]\nfilter.length.min_words = 1", r"nosuch"),
        ("[identify]\nhint = true", r"identify.hint"),
    ],
)
def test_what_cannot_be_is_an_error_that_says_why(text, said):
    with pytest.raises(UserError, match=said):
        merge(FILE.partition("[language")[0] + text, "x.toml", {}, {})


def test_a_corpus_of_one_language_has_no_tables_of_languages():
    with pytest.raises(UserError, match="for corpora of several languages"):
        merge('corpus.language = "xho"\n[language.xho]\nfilter.length.min_words = 1', "x.toml", {}, {})


def test_one_language_and_several_at_once_are_an_error():
    with pytest.raises(UserError, match="both"):
        merge('corpus.language = "xho"\n' + FILE.replace("[corpus]\n", "corpus."), "x.toml", {}, {})


def test_what_was_learned_is_read_from_the_corpus_and_a_damaged_file_is_named(tmp_path):
    corpus = create(languages=["hrv", "slv"], folder=tmp_path / "c")
    file = tmp_path / "c" / "calibration.json"
    file.write_text(json.dumps({"languages": {"slv": {MIN_WORDS: 11}}}))
    config = open_corpus(corpus.storage.root).config
    assert [config.filters_of(code).length.min_words for code in ("hrv", "slv")] == [60, 11]
    for damaged in ("{", "[1]", '{"languages": [1]}', "{}"):
        file.write_text(damaged)
        with pytest.raises(UserError, match=r"calibration.json is damaged"):
            open_corpus(corpus.storage.root)


@pytest.mark.parametrize("now", ['languages = ["slv", "xho"]', 'language = "hrv"', 'languages = ["all"]'])
def test_what_was_learned_of_a_language_that_left_the_corpus_is_passed_over(now):
    learned = {f"language.{code}.{MIN_WORDS}": 11 for code in ("hrv", "slv")}
    config, _ = merge(f"[corpus]\n{now}\n", "web/corpulyzer.toml", {}, {}, learned)
    own = {"slv": ["slv"], "hrv": [], "all": ["hrv", "slv"]}[now.split('"')[1]]
    assert [each.code for each in config.by_language] == own
    assert config.filters_of("slv").length.min_words == (11 if own else 60)
