"""Plug-ins: what a user's package or a file beside the corpus adds to ours, under a name of its own."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import regex

from corpulyzer.errors import UserError
from corpulyzer.records.fingerprint import NOT_HASHED

NAME = regex.compile(r"[a-z][a-z0-9_]*")
"""What a plug-in may be called: its name stands in settings, in verdicts and in the names of files."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of plug-in: in words, in the plural, and the table of the settings that its own tables are in.

    Packages give it under the entry points of `group`, and the table `plugins` names those of files.
    """

    word: str
    plural: str
    table: str

    @property
    def group(self) -> str:
        """The group of entry points.

        >>> FILTER.group
        'corpulyzer.filters'
        """
        return f"corpulyzer.{self.plural}"


FILTER = Kind("filter", "filters", "filter")
EXTRACTOR = Kind("extractor", "extractors", "extract")
IDENTIFIER = Kind("identifier", "identifiers", "identify")
LABEL = Kind("label", "labels", "label")
EXPORT = Kind("export format", "exports", "export")
SEEDS = Kind("source of seeds", "seeds", "seeds")
PANEL = Kind("panel", "panels", "analyze")
KINDS = {kind.plural: kind for kind in (FILTER, EXTRACTOR, IDENTIFIER, LABEL, EXPORT, SEEDS, PANEL)}


@dataclass(frozen=True, slots=True)
class Plugin:
    """Something of a user's own: what it is called, where its code is, and its settings as they were written.

    `home` is `module:object`; `file` is the file beside the corpus that has it, with its text as `source`,
    and empty for what a package gives. Of all this its name, its version and its settings count in
    fingerprints. `words` are what it calls the pages that it keeps.
    """

    kind: str = field(metadata=NOT_HASHED)
    name: str
    home: str = field(metadata=NOT_HASHED)
    file: str = field(default="", metadata=NOT_HASHED)
    version: str = ""
    words: str = field(default="", metadata=NOT_HASHED)
    settings: tuple[tuple[str, Any], ...] = ()
    source: str = field(default="", repr=False, metadata=NOT_HASHED)

    @property
    def table(self) -> str:
        """The table of its settings."""
        return f"{KINDS[self.kind].table}.{self.name}"

    def __str__(self) -> str:
        return f"{KINDS[self.kind].word} {self.name!r} of {self.file or self.home}"


class PluginError(UserError):
    """Something that is wrong with a plug-in. On a page it costs that page."""


def own_plugins(*, hashed: bool = True) -> Any:
    """The field of a table of settings that holds the plug-ins which the table names; it is no setting."""
    return field(default=(), metadata={"setting": False, **({} if hashed else NOT_HASHED)})
