"""`corpulyzer seeds report`: what each source of seeds was worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from corpulyzer.cli.options import MOST, Work, grouped

if TYPE_CHECKING:
    from corpulyzer.web.seeds.report import SeedReport


@grouped
def report(
    *,
    limit: Annotated[
        int, typer.Option(metavar="N", min=1, max=MOST, help="Sites to show that sources agree on.")
    ] = 20,
    work: Work,
) -> None:
    """Print for each source its seeds, how many live and are in the language, and what its sites yielded.

    Example: [bold]corpulyzer seeds report --project urduweb[/bold]
    """
    from dataclasses import asdict

    from corpulyzer.cli.output import advise, print_json, warn_stale

    corpus = work.corpus()
    found = corpus.seeds.report(limit)
    warn_stale(corpus, "duplicates")
    if work.json:
        print_json(asdict(found))
        return
    _print(found)
    advise(f"Next: corpulyzer crawl --contact you@example.org --project {work.project}", work.quiet)


def _print(found: SeedReport) -> None:
    from rich.table import Table

    from corpulyzer.cli.output import print_table, print_text

    table = Table("source", box=None, pad_edge=False, header_style="bold")
    names = (
        "seeds",
        "sites",
        "fetched",
        "live",
        "in language",
        "pages fetched",
        "pages kept",
        "target bytes",
        "yield",
    )
    for name in names:
        table.add_column(name, justify="right", no_wrap=True)
    for row in found.sources:
        numbers = [f"{row[name.replace(' ', '_')]:,}" for name in names[:-1]]
        table.add_row(row["source"], *numbers, f"{row['yield']:.1%}")
    print_table(table)
    if found.agreed:
        print_text("Sites that several sources agree on:")
    for row in found.agreed:
        print_text(f"  {row['site']}: {row['sources']} sources, {row['seeds']:,} seeds")
