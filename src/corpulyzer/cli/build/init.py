"""`corpulyzer init`: a corpus folder for a language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from corpulyzer.cli.options import Json, Quiet
from corpulyzer.errors import UserError

if TYPE_CHECKING:
    from corpulyzer.language import Language


def init(
    language: Annotated[
        str,
        typer.Argument(help="Code or name: ur, urd, Urdu, srp-Cyrl; not with --languages.", metavar="[LANG]"),
    ] = "",
    folder: Annotated[
        str | None, typer.Argument(metavar="[DIR]", help="Folder to make, or s3:// URI; default: ./LANGweb.")
    ] = None,
    languages: Annotated[
        str, typer.Option(metavar="CODES", help="Several at once: hrv,slv,srp; or all. Then DIR comes alone.")
    ] = "",
    preset: Annotated[str, typer.Option(help="Published pipeline to start from.")] = "default",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make a corpus folder for a language, or for several, and say what is known of it. Asks nothing.

    Example: [bold]corpulyzer init xho xhosaweb[/bold]
    """
    from corpulyzer.api.corpus import create
    from corpulyzer.cli.output import advise, print_json, warn
    from corpulyzer.corpus.settings.file import FILE
    from corpulyzer.jobs.advice import beginnings, known_how_well, unknown_language

    codes = [each.strip() for each in languages.split(",") if each.strip()]
    named, place = _arguments(language, folder, codes)
    corpus = create(named, place, preset, languages=codes)
    known = [describe(each) for each in corpus.targets.languages]
    warn(unknown_language(corpus))
    if json:
        told = {"language": known[0]} if corpus.targets.only else {"languages": known or corpus.targets.codes}
        print_json({"project": corpus.storage.root, **told})
        return
    typer.echo(f"{corpus.storage.path(FILE)} written.")
    if not quiet and not corpus.targets.only:
        typer.echo(f"  languages        {corpus.targets.name}")
    elif not quiet:
        for name, value in known[0].items():
            typer.echo(f"  {name:<16} {value or 'not known'}")
        typer.echo(f"  {'identified by':<16} {known_how_well(corpus.targets.languages[0]) or 'nothing yet'}")
    ways = [(f"corpulyzer {way} --project {corpus.storage.root}", what) for way, what in beginnings(corpus)]
    width = max(len(way) for way, _ in ways)
    lines = "\n".join(f"  {way:<{width}}  {what}" for way, what in ways)
    advise(f"Next, one or more of these:\n{lines}", quiet)
    advise(f"Then: corpulyzer crawl --contact you@example.org --project {corpus.storage.root}", quiet)


def _arguments(language: str, folder: str | None, codes: list[str]) -> tuple[str, str | None]:
    """The language and the folder that the arguments mean: with several languages, a folder alone."""
    if not codes and not language:
        raise UserError(
            "There is no language to make a corpus for.",
            "Name one, `corpulyzer init xho`, or several, `corpulyzer init --languages hrv,slv DIR`.",
        )
    if codes and folder is not None:
        raise UserError(
            f"{language!r} is named beside --languages.",
            "Name one language, or several with --languages, and then the folder alone.",
        )
    return ("", language or None) if codes else (language, folder)


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
