"""`corpulyzer upgrade`: a folder of an earlier version, brought up to today's format."""

from __future__ import annotations

import typer

from corpulyzer.cli.options import Json, Project, Quiet


def upgrade(project: Project = ".", json: Json = False, quiet: Quiet = False) -> None:
    """Bring a corpus of an earlier version up to today's format. Nothing is fetched, no document made again.

    Run it again if it was stopped. A corpus that has the format already stays as it is.

    Example: [bold]corpulyzer upgrade --project urduweb[/bold]
    """
    from dataclasses import asdict

    from corpulyzer.api.corpus import upgrade
    from corpulyzer.cli.output import advise, print_json, progress

    with progress(quiet or json) as show:
        done = upgrade(project, show)
    if json:
        print_json(asdict(done))
        return
    typer.echo(f"Format {done.before} → {done.after}; {done.files:,} files were written anew.")
    advise(f"Next: corpulyzer status --project {project}", quiet)
