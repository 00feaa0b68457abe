"""Plug-ins in the settings: those that a corpus names, with their tables.

A corpus can be opened and looked at without running anything of its plug-ins: until then their settings are
what was written. `complete` runs them, to check their settings and to add the defaults.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, time
from typing import TYPE_CHECKING, Any

from corpulyzer.corpus.settings.file import FILE, place
from corpulyzer.errors import UserError
from corpulyzer.page.filter import FILTERS
from corpulyzer.page.label.own import LABELS
from corpulyzer.plugins import EXTRACTOR, FILTER, IDENTIFIER, KINDS, LABEL, Kind, Plugin
from corpulyzer.plugins.found import in_file, installed, with_source, with_version
from corpulyzer.plugins.registry import Registry
from corpulyzer.plugins.running import SettingError, files_of, made, settings_of
from corpulyzer.records.settings import Setting, as_type

if TYPE_CHECKING:
    from corpulyzer.corpus.settings.config import Config
    from corpulyzer.storage import Storage

LOG = logging.getLogger("corpulyzer")
PAGE_KINDS = (FILTER, EXTRACTOR, IDENTIFIER, LABEL)
"""Kinds of plug-ins that work on pages: settings name those that are in use."""


def names_in_use(config: Config, kind: Kind) -> dict[str, str]:
    """The names of a kind that the settings use and that are not ours, each with the key that has it."""
    keys = {
        FILTER: {"filter.received": config.filter.received, "filter.document": config.filter.document},
        EXTRACTOR: {"extract.method": _other(config.extract.method, "default")},
        IDENTIFIER: {"identify.method": _other(config.identify.method, "ensemble")},
        LABEL: {"label.more": config.label.more},
    }.get(kind, {})
    asked = {name: key for key, names in keys.items() for name in names}
    ours = registry_of(kind).ours if asked else {}
    return {name: key for name, key in asked.items() if name not in ours}


def _other(name: str, usual: str) -> tuple[str, ...]:
    """The name, or nothing if it is the usual one, for which no registry has to be imported."""
    return () if name == usual else (name,)


def registry_of(kind: Kind) -> Registry:
    """The registry of a kind of plug-in that works on pages."""
    if kind in (FILTER, LABEL):
        return FILTERS if kind is FILTER else LABELS
    from corpulyzer.page.extract import EXTRACTORS
    from corpulyzer.page.identify.choose import IDENTIFIERS

    return EXTRACTORS if kind is EXTRACTOR else IDENTIFIERS


def tables_of(loose: Iterable[str], kind: Kind) -> list[str]:
    """The names to which keys that are none of ours give a table.

    >>> tables_of(["filter.few_links.most", "crawl.page"], FILTER)
    ['few_links']
    """
    parts = [key.split(".") for key in loose]
    return [names[1] for names in parts if names[0] == kind.table and len(names) > 2]


def found_plugins(config: Config, loose: Mapping[str, Any]) -> Iterator[Plugin]:
    """The plug-ins that settings name or give a table to; `loose` are values of keys that are not ours."""
    for kind in KINDS.values():
        declared: Mapping[str, str] = getattr(config.plugins, kind.plural)
        wanted = [*declared, *names_in_use(config, kind), *tables_of(loose, kind)]
        packages = installed(kind) if set(wanted) - set(declared) else {}
        for name in dict.fromkeys(wanted):
            if name in declared:
                plugin = in_file(kind, name, declared[name])
            elif name in packages:
                plugin = with_version(packages[name])
            else:
                continue  # whoever reads the name or the key will say that there is none
            if kind in PAGE_KINDS:
                registry_of(kind).must_be_free(plugin)
            start = f"{plugin.table}."
            own = {key.removeprefix(start): value for key, value in loose.items() if key.startswith(start)}
            yield replace(plugin, settings=tuple((key, _frozen(own[key])) for key in sorted(own)))


def with_plugins(config: Config, plugins: Sequence[Plugin]) -> Config:
    """The settings with their plug-ins in the tables that name them; of those for pages, what is in use."""
    for kind in KINDS.values():
        mine = [plugin for plugin in plugins if plugin.kind == kind.plural]
        if kind in PAGE_KINDS:
            used = names_in_use(config, kind) if mine else {}
            mine = [plugin for plugin in mine if plugin.name in used]
        if mine:
            table = replace(getattr(config, kind.table), plugins=tuple(mine))
            config = replace(config, **{kind.table: table})
    return config


def plugins_of(config: Config, *kinds: Kind) -> tuple[Plugin, ...]:
    """The plug-ins in the tables of these kinds, or of all."""
    tables = [getattr(config, kind.table).plugins for kind in kinds or KINDS.values()]
    return tuple(plugin for table in tables for plugin in table)


def with_sources(config: Config, storage: Storage) -> Config:
    """The settings with the text of each plug-in's file, which nothing has run yet."""
    return with_plugins(config, [with_source(plugin, storage) for plugin in plugins_of(config)])


def without_sources(config: Config) -> Config:
    """The settings without the text of plug-ins, which is not for others to read."""
    return with_plugins(config, [replace(plugin, source="") for plugin in plugins_of(config)])


def complete(plugins: Sequence[Plugin], settings: Sequence[Setting], storage: Storage) -> list[Setting]:
    """Run the plug-ins, check their settings, and return all of them, with defaults and meanings.

    `settings` are those that were made. Files of the corpus that are run are named in the log.
    """
    for file, things in files_of(plugins).items():
        LOG.warning("Running %s: %s.", storage.path(file), ", ".join(things))
    text = storage.read(FILE).decode("utf-8") if plugins and storage.exists(FILE) else ""
    written = {setting.key: setting for setting in settings}
    return [setting for plugin in plugins for setting in _complete(plugin, written, text)]


def _complete(plugin: Plugin, written: Mapping[str, Setting], text: str) -> Iterator[Setting]:
    try:
        made(plugin)
    except SettingError as error:
        where = place(written[error.key].origin, error.key, text)
        raise UserError(f"{where}: {error.message}", error.hint) from None
    for key in settings_of(plugin):
        if key.name in written:
            value = as_type(key, written[key.name].value)
            yield replace(written[key.name], value=value, explanation=key.explanation)
        else:
            yield Setting(key.name, key.default, "default", key.explanation)


def _frozen(value: Any) -> Any:
    """The value as something that can be hashed: a list is a tuple, a date is as it is written."""
    if isinstance(value, date | time):
        return value.isoformat()
    return tuple(map(_frozen, value)) if isinstance(value, list | tuple) else value
