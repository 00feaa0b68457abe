"""Search engines as descriptions: address, parameters, and the paths of url, title and snippet in answers.

A few are known by name; any other is described in a TOML file. An API key is named by the environment
variable that holds it, and stands in no file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import regex

from corpulyzer.errors import UserError
from corpulyzer.storage.toml import from_toml

_NAME = regex.compile(r"[\w-]+")
_KEY = regex.compile(r"\{env:([A-Za-z_][A-Za-z0-9_]*)\}")


@dataclass(frozen=True, slots=True)
class Provider:
    """A search engine. Parameters and headers may hold {query}, {page}, {start}, {count} and {env:NAME}.

    `page` counts from `first_page`, `start` is the number of the first result, from 1. `results` is the path
    to the list in the answer; `good` a path that every good answer has, also one without results.
    `failed` is the path to a list of engines that did not answer: with some there and no results, the search
    has failed.
    `exhausted` and `wrong_key` are words that tell these errors apart.
    """

    name: str
    endpoint: str = ""
    parameters: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    results: str = "results"
    url: str = "url"
    title: str = "title"
    snippet: str = "snippet"
    good: str = ""
    failed: str = ""
    count: int = 10
    first_page: int = 1
    pages: int = 10
    per_day: int = 0
    pause_seconds: float = 1.0
    time_zone: str = "UTC"
    exhausted: tuple[str, ...] = ()
    wrong_key: tuple[str, ...] = ()
    advice: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        """The environment variables that it needs."""
        texts = (*self.parameters.values(), *self.headers.values())
        return tuple(dict.fromkeys(name for text in texts for name in _KEY.findall(text)))

    def request(self, query: str, number: int, environment: Mapping[str, str]) -> tuple[str, tuple[str, ...]]:
        """The address and the headers that ask for a query's page `number`, counted from 0."""
        values = {
            "{query}": query,
            "{page}": str(self.first_page + number),
            "{start}": str(number * self.count + 1),
            "{count}": str(self.count),
            **{f"{{env:{name}}}": environment[name] for name in self.keys},
        }
        parameters = {name: _filled(text, values) for name, text in self.parameters.items()}
        headers = tuple(f"{name}: {_filled(text, values)}" for name, text in self.headers.items())
        mark = "&" if "?" in self.endpoint else "?"
        return f"{self.endpoint}{mark}{urlencode(parameters)}", headers

    def check(self, environment: Mapping[str, str]) -> None:
        """Guarantee that it can be asked; UserError names the variable or the address that is missing."""
        for name in self.keys:
            if not environment.get(name, "").strip():
                raise UserError(
                    f"The search engine {self.name} needs a key in the environment variable {name}.",
                    f"{self.advice or 'Get a key from the provider.'} Then: export {name}=…",
                )
        if urlsplit(self.endpoint).scheme not in ("http", "https") or not urlsplit(self.endpoint).hostname:
            raise UserError(
                f"The search engine {self.name} has no web address: {self.endpoint!r}.",
                "Name it, such as --endpoint http://127.0.0.1:8888/search.",
            )

    def secrets(self, environment: Mapping[str, str]) -> tuple[str, ...]:
        """The values of its keys, never to be shown."""
        return tuple(environment[name] for name in self.keys if environment.get(name))


def provider_in(path: Path) -> Provider:
    """The provider that a file describes; UserError says what is wrong with it."""
    try:
        text = path.read_bytes()
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}.", "Name a TOML file.") from None
    table = from_toml(text, str(path))
    known = {item.name: item for item in fields(Provider)}
    for name, value in table.items():
        if name not in known:
            raise UserError(f"{path}: there is no field {name!r}.", f"Fields: {', '.join(known)}.")
        if not _fits(value, getattr(Provider(name=""), name)):
            raise UserError(
                f"{path}: {name} = {value!r} is not possible.", f"Default: {known[name].default!r}."
            )
    made: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in table.items()
    }
    provider = replace(Provider(name=path.stem), **made)
    if not _NAME.fullmatch(provider.name):
        raise UserError(f"{path}: {provider.name!r} is no name.", "Use letters, digits, - and _.")
    if not any("{query}" in text for text in provider.parameters.values()):
        raise UserError(
            f"{path}: no parameter has {{query}} in it.", 'Write q = "{query}" under [parameters].'
        )
    return provider


def at(value: Any, path: str) -> Any:
    """What stands at a dotted path of an answer; None if there is nothing."""
    for name in path.split(".") if path else ():
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _filled(text: str, values: Mapping[str, str]) -> str:
    """The text with every mark replaced once: a query that looks like a mark stays as it is."""
    marks = regex.compile("|".join(map(regex.escape, values)))
    return str(marks.sub(lambda match: values[match[0]], text))


def _fits(value: Any, default: Any) -> bool:
    if isinstance(default, dict):
        return isinstance(value, dict) and all(isinstance(text, str) for text in value.values())
    if isinstance(default, tuple):
        return isinstance(value, list) and all(isinstance(text, str) for text in value)
    if isinstance(default, float):
        return isinstance(value, int | float) and not isinstance(value, bool)
    return type(value) is type(default)
