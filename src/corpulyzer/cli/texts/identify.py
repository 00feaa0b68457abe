"""`corpulyzer identify`: the language of a text; `corpulyzer identify train`: a language of one's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from corpulyzer.cli.options import Json, Quiet

if TYPE_CHECKING:
    from corpulyzer.page.identify.training.train import Trained


class TextFirst(TyperGroup):
    """A group whose first argument may be a file: `identify FILE` is `identify text FILE`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in (*self.commands, "-h", "--help"):
            args = ["text", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=TextFirst,
    help="Tell the languages of a text (`identify FILE`), or learn a new one (`identify train`).",
    no_args_is_help=True,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.command("text")
def text(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="UTF-8 text file, or - for standard input.")],
    min_confidence: Annotated[
        float,
        typer.Option(
            "--min-confidence", metavar="0-1", min=0.0, max=1.0, help="Answers not surer than this are `und`."
        ),
    ] = 0.0,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Print the languages of a text with their bytes, and the likeliest with its confidence.

    The word [bold]text[/bold] may be left out.

    Example: [bold]echo 'اردو ہے جس کا نام' | corpulyzer identify -[/bold]
    """
    from corpulyzer import identify as identification_of
    from corpulyzer.cli.input import read_text
    from corpulyzer.cli.output import print_json, print_text
    from corpulyzer.language import Language

    found = identification_of(read_text(file), min_confidence)
    if json:
        answer = {"language": found.language, "script": found.script, "confidence": found.confidence}
        print_json({**answer, "bytes": found.bytes})
        return
    for code, size in sorted(found.bytes.items(), key=lambda item: (-item[1], item[0])):
        name = "undetermined" if code == "und" else Language.find(code).name
        print_text(f"{code}\t{name}\t{size} bytes")
    if not quiet:
        print_text(f"{found.language} in {found.script or 'no script'}, confidence {found.confidence:.2f}")


@app.command("train")
def train(
    language: Annotated[
        str, typer.Argument(metavar="LANG", help="Code of the language; qaa to qtz for one that has none.")
    ],
    files: Annotated[list[str], typer.Argument(metavar="FILE…", help="Text files, a sentence a line.")],
    against: Annotated[
        list[str] | None,
        typer.Option(metavar="LANG[=FILE]", help="Rival to be told from; with a file, learned from it too."),
    ] = None,
    project: Annotated[
        str, typer.Option("--project", "-p", metavar="DIR", help="Corpus to keep the model in; else yours.")
    ] = "",
    name: Annotated[str, typer.Option(help="Name of the language, where it has none.")] = "",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Learn a language from a few hundred sentences, and keep the model for all commands.

    Example: [bold]corpulyzer identify train hsb sorbian.txt --against ces --against pol[/bold]
    """
    from corpulyzer.cli.input import read_text
    from corpulyzer.cli.output import advise, print_json
    from corpulyzer.jobs.train import must_hold_models, train_language

    must_hold_models(project)
    lines = [line for file in files for line in read_text(file).splitlines()]
    rivals = [rival.partition("=") for group in against or [] for rival in group.split(",")]
    texts = {code: read_text(file).splitlines() for code, _, file in rivals if file}
    codes = [code for code, _, _ in rivals]
    trained, file = train_language(language, lines, codes, texts, name=name, folder=project)
    if json:
        print_json(_as_json(trained, str(file)))
        return
    _print(trained)
    advise(f"Kept in {file}. Next: corpulyzer init {trained.table.name}", quiet)


def _as_json(trained: Trained, file: str) -> dict[str, Any]:
    measured = trained.measured
    return {
        "language": trained.table.name,
        "file": file,
        "rivals": [label.partition("-")[0] for label in trained.rivals],
        "sentences": measured.sentences,
        "f1": measured.f1,
        "precision": measured.precision,
        "recall": measured.recall,
        "taken_for": measured.confusions,
        "false_positives": measured.taken,
        "f1_by_sentences": measured.f1_by_sentences,
        "gain_of_doubling": measured.gain_of_doubling,
    }


def _print(trained: Trained) -> None:
    from corpulyzer.cli.output import print_text

    measured = trained.measured
    rivals = ", ".join(label.partition("-")[0] for label in trained.rivals)
    print_text(f"{trained.table.name}: {measured.sentences:,} sentences, against {rivals}.")
    print_text(
        f"Five-fold, by sentence: F1 {measured.f1:.3f}, precision {measured.precision:.3f}, "
        f"recall {measured.recall:.3f}."
    )
    for code, share in measured.confusions.items():
        print_text(f"  {share:.1%} of its sentences are taken for {code}")
    for code, share in measured.taken.items():
        if share:
            print_text(f"  {share:.1%} of {code} are taken for it")
    sizes = ", ".join(f"{f1:.3f} with {size:,}" for size, f1 in measured.f1_by_sentences.items())
    gain = measured.gain_of_doubling
    more = f"about {gain:+.3f}" if gain >= 0.001 else "next to nothing"
    print_text(f"F1 {sizes} sentences: twice the text would bring {more}.")
