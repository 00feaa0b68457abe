"""`corpulyzer remove`: a takedown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from corpulyzer.cli.options import Work, grouped

if TYPE_CHECKING:
    from corpulyzer.jobs.remove import Removal


@grouped
def remove(
    *,
    what: Annotated[str, typer.Argument(metavar="URL|SITE", help="https://a.example/page, or a.example.")],
    why: Annotated[str, typer.Option(metavar="TEXT", help="Who asked, and when; kept with the record.")] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be removed.")] = False,
    work: Work,
) -> None:
    """Take a page or a site out of archives, tables and index; it is never fetched or imported again.

    Example: [bold]corpulyzer remove https://example.org/page --why "mail of 3 May" --project urduweb[/bold]
    """
    from corpulyzer.cli.output import print_json

    corpus = work.corpus()
    if dry_run:
        done = corpus.would_remove(what)
    else:
        with work.progress() as show:
            done = corpus.remove(what, why, progress=show)
    if work.json:
        print_json(done.to_json())
        return
    _print(done, "would be removed" if dry_run else "removed", work.quiet)


def _print(done: Removal, verb: str, quiet: bool) -> None:
    from corpulyzer.cli.output import advise, print_text

    counts = ", ".join(f"{count:,} {name}" for name, count in done.counts.items())
    print_text(f"{done.name} {verb}: {counts}.")
    for path, records in done.outside.items():
        advise(f"{path} is not in the corpus folder and still has {records:,} records of it.", quiet)
    if done.exports:
        advise(f"Older exports may have it: {', '.join(done.exports)}. Make new ones.", quiet)
