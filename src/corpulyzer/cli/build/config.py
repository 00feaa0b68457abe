"""`corpulyzer config`: the merged settings, and where each comes from."""

from __future__ import annotations

from typing import Annotated

import typer

from corpulyzer.cli.options import Json, Project, Quiet


def config(
    explain: Annotated[str | None, typer.Option(metavar="KEY", help="Say what a setting means.")] = None,
    language: Annotated[
        str | None, typer.Option(metavar="CODE", help="Settings as they are for one language of several.")
    ] = None,
    project: Project = ".",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Print every setting with its value and origin: flag, environment, file, learned, preset or default.

    The first of these that has a setting wins. With --language, each is asked for that language's own
    table first.

    Example: [bold]corpulyzer config --explain filter.content_size.min_bytes[/bold]
    """
    from dataclasses import asdict

    from rich.table import Table

    from corpulyzer.cli.output import advise, print_json, print_table
    from corpulyzer.corpus.settings.config import load, load_with_plugins
    from corpulyzer.corpus.settings.explain import explained, settings_of_language

    settings = load_with_plugins(project)
    if language is not None:
        settings = settings_of_language(load(project)[0].corpus, settings, language)
    if explain is not None:
        settings = explained(settings, explain)
    if json:
        print_json([asdict(setting) for setting in settings])
        return
    table = Table("setting", "value", "from", box=None, pad_edge=False, header_style="bold")
    if explain is not None:
        table.add_column("meaning")
    for setting in settings:
        row = [setting.key, str(setting.value), setting.origin]
        table.add_row(*row, *([setting.explanation] if explain is not None else []))
    print_table(table)
    if explain is None:
        advise("Next: corpulyzer config --explain KEY says what a setting means.", quiet)
