"""Plug-ins at work: their code is loaded here alone, and what they do wrong is said with their names."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, is_dataclass
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from corpulyzer.errors import UserError
from corpulyzer.plugins import KINDS, Plugin, PluginError
from corpulyzer.records.settings import Key, as_type, built, keys_of

MEND = "Mend it there, or take its name out of the settings."
ALONE = (
    "Install it. If it is another file beside the corpus, put its code here or make a package of both: "
    "the file of a plug-in is sent to workers alone, and can import only what is installed."
)


@dataclass(frozen=True, slots=True)
class Called:
    """A plug-in as a stage calls it. What it raises, and a wrong return value, becomes a PluginError.

    `gives` says in words what it must return ("a Verdict"), and `fits` checks that.
    """

    plugin: Plugin
    gives: str
    fits: Callable[..., bool]

    def __call__(self, *given: Any) -> Any:
        found = self._answer(*given)
        if not self.fits(found, *given):
            raise PluginError(f"The {self.plugin} gave {_short(found)}, which is not {self.gives}.", MEND)
        return found

    def _answer(self, *given: Any) -> Any:
        work = made(self.plugin)
        try:
            return work(*given)
        except (UserError, MemoryError):
            raise
        except (Exception, SystemExit) as error:
            raise PluginError(f"The {self.plugin} raised {said(error)}", MEND) from error


class SettingError(PluginError):
    """A setting that a plug-in cannot have; `key` is where it was made."""

    def __init__(self, key: str, message: str, hint: str) -> None:
        super().__init__(message, hint)
        self.key = key


@cache
def made(plugin: Plugin) -> Callable[..., Any]:
    """What does the work: a class made with its settings, or a function as it is."""
    found = _loaded(plugin)
    values = _checked(plugin)
    work: Callable[..., Any] = _with_settings(plugin, found, values) if isinstance(found, type) else found
    if not callable(work):
        raise PluginError(f"The {plugin} cannot be called: it is {_short(work)}.", MEND)
    return work


def settings_of(plugin: Plugin) -> list[Key]:
    """The settings that a plug-in can have, with their defaults: the fields of its dataclass."""
    found = _loaded(plugin)
    plain = _plain(plugin, found) if isinstance(found, type) else None
    try:
        return list(keys_of(plain, f"{plugin.table}.")) if is_dataclass(plain) else []
    except Exception as error:
        raise PluginError(f"The settings of the {plugin} cannot be told: {said(error)}", MEND) from error


def _checked(plugin: Plugin) -> dict[str, Any]:
    """The settings that were made, in the types of the plug-in's fields."""
    known = {key.name: key for key in settings_of(plugin)}
    values = {}
    for name, value in plugin.settings:
        key = f"{plugin.table}.{name}"
        if key not in known:
            hint = f"Its settings: {', '.join(known) or 'none'}."
            raise SettingError(key, f"the {plugin} has no setting {name!r}.", hint)
        try:
            values[key] = as_type(known[key], value)
        except ValueError as error:
            hint = f"{known[key].explanation} The default is {known[key].default!r}.".strip()
            raise SettingError(key, str(error), hint) from None
    return values


def _with_settings(plugin: Plugin, found: type, values: dict[str, Any]) -> Any:
    plain = _plain(plugin, found)
    if not values:
        return plain
    try:
        return built(values, plain, f"{plugin.table}.")
    except Exception as error:
        raise PluginError(f"The {plugin} cannot be made with its settings: {said(error)}", MEND) from error


def _plain(plugin: Plugin, found: type) -> Any:
    """The class with the defaults of its settings."""
    try:
        return found()
    except Exception as error:
        raise PluginError(
            f"The {plugin} cannot be made without settings: {said(error)}",
            "Give each of its fields a default.",
        ) from error


@cache
def _loaded(plugin: Plugin) -> Any:
    """The object of a plug-in's module."""
    module, _, path = plugin.home.partition(":")
    try:
        found: Any = _module_of(plugin.file, plugin.source) if plugin.file else import_module(module)
        for name in path.strip().split(".") if path else ():
            found = getattr(found, name)
    except MemoryError:
        raise
    except (Exception, SystemExit) as error:
        hint = ALONE if plugin.file and isinstance(error, ModuleNotFoundError) else MEND
        raise PluginError(f"The {plugin} cannot be loaded: {said(error)}", hint) from error
    return found


@cache
def _module_of(file: str, source: str) -> ModuleType:
    """The module that the text of a file makes, under a name that no other text has."""
    digest = hashlib.sha256(source.encode()).hexdigest()[:16]
    module = ModuleType(f"{file.removesuffix('.py')}_{digest}")
    module.__file__ = file
    sys.modules[module.__name__] = module  # dataclasses look there for the names in annotations
    try:
        exec(compile(source, file, "exec"), module.__dict__)
    except BaseException:
        del sys.modules[module.__name__]
        raise
    return module


def said(error: BaseException) -> str:
    """The type and the first line of an error."""
    return f"{type(error).__name__}: {error}".partition("\n")[0].rstrip(": ") + "."


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:59]}…"


def files_of(plugins: Iterable[Plugin]) -> dict[str, list[str]]:
    """The files that have plug-ins, each with what it has, in words."""
    found: dict[str, list[str]] = {}
    for plugin in plugins:
        if plugin.file:
            found.setdefault(plugin.file, []).append(f"{KINDS[plugin.kind].word} {plugin.name}")
    return found
