"""`corpulyzer demo`: the main job on the built-in web."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from corpulyzer.cli.options import Json, Quiet


def demo(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="Folder to make.")] = Path("demo"),
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make a small multilingual web archive, import it for Urdu, and print the funnel. No network.

    Example: [bold]corpulyzer demo[/bold]
    """
    from corpulyzer.cli.output import advise, print_funnel, print_json, progress
    from corpulyzer.config import FILE
    from corpulyzer.corpus import create, open_corpus
    from corpulyzer.demo.archive import write_archive

    fresh = not (folder / FILE).exists()
    if fresh:
        create("urd", folder)
    archive = folder / "demo-web.warc.gz"
    write_archive(archive)
    corpus = open_corpus(folder)
    with corpus.engine() as runner:
        with progress(quiet or json) as show:
            corpus.import_paths([str(archive)], runner, show)
        funnel = corpus.funnel(runner)
    if json:
        print_json({"project": str(folder), "funnel": funnel.to_json()})
        return
    print_funnel(funnel)
    advise(
        f"Next: corpulyzer status --project {folder}\n"
        f"      corpulyzer why https://akhbar.example/ --project {folder}\n"
        "      corpulyzer init LANG starts a corpus of your own",
        quiet,
    )
