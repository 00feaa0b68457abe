"""`corpulyzer stop-words`: a list of stop words learned from a corpus."""

from __future__ import annotations

from typing import Annotated

import typer

from corpulyzer.cli.options import InLanguage, Json, Project, Quiet


def stop_words(
    project: Project = ".",
    share: Annotated[
        float, typer.Option(min=0.01, max=0.99, help="Share of the running words that the list makes up.")
    ] = 0.5,
    language: InLanguage = "",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Print the most frequent words of the language in the kept documents, for `extract.stop_words`.

    Example: [bold]corpulyzer stop-words --project urduweb > stop-words.txt[/bold]
    """
    from corpulyzer.api.corpus import open_corpus
    from corpulyzer.cli.output import advise, print_json, print_text, warn_stale

    corpus = open_corpus(project).in_language(language)
    words = corpus.stop_words(share)
    warn_stale(corpus, "duplicates")
    if json:
        print_json(words)
        return
    if words:
        print_text("\n".join(words))
    advise("Next: set extract.stop_words to the file, then run corpulyzer process.", quiet)
