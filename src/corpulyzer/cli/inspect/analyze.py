"""`corpulyzer analyze`: measure the corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from corpulyzer.cli.options import InLanguage, InSubcorpus, Work, grouped

if TYPE_CHECKING:
    from corpulyzer.api.corpus import Corpus
    from corpulyzer.measure.result import Result

ROWS_PRINTED = 12


@grouped
def analyze(
    *,
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]…", help="Panels or measures; all without any.")
    ] = None,
    figures: Annotated[
        bool, typer.Option("--figures", help="Write every figure as SVG and PNG to analysis/figures/.")
    ] = False,
    list_: Annotated[
        bool, typer.Option("--list", help="Print the panels and their measures, and stop.")
    ] = False,
    again: Annotated[bool, typer.Option("--again", help="Measure again what is stored already.")] = False,
    language: InLanguage = "",
    subcorpus: InSubcorpus = "",
    work: Work,
) -> None:
    """Measure the corpus, and store every table as JSON and CSV in its folder analysis/.

    What was measured before is not measured again unless the documents have changed. Of a corpus of several
    languages it is what holds for all together; words, growth, topics and the like need --language.

    Example: [bold]corpulyzer analyze funnel concentration --project urduweb[/bold]
    """
    from corpulyzer.cli.output import advise, print_json, warn_stale
    from corpulyzer.jobs.analyze import run

    corpus = work.corpus()
    if list_:
        print_panels(corpus, work.json)
        return
    with corpus.engine() as runner, work.progress() as show:
        whole = corpus.in_language(language, engine=runner) if language else corpus
        of = whole.in_subcorpus(subcorpus, engine=runner)
        measured = run.analyze(of, runner, names or (), show, again)
    warn_stale(of, "documents", "duplicates", "annotations")
    if figures:
        run.write_figures(of, measured)
    results = run.chosen(measured, names or ())
    if work.json:
        print_json(results.to_json())
        return
    for result in results:
        print_result(result, brief=not names)
    advise(f"Next: corpulyzer report --open --project {work.project}", work.quiet)


def print_panels(corpus: Corpus, json: bool) -> None:
    """Print every panel with its section and its measures; those of plug-ins with where they come from."""
    from corpulyzer.cli.output import print_json, print_text
    from corpulyzer.measure.panels import all_panels

    there = all_panels(corpus.config.analyze.plugins)
    rows = [
        {
            "panel": panel.name,
            "section": panel.section,
            "measures": list(panel.results),
            "from": (panel.plugin.file or panel.plugin.home) if panel.plugin else "",
        }
        for panel in there
    ]
    if json:
        print_json(rows)
        return
    for row in rows:
        known = ", ".join(row["measures"]) or f"from {row['from']}"
        print_text(f"{row['panel']}\t{row['section']}\t{known}")


def print_result(result: Result, brief: bool = False, rows: int = ROWS_PRINTED) -> None:
    """Print a result: its summary, and unless `brief` its definition and first rows."""
    from rich.table import Table

    from corpulyzer.cli.output import print_table, print_text
    from corpulyzer.report.cells import table_view

    print_text(f"{result.title}: {result.summary}" if result.summary else result.title)
    if brief:
        return
    print_text(f"  {result.definition} ({result.citation})")
    table = Table(box=None, pad_edge=False, header_style="bold")
    view = table_view(result, rows)
    for column in view.columns:
        table.add_column(column.title, justify="right" if column.number else "left")
    for row in view.rows:
        table.add_row(*row)
    print_table(table)
    if view.more:
        print_text(f"  … {view.more:,} more rows in analysis/{result.name}.csv")
    for warning in result.warnings:
        print_text(f"  Note: {warning}")
    print_text("")
