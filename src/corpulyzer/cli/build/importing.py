"""`corpulyzer import`: archives and files in, documents out."""

from __future__ import annotations

from typing import Annotated

import typer

from corpulyzer.cli.options import Work, grouped


@grouped
def import_(
    *,
    paths: Annotated[list[str], typer.Argument(metavar="PATH…", help="Files, folders or s3:// URIs.")],
    work: Work,
) -> None:
    """Take in WARC, ARC, WET, WAT, HTML, JSONL, Parquet or text, and make documents of it.

    Run again after an interruption, it goes on where it was; what is in already is left alone.

    Example: [bold]corpulyzer import CC-MAIN-*.warc.gz pages/ --project urduweb[/bold]
    """
    from corpulyzer.cli.output import advise, print_funnel, print_json, warn_of

    corpus = work.corpus()
    with corpus.engine() as runner:
        with work.progress() as show:
            registered = corpus.import_(*paths, progress=show, engine=runner)
        funnel = corpus.funnel(engine=runner)
    warn_of(corpus, funnel)
    if work.json:
        print_json({"imported": registered.to_json(), "funnel": funnel.to_json()})
        return
    if not work.quiet:
        typer.echo(registered.summary())
        print_funnel(funnel)
    advise(f"Next: corpulyzer status --project {work.project}", work.quiet)
