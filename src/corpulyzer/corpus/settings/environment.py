"""Settings out of environment variables: `CORPULYZER_FILTER_CONTENT_SIZE_MIN_BYTES`."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from typing import Any

from corpulyzer.corpus.settings.file import nearest
from corpulyzer.errors import UserError

ENVIRONMENT = "CORPULYZER_"


def variables_in(environment: Mapping[str, str]) -> dict[str, Any]:
    """The values of our environment variables, by their names."""
    return {name: _parsed(text) for name, text in environment.items() if name.startswith(ENVIRONMENT)}


def _variable(key: str) -> str:
    return ENVIRONMENT + key.upper().replace(".", "_")


def of_environment(variables: Mapping[str, Any], known: Collection[str]) -> dict[str, Any]:
    """The settings of ours that the environment makes."""
    return {key: variables[_variable(key)] for key in known if _variable(key) in variables}


def of_languages(variables: Mapping[str, Any], known: Collection[str]) -> dict[str, Any]:
    """The settings of single languages that it makes: `CORPULYZER_LANGUAGE_XHO_FILTER_LENGTH_MIN_WORDS`."""
    keys, start = {_variable(key): key for key in known}, _variable("language.")
    found = {}
    for variable, value in variables.items():
        code, _, rest = variable.removeprefix(start).partition("_")
        if variable.startswith(start) and ENVIRONMENT + rest in keys:
            found[f"language.{code.lower()}.{keys[ENVIRONMENT + rest]}"] = value
    return found


def of_tables(variables: Mapping[str, Any], tables: Collection[str]) -> dict[str, Any]:
    """The settings that the environment makes in tables of plug-ins, whose keys only they know."""
    return {
        table + variable.removeprefix(_variable(table)).lower(): value
        for table in tables
        for variable, value in variables.items()
        if variable.startswith(_variable(table))
    }


def must_be_set(variables: Collection[str], keys: Collection[str]) -> None:
    """UserError if a variable sets none of the keys."""
    names = {_variable(key) for key in keys}
    for variable in variables:
        if variable not in names:
            hint = nearest(variable, list(names)) or "`corpulyzer config` lists the keys there are."
            raise UserError(f"The environment variable {variable} names no setting.", hint)


def _parsed(text: str) -> Any:
    """The TOML value that `text` is, or the text itself where it is none (`me@uni.example`)."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
