"""Where plug-ins are: in installed packages, and in files beside a corpus. Nothing here runs them."""

from __future__ import annotations

import ast
import hashlib
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from importlib.metadata import EntryPoint, EntryPoints, entry_points
from pathlib import Path
from typing import cast

import regex

from corpulyzer.plugins import KINDS, NAME, Kind, Plugin, PluginError
from corpulyzer.storage import Storage

MOST_BYTES = 1 << 20
_DOTTED = regex.compile(r"([^\W\d]\w*)[.:]([^\W\d]\w*)")


def in_file(kind: Kind, name: str, dotted: str) -> Plugin:
    """The plug-in that the settings call `name`: an object of a file beside the corpus, by dotted name."""
    _must_be_name(kind, name)
    found = _DOTTED.fullmatch(dotted)
    if found is None:
        raise PluginError(
            f"The {kind.word} {name!r} cannot be {dotted!r}.",
            f'Name a file beside corpulyzer.toml and what is in it: {name} = "my_rules.MyClass".',
        )
    module, thing = found.groups()
    return Plugin(kind.plural, name, f"{module}:{thing}", f"{module}.py")


def with_source(plugin: Plugin, storage: Storage) -> Plugin:
    """A plug-in of a file with the text of the file and what it declares of itself; others as they are."""
    if not plugin.file:
        return plugin
    if not storage.exists(plugin.file):
        raise PluginError(
            f"The {plugin}: there is no {storage.path(plugin.file)}.",
            f"Put the file beside corpulyzer.toml, or take {plugin.name!r} out of [plugins.{plugin.kind}].",
        )
    with storage.open_input(plugin.file) as file:
        content = bytes(file.read(MOST_BYTES + 1))
    if len(content) > MOST_BYTES:
        raise PluginError(f"The {plugin}: the file is larger than a megabyte.", "Make a package of it.")
    source = content.decode("utf-8", "replace")
    told = declared(source, plugin.home.partition(":")[2])
    digest = f"sha256 {hashlib.sha256(content).hexdigest()[:16]}"
    version, words = told.get("version", digest), told.get("words", "")
    return replace(plugin, source=source, version=version, words=words)


def installed(kind: Kind) -> dict[str, Plugin]:
    """The plug-ins of a kind that installed packages give, by name."""
    found: dict[str, Plugin] = {}
    for point in sorted(_points().select(group=kind.group), key=lambda point: (point.name, point.value)):
        if point.name in found and found[point.name].home != point.value:
            raise PluginError(
                f"Two packages give the {kind.word} {point.name!r}: {point.value}, {found[point.name].home}.",
                "Uninstall one of them.",
            )
        found[point.name] = Plugin(kind.plural, point.name, point.value)
    return found


def _points() -> EntryPoints:
    """What installed packages offer, read again only when a folder of packages has changed."""
    return _points_in(tuple((place, _changed(place)) for place in sys.path))


@lru_cache(maxsize=1)
def _points_in(_places: tuple[tuple[str, int], ...]) -> EntryPoints:
    return cast("EntryPoints", entry_points())  # what Python 3.11 returns can be selected from as well


def _changed(place: str) -> int:
    try:
        return os.stat(place or ".").st_mtime_ns
    except OSError:
        return 0


def with_version(plugin: Plugin) -> Plugin:
    """A plug-in of a package with what it declares of itself; its version is its package's if it has none."""
    if plugin.file:
        return plugin
    _must_be_name(KINDS[plugin.kind], plugin.name)
    group = KINDS[plugin.kind].group
    points = [each for each in _points().select(group=group, name=plugin.name) if each.value == plugin.home]
    module, _, thing = plugin.home.partition(":")
    told = declared(_text_of(module), thing.strip())
    return replace(plugin, version=told.get("version", _version(points)), words=told.get("words", ""))


def available(kind: Kind, known: Iterable[Plugin]) -> tuple[Plugin, ...]:
    """The plug-ins of a kind that a corpus names, and those of installed packages that it does not."""
    named = {plugin.name: plugin for plugin in known}
    others = (with_version(plugin) for name, plugin in installed(kind).items() if name not in named)
    return (*named.values(), *others)


def declared(source: str, name: str) -> dict[str, str]:
    """The plain values that a class says of itself, read off the text of its module without running it.

    >>> declared("class Short:\\n    version = 2\\n    words = 'short enough'\\n", "Short")
    {'version': '2', 'words': 'short enough'}
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}  # whoever runs it will hear of it
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name]
    return {name: value for each in classes[-1:] for name, value in _values(each)}


def _values(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for each in node.body:
        targets = each.targets if isinstance(each, ast.Assign) else []
        targets = [each.target] if isinstance(each, ast.AnnAssign) else targets
        value = getattr(each, "value", None)
        for target in targets:
            if isinstance(target, ast.Name) and isinstance(value, ast.Constant):
                yield target.id, str(value.value)


def _text_of(module: str) -> str:
    """The text of an installed module; empty where there is none to be read."""
    from importlib.util import find_spec

    try:
        found = find_spec(module)
        return Path(found.origin or "").read_text("utf-8") if found else ""
    except Exception:  # noqa: BLE001 - the package's own doing; whoever runs it will hear of it
        return ""


def _version(points: list[EntryPoint]) -> str:
    return str(points[0].dist.version) if points and points[0].dist else ""


def _must_be_name(kind: Kind, name: str) -> None:
    if not NAME.fullmatch(name):
        raise PluginError(
            f"A {kind.word} cannot be called {name!r}.", "Use small letters, digits and _, a letter first."
        )
