"""`corpulyzer compare`: corpora beside each other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from corpulyzer.cli.input import local_path
from corpulyzer.cli.options import EngineName, Json, Master, Quiet, engine_flags

ROWS_PRINTED = 100


def compare(
    folders: Annotated[
        list[str],
        typer.Argument(metavar="DIR DIR…", help="Corpus folders, two or more unless languages are."),
    ],
    language: Annotated[
        list[str] | None,
        typer.Option(metavar="CODE", help="Language of corpora of several; several compare them."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE.html", help="Write a page with all figures.", parser=local_path),
    ] = None,
    engine: EngineName = None,
    master: Master = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Compare corpora: shared pages and sites, churn, words and topics, and their numbers side by side.

    Example: [bold]corpulyzer compare urduweb cc-urdu --out compare.html[/bold]
    """
    from corpulyzer.api.corpus import open_corpus
    from corpulyzer.cli.inspect.analyze import print_result
    from corpulyzer.cli.output import advise, print_json, progress, warn_stale

    corpora = [
        open_corpus(folder, engine_flags(engine, master)).in_language(code)
        for folder in folders
        for code in language or [""]
    ]
    with progress(quiet or json) as show:
        found = corpora[0].compare(*corpora[1:], progress=show)
    for corpus in corpora:
        warn_stale(corpus, "duplicates")
    if out:
        from corpulyzer.report import comparison_page

        out.write_text(comparison_page(corpora[0], found), "utf-8")
    if json:
        print_json(found.to_json())
        return
    for result in found:
        print_result(result, rows=ROWS_PRINTED)
    if not out:
        advise("Next: the same with --out compare.html writes a page with the figures.", quiet)
