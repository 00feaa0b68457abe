"""The table `plugins` of the settings file: names for what is in files beside the corpus."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from corpulyzer.plugins import Plugin, own_plugins

Names = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PluginsTable:
    """Plug-ins in files beside the corpus, by kind.

    Not part of hashes, since a mapping cannot be hashed; plug-ins in use are in the tables that use them.
    """

    filters: Annotated[
        Names, 'Filters of your own, from files beside this one: `few_links = "my_rules.FewLinks"`.'
    ] = field(default_factory=dict, hash=False)
    extractors: Annotated[Names, "Extractors, for `extract.method`."] = field(
        default_factory=dict, hash=False
    )
    identifiers: Annotated[Names, "Identifiers, for `identify.method`."] = field(
        default_factory=dict, hash=False
    )
    labels: Annotated[Names, "Labels, for `label.more`."] = field(default_factory=dict, hash=False)
    exports: Annotated[Names, "Formats of `export`."] = field(default_factory=dict, hash=False)
    seeds: Annotated[Names, "Sources of seeds, for `seeds from`."] = field(default_factory=dict, hash=False)
    panels: Annotated[Names, "Panels of `analyze` and report."] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class ExportTable:
    """Export formats of plug-ins; each has a table of its own."""

    plugins: tuple[Plugin, ...] = own_plugins(hashed=False)


@dataclass(frozen=True, slots=True)
class SeedsTable:
    """Sources of seeds of plug-ins; each has a table of its own."""

    plugins: tuple[Plugin, ...] = own_plugins(hashed=False)
