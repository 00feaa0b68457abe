"""`corpulyzer evaluate extraction`: how well main content is found."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corpulyzer.cli.input import local_path
from corpulyzer.cli.options import MOST, InReport, Json, Quiet

if TYPE_CHECKING:
    from corpulyzer.lab.evaluate.extraction import Summary
    from corpulyzer.lab.evaluate.extractors import Compared

Folder = Annotated[
    Path, typer.Argument(metavar="GOLD_DIR", help="Folder with gold.jsonl and html/, or a folder of such.")
]
Names = Annotated[
    list[str] | None,
    typer.Option("--extractor", metavar="NAME", help="An extractor, again for more; all peers: peers."),
]
Kind = Annotated[
    str, typer.Option(metavar="shingle|tokens|lcs|cleaneval|snippets", help="What is counted on a page.")
]
Html = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write the worst pages here, side by side.", parser=local_path),
]


def extraction(
    gold_dir: Folder,
    extractor: Names = None,
    metric: Kind = "shingle",
    worst: Annotated[int, typer.Option(min=0, max=MOST, help="How many of the worst pages to show.")] = 5,
    html: Html = None,
    project: InReport = "",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Compare the text that is found on pages with the text that a person has marked.

    Example: [bold]corpulyzer evaluate extraction gold/ --extractor default --extractor peers[/bold]
    """
    from corpulyzer.cli.output import advise, print_json, progress
    from corpulyzer.lab.evaluate.extraction import read_gold
    from corpulyzer.lab.evaluate.extractors import compare_extractors, metric_named
    from corpulyzer.lab.evaluate.side_by_side import side_by_side

    asked, pages = metric_named(metric), read_gold(gold_dir)
    with progress(quiet) as show:
        found = compare_extractors(pages, extractor or ["default"], asked, show)
    if html:
        html.write_text(side_by_side(found.worst(worst)), "utf-8")
    if project:
        from corpulyzer.lab.evaluate.in_report import extraction_results, into_report

        sets = {name: found.groups(name)["set"] for name in found.measured}
        into_report(project, extraction_results(sets, asked))
    if json:
        print_json(found.to_json(worst))
        return
    _print(found, worst)
    advise(
        f"Next: open {html}." if html else "Next: --html FILE shows the worst pages beside their gold.", quiet
    )


def _print(found: Compared, count: int) -> None:
    from corpulyzer.cli.output import print_text

    for name in found.measured:
        _print_tables(name, found.groups(name))
    if count:
        print_text(f"The worst pages of {next(iter(found.measured))}:")
    for one in found.worst(count):
        print_text(f"  {one.score.f1:.3f}  {one.page.group}  {one.page.id}  {one.page.url}")


def _print_tables(name: str, groups: dict[str, dict[str, Summary]]) -> None:
    from statistics import fmean

    from rich.table import Table

    from corpulyzer.cli.output import print_table, print_text

    for what, rows in groups.items():
        table = Table(f"{name}, by {what}", box=None, pad_edge=False, header_style="bold")
        for heading in ("pages", "precision", "recall", "F1", "empty", "pages per CPU-second"):
            table.add_column(heading, justify="right")
        for group, figures in sorted(rows.items()):
            shares = (f"{share:.3f}" for share in (figures.precision, figures.recall, figures.f1))
            speed = f"{figures.pages_per_second:,.0f}"
            table.add_row(group or "–", f"{figures.pages:,}", *shares, f"{figures.empty:,}", speed)
        print_table(table)
    if len(groups["set"]) > 1:
        print_text(f"Mean F1 over sets: {fmean(figures.f1 for figures in groups['set'].values()):.3f}")
    print_text("")
