"""`corpulyzer languages`: which languages there are."""

from __future__ import annotations

from typing import Annotated

import typer

from corpulyzer.cli.options import Json, Quiet


def languages(
    query: Annotated[
        str, typer.Argument(metavar="[QUERY]", help="Code, or part of a name in any language.")
    ] = "",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """List languages: codes, names, scripts, relatives.

    Example: [bold]corpulyzer languages xhosa[/bold]
    """
    from rich.table import Table

    from corpulyzer.cli.init import describe
    from corpulyzer.cli.output import advise, print_json, print_table
    from corpulyzer.errors import UserError
    from corpulyzer.language import Language

    found = Language.search(query)
    if not found:
        Language.find(query)  # raises, with suggestions
        raise UserError(f"No language matches {query!r}.", "Try part of its English name.")
    if json:
        print_json([describe(language) for language in found])
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("code", "name", "own name", "script", "relatives"):
        table.add_column(name)
    for language in found:
        facts = describe(language)
        table.add_row(*(facts[name] for name in ("code", "name", "own name", "script", "relatives")))
    print_table(table)
    advise(f"Next: corpulyzer init {found[0].code}", quiet)
