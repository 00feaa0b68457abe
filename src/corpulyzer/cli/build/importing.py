"""`corpulyzer import`: archives and files in, documents out."""

from __future__ import annotations

from typing import Annotated

import typer

from corpulyzer.cli.options import Work, grouped


@grouped
def import_(
    *,
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="PATH…", help="Files, folders or s3:// URIs, with * for any part of a name."),
    ] = None,
    lists: Annotated[
        list[str] | None,
        typer.Option(
            "--paths", metavar="FILE", help="List of archives, one a line, such as warc.paths.gz; repeatable."
        ),
    ] = None,
    below: Annotated[
        str, typer.Option("--below", metavar="URI", help="Where relative paths of such a list begin.")
    ] = "",
    work: Work,
) -> None:
    """Take in WARC, ARC, WET, WAT, HTML, JSONL, Parquet or text, and make documents of it.

    Run again after an interruption, it goes on where it was; what is in already is left alone.

    An archive of a store that cannot be read is tried again, then named and left out until the next import.

    Example: [bold]corpulyzer import CC-MAIN-*.warc.gz pages/ --project urduweb[/bold]
    """
    from corpulyzer.cli.output import advise, print_funnel, print_json, warn, warn_of

    if not paths and not lists:
        raise typer.BadParameter("there is nothing to import; name files or folders, or a list with --paths")
    corpus = work.corpus()
    with corpus.engine() as runner:
        with work.progress() as show:
            registered = corpus.import_(
                *(paths or ()), lists=lists or (), below=below, progress=show, engine=runner
            )
        funnel = corpus.funnel(engine=runner)
    warn(registered.refusal())
    warn_of(corpus, funnel)
    if work.json:
        print_json({"imported": registered.to_json(), "funnel": funnel.to_json()})
    elif not work.quiet:
        typer.echo(registered.summary())
        print_funnel(funnel)
    if not registered.sources:
        raise typer.Exit(1)
    if not work.json:
        advise(f"Next: corpulyzer status --project {work.project}", work.quiet)
