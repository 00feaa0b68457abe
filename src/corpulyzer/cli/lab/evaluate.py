"""`corpulyzer evaluate`: how well a stage does on pages or texts whose truth is known."""

from __future__ import annotations

import typer

from corpulyzer.cli.lab import extraction, identification, license, sentences

app = typer.Typer(
    help="Measure a stage on a gold set.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.command("extraction")(extraction.extraction)
app.command("identification")(identification.identification)
app.command("license")(license.license)
app.command("sentences")(sentences.sentences)
