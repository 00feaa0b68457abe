"""All of a kind under their names: ours, those of a corpus, and those of installed packages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from corpulyzer.errors import UserError
from corpulyzer.plugins import Kind, Plugin, PluginError
from corpulyzer.plugins.found import installed, with_version
from corpulyzer.plugins.running import Called


@dataclass(frozen=True, slots=True)
class Registry:
    """Those of one kind: `ours` has a line for each, its name and its `module:function`, imported when used.

    `gives` says in words what one returns, and `fits` whether a value that was returned is such a thing.
    `reserved` are further names that no plug-in may have.
    """

    kind: Kind
    ours: Mapping[str, str]
    gives: str
    fits: Callable[..., bool]
    reserved: tuple[str, ...] = ()

    def named(self, name: str, plugins: Iterable[Plugin] = ()) -> Callable[..., Any]:
        """What has that name; UserError lists all names there are."""
        return imported(self.ours[name]) if name in self.ours else self.called(self.plugin(name, plugins))

    def called(self, plugin: Plugin) -> Called:
        """A plug-in, ready to be called."""
        return Called(plugin, self.gives, self.fits)

    def plugin(self, name: str, plugins: Iterable[Plugin] = ()) -> Plugin:
        """The plug-in of that name: one of `plugins`, or what a package gives; UserError if there is none."""
        known = {plugin.name: plugin for plugin in plugins}
        if name in known:
            return known[name]
        found = installed(self.kind)
        if name in self.ours or name not in found:
            names = ", ".join(self.names(known.values()))
            raise UserError(f"There is no {self.kind.word} {name!r}.", f"There are: {names}.")
        return with_version(found[name])

    def names(self, plugins: Iterable[Plugin] = ()) -> list[str]:
        """Every name: ours in their order, then those of plug-ins."""
        others = {*(plugin.name for plugin in plugins), *installed(self.kind)} - self.ours.keys()
        return [*self.ours, *sorted(others)]

    def must_be_free(self, plugin: Plugin) -> None:
        """UserError if a plug-in has a name of ours."""
        if plugin.name in self.ours or plugin.name in self.reserved:
            raise PluginError(
                f"The {plugin} has a name of ours.", f"Give it another in [plugins.{self.kind.plural}]."
            )


def imported(home: str) -> Any:
    """The object that `module:name` stands for."""
    module, name = home.split(":")
    return getattr(import_module(module), name)
