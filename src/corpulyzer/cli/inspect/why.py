"""`corpulyzer why`: everything that happened to one page."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from corpulyzer.cli.options import Work, grouped

LONGEST_SHOWN = 200


@grouped
def why(
    *,
    url: Annotated[
        str, typer.Argument(metavar="URL", help="Address of the page, as it was fetched or imported.")
    ],
    work: Work,
) -> None:
    """Tell what happened to a page: each fetch, what was learned, the verdict and its numbers.

    Example: [bold]corpulyzer why https://akhbar.example/news/1 --project urduweb[/bold]
    """
    from corpulyzer.cli.output import advise, print_json, warn_stale

    corpus = work.corpus()
    events = corpus.why(url)
    warn_stale(corpus, "duplicates")
    if work.json:
        print_json(events)
        return
    for event in events:
        _show(event)
    advise(f"Next: corpulyzer status --project {work.project} counts the reasons of all pages.", work.quiet)


def _show(event: dict[str, Any]) -> None:
    typer.echo(f"{event['what']}")
    for name, value in event.items():
        if name == "what" or value in ("", None, [], {}):
            continue
        if name == "difference":
            typer.echo("\n".join([f"  {name}", *(f"    {line}" for line in value)]))
            continue
        text = str(value)
        typer.echo(f"  {name:<20} {text[:LONGEST_SHOWN]}{'…' if len(text) > LONGEST_SHOWN else ''}")
