"""`corpulyzer evaluate`: how well a stage does on pages or texts whose truth is known."""

from __future__ import annotations

import typer

from corpulyzer.cli import evaluate_extraction, evaluate_identification, evaluate_license

app = typer.Typer(
    help="Measure a stage on a gold set.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.command("extraction")(evaluate_extraction.extraction)
app.command("identification")(evaluate_identification.identification)
app.command("license")(evaluate_license.license)
