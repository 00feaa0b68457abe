"""`corpulyzer search`: look a text up in the corpus."""

from __future__ import annotations

from typing import Annotated

import typer

from corpulyzer.cli.options import EngineName, Json, Master, Project, Quiet, engine_flags

LONGEST_SHOWN = 300


def search(
    similar: Annotated[
        str, typer.Option(metavar="FILE", help="Text whose copies and reused passages to find; - for stdin.")
    ],
    limit: Annotated[int, typer.Option(metavar="N", min=1, help="Documents to show at most.")] = 20,
    project: Project = ".",
    engine: EngineName = None,
    master: Master = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find documents that are like a text or share passages with it, and where these stand.

    Example: [bold]corpulyzer search --similar article.txt --project urduweb[/bold]
    """
    from corpulyzer.cli.output import advise, print_json, print_text
    from corpulyzer.cli.reading import read_input
    from corpulyzer.corpus import open_corpus
    from corpulyzer.look_up import look_up

    text = read_input(similar).decode("utf-8", "replace")
    corpus = open_corpus(project, engine_flags(engine, master))
    with corpus.engine() as runner:
        matches = look_up(corpus, runner, text, limit)
    if json:
        print_json({"matches": [match.to_json() for match in matches]})
        return
    for match in matches:
        print_text(f"{match.url}: {match.share:.0%} of the text, similarity {match.similarity:.2f}")
        for passage, words in zip(match.passages, match.texts, strict=True):
            shown = words.replace("\n", " ")[:LONGEST_SHOWN]
            print_text(f"  characters {passage.begins:,} to {passage.stops:,}: {shown}")
    if not matches:
        print_text("Nothing of this text is in the corpus.")
    advise(f"Next: corpulyzer why URL --project {project}", quiet)
