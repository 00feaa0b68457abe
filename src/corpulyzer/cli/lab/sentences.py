"""`corpulyzer evaluate sentences`: how well texts are cut into sentences."""

from __future__ import annotations

from typing import Annotated

import typer

from corpulyzer.cli.options import Json, Quiet


def sentences(
    gold: Annotated[
        str,
        typer.Argument(
            metavar="GOLD",
            help="CoNLL-U, or a sentence a line with an empty line after each document; - for stdin.",
        ),
    ],
    language: Annotated[str, typer.Option(metavar="LANGUAGE", help="The language of the texts.")],
    learn: Annotated[
        str, typer.Option(metavar="FILE", help="Texts of the same form to learn abbreviations from first.")
    ] = "",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Compare the ends of sentences that are found with those of a treebank.

    Example: [bold]corpulyzer evaluate sentences hr_set-ud-test.conllu --language hrv[/bold]
    """
    from corpulyzer.cli.input import read_input
    from corpulyzer.cli.output import advise, print_json, print_text
    from corpulyzer.lab.evaluate.sentences import evaluate_sentences, learned_from, read_gold
    from corpulyzer.language import Language

    target = Language.find(language)
    documents = read_gold(read_input(gold), gold)
    learned = learned_from(read_gold(read_input(learn), learn), target) if learn else None
    found = evaluate_sentences(documents, target, learned)
    if json:
        print_json({"documents": len(documents), "language": target.code, **found.to_json()})
        return
    print_text(
        f"{found.right + found.missed:,} ends of sentences in {len(documents):,} documents: "
        f"precision {found.precision:.2%}, recall {found.recall:.2%}, F1 {found.f1:.2%}."
    )
    command = f"corpulyzer evaluate sentences {gold} --language {language}"
    advise(f"Next: {command} --json lists every mistake.", quiet)
