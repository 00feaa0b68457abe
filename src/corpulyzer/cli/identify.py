"""`corpulyzer identify`: the language of a text."""

from __future__ import annotations

from typing import Annotated

import typer

from corpulyzer.cli.options import Json, Quiet


def identify(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="UTF-8 text file, or - for standard input.")],
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Print the languages of a text with their bytes.

    Example: [bold]echo 'اردو ہے جس کا نام' | corpulyzer identify -[/bold]
    """
    from corpulyzer import identify as identification_of
    from corpulyzer.cli.output import print_json, print_text
    from corpulyzer.cli.reading import read_input
    from corpulyzer.language import Language

    found = identification_of(read_input(file).decode("utf-8", "replace"))
    if json:
        answer = {"language": found.language, "script": found.script, "confidence": found.confidence}
        print_json({**answer, "bytes": found.bytes})
        return
    for code, size in sorted(found.bytes.items(), key=lambda item: (-item[1], item[0])):
        name = "undetermined" if code == "und" else Language.find(code).name
        print_text(f"{code}\t{name}\t{size} bytes")
    if not quiet:
        print_text(f"{found.language} in {found.script or 'no script'}, confidence {found.confidence:.2f}")
