"""`corpulyzer estimate`: what a corpus of any size would cost."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corpulyzer.cli.input import local_path
from corpulyzer.cli.options import Json, Project, Quiet

if TYPE_CHECKING:
    from corpulyzer.lab.estimate import Estimated
    from corpulyzer.lab.estimate.model import Cost

MOST_PAGES = 10**12


def estimate(
    pages: Annotated[
        list[int] | None,
        typer.Argument(
            metavar="[PAGES]…",
            min=1,
            max=MOST_PAGES,
            help="Pages of the corpus; a million, 10⁸ and 10⁹, if none.",
        ),
    ] = None,
    units: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Keeps what was measured; if it is there, nothing is.", parser=local_path
        ),
    ] = None,
    archive: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Measure pages of your own, in the project's language.", parser=local_path
        ),
    ] = None,
    steps: Annotated[bool, typer.Option("--steps", help="Show each step.")] = False,
    project: Project = ".",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Tell what a corpus of so many pages would cost, made of archives and by a crawl.

    A run of a minute or two on pages of the built-in web measures what a page costs on this machine. Prices,
    machines and the rest are settings: [bold]corpulyzer config --explain estimate[/bold] shows them.

    Example: [bold]corpulyzer estimate 1000000 --units units.json[/bold]
    """
    from corpulyzer.cli.output import advise, print_json, progress
    from corpulyzer.lab.estimate import estimate

    with progress(quiet or json) as show:
        found = estimate(*pages or (), project=project, units=units, archive=archive, progress=show)
    if json:
        print_json(found.to_json())
        return
    _print(found, steps)
    advise("Next: set [estimate] in corpulyzer.toml to the prices and machines that you have.", quiet)


def _print(found: Estimated, steps: bool) -> None:
    from rich.table import Table

    from corpulyzer.cli.output import print_table, print_text

    table = Table("pages", "way", "engine", box=None, pad_edge=False, header_style="bold")
    for name in ("CPU-hours", "requests", "read", "shuffled", "kept", "hours", "dollars"):
        table.add_column(name, justify="right", no_wrap=True)
    for each in found.estimates:
        table.add_row(f"{each.pages:,}", each.way, each.engine, *_cells(each.total))
        for name, cost in each.steps.items() if steps else ():
            table.add_row("", f"  {name}", "", *_cells(cost))
    print_table(table)
    it = found.config.estimate
    print_text(f"Dollars: {it.prices}; kept for {it.months:g} months. Hours: {it.cores} cores.")


def _cells(cost: Cost) -> list[str]:
    requests = cost.requests.reads + cost.requests.writes
    sizes = (cost.usage.read_bytes, cost.usage.passed_bytes, cost.usage.kept_bytes)
    return [
        f"{cost.usage.cpu_seconds / 3600:,.2f}",
        f"{requests:,.0f}",
        *map(_size, sizes),
        f"{cost.hours:,.2f}",
        f"{cost.dollars:,.2f}",
    ]


def _size(count: float) -> str:
    """Bytes in a unit that people read.

    >>> _size(1_234_000_000)
    '1.2 GB'
    """
    for unit in ("bytes", "kB", "MB", "GB", "TB"):
        if count < 1000 or unit == "TB":
            break
        count /= 1000
    return f"{count:,.1f} {unit}"
