"""`corpulyzer init`: a corpus folder for a language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from corpulyzer.cli.options import Json, Quiet

if TYPE_CHECKING:
    from corpulyzer.language import Language


def init(
    language: Annotated[str, typer.Argument(help="Code or name: ur, urd, Urdu, srp-Cyrl.", metavar="LANG")],
    folder: Annotated[
        str | None, typer.Argument(metavar="[DIR]", help="Folder to make, or s3:// URI; default: ./LANGweb.")
    ] = None,
    preset: Annotated[str, typer.Option(help="Published pipeline to start from.")] = "default",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make a corpus folder for a language and say what is known of it. Asks nothing.

    Example: [bold]corpulyzer init xho xhosaweb[/bold]
    """
    from corpulyzer.api.corpus import create
    from corpulyzer.cli.output import advise, print_json, warn
    from corpulyzer.corpus.settings.file import FILE
    from corpulyzer.jobs.advice import unknown_language

    corpus = create(language, folder, preset)
    found = corpus.language
    warn(unknown_language(corpus))
    if json:
        print_json({"project": corpus.storage.root, "language": describe(found)})
        return
    typer.echo(f"{corpus.storage.path(FILE)} written.")
    if not quiet:
        for name, value in describe(found).items():
            typer.echo(f"  {name:<16} {value or 'not known'}")
    place = corpus.storage.root
    advise(
        f"Next: corpulyzer import PATH… --project {place}   (WARC, WET, HTML, JSONL, Parquet, text)", quiet
    )


def describe(language: Language) -> dict[str, str]:
    """What is known of a language, in words; empty where nothing is."""
    return {
        "code": language.code,
        "name": language.name,
        "own name": language.own_name,
        "script": ", ".join(language.scripts),
        "direction": {"ltr": "left to right", "rtl": "right to left"}.get(language.direction, ""),
        "relatives": ", ".join(language.relatives),
        "names in links": ", ".join(language.name_substrings),
    }
