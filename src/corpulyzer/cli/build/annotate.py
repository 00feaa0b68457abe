"""`corpulyzer annotate`: sentences, tokens, lemmas, tags; `annotate train`: a model of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from corpulyzer.cli.input import local_path
from corpulyzer.cli.options import InLanguage, Json, Quiet, Work, grouped

if TYPE_CHECKING:
    from corpulyzer.annotate import Annotated as Made


class CorpusFirst(TyperGroup):
    """A group whose first command may be left out: `annotate` is `annotate corpus`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if not args or args[0] not in (*self.commands, "-h", "--help"):
            args = ["corpus", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=CorpusFirst,
    help="Annotate the kept documents (`annotate`), or learn a tagger from a treebank (`annotate train`).",
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.command("corpus")
@grouped
def corpus(
    *,
    method: Annotated[
        str | None,
        typer.Option(metavar="METHOD", help="auto, plain, simplemma, udpipe, stanza, classla or spacy."),
    ] = None,
    model: Annotated[
        str | None, typer.Option(metavar="PATH", help="Model file (udpipe) or folder (the others).")
    ] = None,
    morphs: Annotated[
        str | None, typer.Option(metavar="auto|always|never", help="Cut words into morphs by Morfessor.")
    ] = None,
    retrain: Annotated[bool, typer.Option("--retrain", help="Learn the morphs again.")] = False,
    language: InLanguage = "",
    work: Work,
) -> None:
    """Annotate the kept documents, those that are new or changed. [bold]corpus[/bold] may be left out.

    In a corpus of several languages, each that has a hundred documents, by its own tools; or --language.

    Example: [bold]corpulyzer annotate --model croatian.udpipe --project hrvweb[/bold]
    """
    from corpulyzer.cli.output import advise, print_json, print_text, warn_stale

    path = str(Path(model).absolute()) if model else None
    asked = {"annotate.method": method, "annotate.model": path, "annotate.morphs": morphs}
    flags = {key: value for key, value in asked.items() if value is not None}
    found = work.corpus(flags)
    with work.progress() as show:
        if found.targets.only or language:
            made = {"": found.in_language(language).annotate(retrain=retrain, progress=show)}
        else:
            made = found.annotate_each(retrain=retrain, progress=show)
    warn_stale(found, "duplicates")
    if work.json:
        print_json(made[""].to_json() if "" in made else {code: it.to_json() for code, it in made.items()})
        return
    for code, it in made.items():
        _print(it, work.quiet, f"{code}: " if code else "")
    if not made:
        print_text("No language has a hundred documents; --language annotates one that has fewer.")
    advise(f"Next: corpulyzer export vertical --project {work.project}", work.quiet)


@app.command("train")
def train(
    treebanks: Annotated[list[str], typer.Argument(metavar="CONLLU…", help="Treebank files in CoNLL-U.")],
    to: Annotated[Path, typer.Option(metavar="FILE", help="Where the model goes.", parser=local_path)] = Path(
        "model.udpipe"
    ),
    held_out: Annotated[
        str | None,
        typer.Option(metavar="CONLLU", help="Treebank to choose and test the model by."),
    ] = None,
    options: Annotated[
        str, typer.Option(metavar="NAME=VALUE;…", help="Of UDPipe's tokeniser, such as epochs=50.")
    ] = "",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Learn to cut, tag and lemmatise from treebanks: a UDPipe model without a parser.

    Example: [bold]corpulyzer annotate train xh-train.conllu --held-out xh-dev.conllu --to xh.udpipe[/bold]
    """
    from corpulyzer.cli.input import read_text
    from corpulyzer.cli.output import advise, print_json, print_text
    from corpulyzer.jobs.train import train_tagger

    held = read_text(held_out) if held_out else ""
    trained = train_tagger(
        [read_text(file) for file in treebanks], to, held_out=held, options=options, quiet=quiet or json
    )
    shares = trained.accuracy
    if json:
        print_json({"model": str(to), "bytes": trained.bytes, "accuracy": shares})
        return
    print_text(f"{to}: {trained.bytes:,} bytes")
    if shares:
        print_text("Right on the held-out words: " + ", ".join(f"{k} {v:.1%}" for k, v in shares.items()))
    advise(f"Next: corpulyzer annotate --model {to}", quiet)


def _print(made: Made, quiet: bool, whose: str = "") -> None:
    from corpulyzer.cli.output import advise, print_text

    what = ", ".join(("sentences", "tokens", *made.gives))
    print_text(f"{whose}{made.documents:,} documents annotated by {made.method}: {what}.")
    if not quiet:
        print_text(f"{made.parts_made:,} parts made; the others were up to date.")
    if made.failed:
        print_text(f"{made.failed:,} documents could not be annotated; exports have their tokens only.")
    for warning in made.warnings:
        advise(f"Note: {warning}", quiet)
