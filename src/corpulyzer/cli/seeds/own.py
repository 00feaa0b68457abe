"""`corpulyzer seeds from`: seeds that a plug-in proposes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from corpulyzer.cli.options import Json, OneLanguage, Project, Quiet, grouped
from corpulyzer.cli.seeds.adding import Sieve

if TYPE_CHECKING:
    from corpulyzer.plugins.registry import Registry


def sources() -> Registry:
    """All sources of seeds, for the help."""
    from corpulyzer.web.seeds.own import SOURCES

    return SOURCES


@grouped
def from_(
    *,
    name: Annotated[str, typer.Argument(metavar="NAME", help="A source of seeds that a plug-in gives.")],
    language: OneLanguage = "",
    sieve: Sieve,
    project: Project = ".",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Add what a plug-in proposes, a source of seeds of your own.

    Example: [bold]corpulyzer seeds from radio_stations --project urduweb[/bold]
    """
    from corpulyzer.api.corpus import open_corpus
    from corpulyzer.cli.seeds.adding import tell

    found = open_corpus(project).seeds.plugin(name, language=language, **sieve.limits())
    tell(found, project, json, quiet)
