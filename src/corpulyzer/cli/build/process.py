"""`corpulyzer process`: documents made again from what is stored."""

from __future__ import annotations

from typing import Annotated

import typer

from corpulyzer.cli.options import Work, grouped


@grouped
def process(
    *,
    start: Annotated[
        str | None, typer.Option("--from", metavar="STAGE", help="index, extract, identify or filter.")
    ] = None,
    work: Work,
) -> None:
    """Bring the documents up to date with the archives and the settings; no network.

    Without --from, only what a changed setting has made stale is made again.

    Example: [bold]corpulyzer process --from extract --project urduweb[/bold]
    """
    from corpulyzer.cli.output import advise, print_funnel, print_json, warn_of

    corpus = work.corpus()
    with corpus.engine() as runner:
        with work.progress() as show:
            made = corpus.process(start, progress=show, engine=runner)
        funnel = corpus.funnel(engine=runner)
    warn_of(corpus, funnel)
    if work.json:
        print_json({"parts_made": made, "funnel": funnel.to_json()})
        return
    if not work.quiet:
        typer.echo(
            f"{made:,} parts made again."
            if made
            else "Everything was up to date; --from STAGE makes it again."
        )
        print_funnel(funnel)
    advise(f"Next: corpulyzer status --project {work.project}", work.quiet)
