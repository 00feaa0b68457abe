"""Settings: merged in order, checked, and explained."""

import pytest

from corpulyzer.corpus.settings.config import keys, merge, preset_names
from corpulyzer.errors import UserError

FILE = """\
[corpus]
language = "urd"

[filter.content_size]
min_bytes = 128
"""


def merged(text=FILE, flags=None, environment=None):
    config, settings = merge(text, "urduweb/corpulyzer.toml", flags or {}, environment or {})
    return config, {setting.key: setting for setting in settings}


def test_the_file_wins_over_the_default_and_says_so():
    config, settings = merged()
    assert config.filter.content_size.min_bytes == 128
    assert settings["filter.content_size.min_bytes"].origin == "urduweb/corpulyzer.toml"
    assert settings["engine.page_seconds"].origin == "default"


def test_the_environment_wins_over_the_file_and_a_flag_over_both():
    environment = {"CORPULYZER_FILTER_CONTENT_SIZE_MIN_BYTES": "64", "HOME": "x"}
    config, settings = merged(environment=environment)
    assert config.filter.content_size.min_bytes == 64
    assert settings["filter.content_size.min_bytes"].origin == "environment"
    config, settings = merged(flags={"filter.content_size.min_bytes": 32}, environment=environment)
    assert config.filter.content_size.min_bytes == 32
    assert settings["filter.content_size.min_bytes"].origin == "flag"


def test_an_unknown_key_names_file_line_key_and_the_nearest_key():
    with pytest.raises(UserError) as caught:
        merged(FILE.replace("min_bytes", "min_byte"))
    assert "urduweb/corpulyzer.toml, line 5" in caught.value.message
    assert "filter.content_size.min_byte" in caught.value.message
    assert "filter.content_size.min_bytes" in caught.value.hint


def test_an_unknown_table_is_an_error_too():
    with pytest.raises(UserError, match=r"line 7.*filtre"):
        merged(FILE + "\n[filtre]\nx = 1\n".replace("\n[", "[", 1))


def test_a_bad_value_names_file_line_key_and_what_is_possible():
    with pytest.raises(UserError) as caught:
        merged(FILE.replace("128", "-1"))
    assert "line 5" in caught.value.message
    assert "filter.content_size.min_bytes = -1" in caught.value.message
    assert "greater than or equal to 0" in caught.value.message


def test_a_bad_choice_lists_the_choices():
    with pytest.raises(UserError, match=r"'local' or 'spark'"):
        merged(flags={"engine.name": "hadoop"})


def test_broken_toml_says_where():
    with pytest.raises(UserError, match=r"not valid TOML.*line 1"):
        merged("[corpus\n")


def test_an_environment_variable_that_names_nothing_is_an_error():
    with pytest.raises(UserError, match="CORPULYZER_ENGINE_MASTR"):
        merged(environment={"CORPULYZER_ENGINE_MASTR": "x"})


def test_every_key_is_explained():
    assert [key.name for key in keys() if not key.explanation] == []


def test_an_unknown_preset_lists_the_presets():
    with pytest.raises(UserError) as caught:
        merged('preset = "nutch"\n')
    assert all(name in caught.value.hint for name in preset_names())


def test_a_configuration_can_be_hashed_so_that_workers_make_their_pipeline_once():
    config, _ = merged()
    assert hash(config) == hash(merged()[0])
