"""`corpulyzer extract`: the main text of one page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from corpulyzer.cli.options import Json, Quiet

if TYPE_CHECKING:
    from corpulyzer.corpus.settings.config import Config


def names(config: Config) -> list[str]:
    """The extractors there are for any page: ours, and those of packages."""
    from corpulyzer.page.extract import EXTRACTORS

    return EXTRACTORS.names(plugin for plugin in config.extract.plugins if not plugin.file)


def extract(
    file: Annotated[
        str, typer.Argument(metavar="FILE|-", help="HTML, PDF, DOCX or EPUB file, or - for standard input.")
    ],
    extractor: Annotated[str, typer.Option(metavar="NAME", help="Which extractor.")] = "default",
    url: Annotated[str | None, typer.Option(help="Address of the page, to make its links absolute.")] = None,
    html: Annotated[bool, typer.Option("--html", help="Print minimal HTML: an element a paragraph.")] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Print the main text of a page or file, a paragraph a line.

    Example: [bold]curl -s https://akhbar.example/ | corpulyzer extract -[/bold]
    """
    from corpulyzer import extract as extraction_of
    from corpulyzer.cli.input import read_input
    from corpulyzer.cli.output import advise, print_json, print_text

    found = extraction_of(read_input(file), url=url, extractor=extractor)
    if json:
        print_json({"title": found.title, "paragraphs": list(found.paragraphs), "reason": found.reason})
        return
    if found.text:
        print_text(found.minimal_html if html else found.text)
    else:
        advise(f"No text: {found.reason}", quiet)
