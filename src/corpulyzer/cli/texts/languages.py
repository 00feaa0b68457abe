"""`corpulyzer languages`: which languages there are, who knows them, and what they are taken for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from corpulyzer.cli.options import Json, Quiet

if TYPE_CHECKING:
    from corpulyzer.language import Language
    from corpulyzer.page.identify.coverage import Coverage

COLUMNS = ("code", "name", "own name", "script", "relatives", "known to", "taken for")
CONFUSIONS_SHOWN = 3


def languages(
    query: Annotated[
        str, typer.Argument(metavar="[QUERY]", help="Code, or part of a name in any language.")
    ] = "",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """List languages: codes, names, scripts, relatives, which identifiers know them, what they are taken for.

    Example: [bold]corpulyzer languages xhosa[/bold]
    """
    from rich.table import Table

    from corpulyzer.cli.output import advise, print_json, print_table
    from corpulyzer.language import Language
    from corpulyzer.page.identify.coverage import Coverage, coverage

    found = Language.search(query) or [Language.find(query)]  # raises, with suggestions
    covered = coverage()
    rows = [_facts(language, covered.get(language.code, Coverage())) for language in found]
    if json:
        print_json(rows)
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in COLUMNS:
        table.add_column(name)
    for facts in rows:
        table.add_row(*(_shown(facts[name]) for name in COLUMNS))
    print_table(table)
    advise(f"Next: corpulyzer init {found[0].code}", quiet)


def _facts(language: Language, known: Coverage) -> dict[str, Any]:
    from corpulyzer.cli.build.init import describe

    return {
        **describe(language),
        "known to": ", ".join(known.known_to),
        "taken for": dict(known.confused),
        "taken by cld2 for": dict(known.cld2_says),
    }


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{code} {share:.0%}" for code, share in list(value.items())[:CONFUSIONS_SHOWN])
    return str(value)
