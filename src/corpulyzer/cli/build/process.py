"""`corpulyzer process`: documents made again from what is stored."""

from __future__ import annotations

from typing import Annotated

import typer

from corpulyzer.cli.options import EngineName, Json, Master, Project, Quiet, engine_flags


def process(
    start: Annotated[
        str | None, typer.Option("--from", metavar="STAGE", help="index, extract, identify or filter.")
    ] = None,
    project: Project = ".",
    engine: EngineName = None,
    master: Master = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Bring the documents up to date with the archives and the settings; no network.

    Without --from, only what a changed setting has made stale is made again.

    Example: [bold]corpulyzer process --from extract --project urduweb[/bold]
    """
    from corpulyzer.api.corpus import open_corpus
    from corpulyzer.cli.output import advise, print_funnel, print_json, progress, warn_of

    corpus = open_corpus(project, engine_flags(engine, master))
    with corpus.engine() as runner:
        with progress(quiet or json) as show:
            made = corpus.process(start, progress=show, engine=runner)
        funnel = corpus.funnel(engine=runner)
    warn_of(corpus, funnel)
    if json:
        print_json({"parts_made": made, "funnel": funnel.to_json()})
        return
    if not quiet:
        typer.echo(
            f"{made:,} parts made again."
            if made
            else "Everything was up to date; --from STAGE makes it again."
        )
        print_funnel(funnel)
    advise(f"Next: corpulyzer status --project {project}", quiet)
