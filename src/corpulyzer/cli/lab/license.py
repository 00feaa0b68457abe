"""`corpulyzer evaluate license`: how well licenses are found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from corpulyzer.cli.options import InReport, Json, Quiet

if TYPE_CHECKING:
    from corpulyzer.lab.evaluate.license import Measured

LONGEST_BAR = 40


def license(
    gold: Annotated[
        str,
        typer.Argument(metavar="GOLD", help="JSONL with url, html and license on each line; - for stdin."),
    ],
    method: Annotated[
        str, typer.Option(metavar="default|c4corpus", help="Our rules, or the regex of C4Corpus.")
    ] = "default",
    project: InReport = "",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Compare the licenses that are found with those that a person noted, page by page and after the vote.

    Example: [bold]corpulyzer evaluate license gold.jsonl[/bold]
    """
    from corpulyzer.cli.input import read_input
    from corpulyzer.cli.output import advise, print_json
    from corpulyzer.lab.evaluate.license import evaluate_license, method_named, read_gold

    asked = method_named(method)
    pages = read_gold(read_input(gold), gold)
    alone, voted = evaluate_license(pages, asked)
    if project:
        from corpulyzer.lab.evaluate.in_report import into_report, license_results

        into_report(project, license_results(alone, voted, len(pages), method))
    if json:
        print_json({"pages": len(pages), "method": method, "page": alone.to_json(), "site": voted.to_json()})
        return
    _print_binary(alone, voted)
    _print_kinds(alone)
    _print_false_positives(alone, voted)
    advise(f"Next: corpulyzer evaluate license {gold} --json lists every mistake.", quiet)


def _print_binary(alone: Measured, voted: Measured) -> None:
    from rich.table import Table

    from corpulyzer.cli.output import print_table

    table = Table("Creative Commons or none", box=None, pad_edge=False, header_style="bold")
    for name in ("precision", "recall", "F1", "kind right"):
        table.add_column(name, justify="right")
    for name, found in (("each page by itself", alone), ("after the vote of its site", voted)):
        binary = found.binary
        shares = (binary.precision, binary.recall, binary.f1, found.accuracy)
        table.add_row(name, *(f"{share:.2%}" for share in shares))
    print_table(table)


def _print_kinds(found: Measured) -> None:
    from rich.table import Table

    from corpulyzer.cli.output import print_table

    table = Table("kind", box=None, pad_edge=False, header_style="bold")
    for name in ("pages", "found", "right"):
        table.add_column(name, justify="right")
    table.add_column("")
    most = max((kind.gold for kind in found.kinds), default=0) or 1
    for kind in found.kinds:
        bar = "█" * round(LONGEST_BAR * kind.right / most) + "░" * round(
            LONGEST_BAR * (kind.gold - kind.right) / most
        )
        right = f"{kind.accuracy:.0%}" if kind.gold else "–"
        table.add_row(kind.name, f"{kind.gold:,}", f"{kind.found:,}", right, bar)
    print_table(table)


def _print_false_positives(alone: Measured, voted: Measured) -> None:
    from corpulyzer.cli.output import print_text

    left = {mistake.url for mistake in voted.false_positives}
    print_text(f"Pages without a license that were given one: {len(alone.false_positives)}.")
    for mistake in alone.false_positives:
        vote = "stays after the vote" if mistake.url in left else "the vote takes it away"
        print_text(f"  {mistake.url}  {mistake.found}  ({vote})")
