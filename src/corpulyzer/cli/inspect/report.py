"""`corpulyzer report`: one page about the corpus."""

from __future__ import annotations

from typing import Annotated

import typer

from corpulyzer.cli.options import AsOf, InLanguage, InSubcorpus, Work, grouped


@grouped
def report(
    *,
    open_: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
    again: Annotated[bool, typer.Option("--again", help="Measure again what is stored already.")] = False,
    interface: Annotated[
        str, typer.Option("--interface", metavar="CODE", help="Language that the page speaks: en, de, ur.")
    ] = "en",
    language: InLanguage = "",
    subcorpus: InSubcorpus = "",
    as_of: AsOf = "",
    work: Work,
) -> None:
    """Write the report on the corpus to report/index.html: one file that needs no network.

    What is not measured yet is measured first. The data card (card.md) and manifest.json are written too.

    Example: [bold]corpulyzer report --open --project urduweb[/bold]
    """
    from corpulyzer.cli.output import advise, print_json, print_text, warn_stale

    whole = work.corpus_as_of(as_of)
    corpus = (whole.in_language(language) if language else whole).in_subcorpus(subcorpus)
    with work.progress() as show:
        page = corpus.report(again=again, interface=interface, progress=show)
    warn_stale(corpus, "documents", "duplicates", "annotations")
    if work.json:
        print_json({"report": page, "card": corpus.storage.path("card.md")})
    else:
        print_text(page)
    if open_:
        import webbrowser
        from pathlib import Path

        webbrowser.open(Path(page).as_uri() if "://" not in page else page)
    elif not work.quiet and not work.json:
        advise("Open it in a browser, or run this with --open.", work.quiet)
