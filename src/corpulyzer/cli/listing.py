"""Commands whose help lists what there is, plug-ins included, which only help looks for."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from typer.core import TyperArgument, TyperCommand, TyperOption

if TYPE_CHECKING:
    from corpulyzer.corpus.settings.config import Config
    from corpulyzer.plugins.registry import Registry

Names = Callable[["Config"], list[str]]


def listing(parameter: str, names: Names) -> type[TyperCommand]:
    """The class of a command whose help of a parameter ends with these names, by this folder's settings."""

    class Listing(TyperCommand):
        def format_help(self, ctx: Any, formatter: Any) -> None:
            for each in self.params:
                if each.name == parameter and isinstance(each, TyperArgument | TyperOption):
                    each.help = f"{each.help} There are: {', '.join(names(_settings()))}."
            super().format_help(ctx, formatter)

    return Listing


def registered(registry: Callable[[], Registry]) -> Names:
    """All names of a registry, those of the corpus' plug-ins included."""

    def names(config: Config) -> list[str]:
        found = registry()
        return found.names(getattr(config, found.kind.table).plugins)

    return names


def _settings() -> Config:
    """The settings of the current folder; the defaults where there are none, or wrong ones."""
    from corpulyzer.corpus.settings.config import Config, load
    from corpulyzer.errors import UserError

    with suppress(UserError):  # help is for those too whose settings are wrong
        return load(".")[0]
    return Config()
