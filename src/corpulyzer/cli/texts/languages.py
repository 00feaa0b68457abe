"""`corpulyzer languages`: which languages there are, who knows them, and what they are taken for."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from corpulyzer.cli.options import Json, Quiet

if TYPE_CHECKING:
    from corpulyzer.language import Language
    from corpulyzer.page.identify.coverage import Coverage

COLUMNS = ("code", "name", "own name", "script", "relatives", "known to", "taken for")
QUALITY_COLUMNS = ("code", "name", "known to", "measured on", "sentences", "right", "taken for")
CONFUSIONS_SHOWN = 3


def languages(
    query: Annotated[
        str, typer.Argument(metavar="[QUERY]", help="Code, or part of a name in any language.")
    ] = "",
    quality: Annotated[
        bool, typer.Option("--quality", help="What identification was measured on, and how much was right.")
    ] = False,
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
    if quality:
        # A language that nothing knows has no quality, unless it was asked for.
        known = [each for each in found if query or each.code in covered]
        rows = [_quality(each, covered.get(each.code, Coverage())) for each in known]
    else:
        rows = [_facts(language, covered.get(language.code, Coverage())) for language in found]
    if json:
        print_json(rows)
        return
    columns = QUALITY_COLUMNS if quality else COLUMNS
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in columns:
        table.add_column(name)
    for facts in rows:
        table.add_row(*(_shown(facts[name]) for name in columns))
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


def _quality(language: Language, known: Coverage) -> dict[str, Any]:
    """What single sentences of a language were told as, in the sources that it was measured on."""
    from corpulyzer.page.identify.coverage import measurements

    sources = measurements().get(language.code, ())
    texts = sum(each.texts for each in sources)
    wrong: Counter[str] = Counter()
    for each in sources:
        wrong.update(each.wrong)
    return {
        "code": language.code,
        "name": language.name,
        "known to": ", ".join(known.known_to),
        "measured on": ", ".join(f"{each.source} {each.texts}" for each in sources) or "nothing",
        "sentences": texts,
        "right": round(sum(each.right for each in sources) / texts, 3) if texts else None,
        "taken for": {code: size / texts for code, size in wrong.most_common()},
        "by source": {each.source: {"sentences": each.texts, "right": each.right} for each in sources},
    }


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{code} {share:.0%}" for code, share in list(value.items())[:CONFUSIONS_SHOWN])
    return "" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)
