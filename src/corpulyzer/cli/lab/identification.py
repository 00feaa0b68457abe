"""`corpulyzer evaluate identification`: how well languages are told apart."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corpulyzer.cli.options import Json, Quiet

if TYPE_CHECKING:
    from corpulyzer.lab.evaluate.identification import Evaluation

CONFUSIONS_SHOWN = 15


def identification(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Folder with a text file for each language: urd.txt, …")
    ],
    level: Annotated[
        str,
        typer.Option(
            metavar="LEVEL",
            help="What is given to the identifier: word, pair, cut (15 characters), headline, mixed "
            "(20 to 500), sentence, paragraph or document.",
        ),
    ] = "paragraph",
    target: Annotated[
        str, typer.Option(metavar="LANG", help="Show precision, recall and false positives for a language.")
    ] = "",
    identifier: Annotated[
        str, typer.Option(metavar="NAME", help="ensemble, guess, cld2, markov, or a fastText model's path.")
    ] = "ensemble",
    against: Annotated[
        str, typer.Option(metavar="NAME,…", help="Others to compare with: cld2-guess, py3langid, lingua, …")
    ] = "",
    limit: Annotated[int, typer.Option(metavar="N", help="Texts of each language at most; 0: all.")] = 0,
    kept_out: Annotated[
        bool, typer.Option("--kept-out", help="Only lines that the table of short text was not made of.")
    ] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Measure identifiers on texts whose language is known.

    Example: [bold]corpulyzer evaluate identification gold/ --target hrv --against cld2[/bold]
    """
    from corpulyzer.cli.output import advise, print_json
    from corpulyzer.lab.evaluate.peers import compare_identifiers
    from corpulyzer.language import Language

    code = Language.find(target).code if target else ""
    names = [identifier, *filter(None, against.split(","))]
    results = compare_identifiers(folder, names, code, level, limit, kept_out=kept_out)
    if json:
        print_json([result.to_json(code) for result in results])
        return
    _print_summary(results, code)
    if code:
        _print_false_positives(results, code)
    _print_confusions(results[0])
    advise(f"Next: corpulyzer evaluate identification {folder} --json lists every confusion.", quiet)


def _print_summary(results: list[Evaluation], code: str) -> None:
    from rich.table import Table

    from corpulyzer.cli.output import print_table

    table = Table("identifier", box=None, pad_edge=False, header_style="bold")
    shown = (f"{code} precision", f"{code} recall", f"{code} F1") if code else ()
    for name in ("texts", "accuracy", "macro F1", "und", "ECE", *shown, "texts/s", "MB/s"):
        table.add_column(name, justify="right")
    for result in results:
        of = result.of(code)
        own = [f"{x:.3f}" for x in (of.precision, of.recall, of.f1)] if code else []
        speed = [f"{result.texts_per_second:,.0f}", f"{result.megabytes_per_second:.1f}"]
        shares = (result.accuracy, result.macro_f1, result.undetermined, result.reliability.expected_error)
        row = [f"{result.texts:,}", *(f"{share:.3f}" for share in shares), *own, *speed]
        table.add_row(result.name, *row)
    print_table(table)


def _print_false_positives(results: list[Evaluation], code: str) -> None:
    from rich.table import Table

    from corpulyzer.cli.output import print_table

    by_name = {result.name: result.of(code).false_positives for result in results}
    rivals = dict.fromkeys(rival for each in by_name.values() for rival in each)
    table = Table(f"taken for {code}", box=None, pad_edge=False, header_style="bold")
    for name in by_name:
        table.add_column(name, justify="right")
    for rival in list(rivals)[:CONFUSIONS_SHOWN]:
        table.add_row(rival, *(f"{each.get(rival, 0.0):.1%}" for each in by_name.values()))
    print_table(table)


def _print_confusions(result: Evaluation) -> None:
    from rich.table import Table

    from corpulyzer.cli.output import print_table

    table = Table("language", "answer", box=None, pad_edge=False, header_style="bold")
    for name in ("texts", "share"):
        table.add_column(name, justify="right")
    for language, answer, size, share in result.confusions()[:CONFUSIONS_SHOWN]:
        table.add_row(language, answer, f"{size:,}", f"{share:.1%}")
    print_table(table)
