"""Options that many commands share."""

from __future__ import annotations

from typing import Annotated, Any

import typer

MOST = 1_000_000_000
"""The largest number that an option takes where nothing else bounds it."""

Project = Annotated[str, typer.Option("--project", "-p", metavar="DIR", help="Corpus folder, or s3:// URI.")]
InReport = Annotated[
    str, typer.Option("--project", "-p", metavar="DIR", help="Corpus whose report gets the tables.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for other programs.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print the result only: no progress, no advice.")]
EngineName = Annotated[
    str | None, typer.Option("--engine", metavar="local|spark", help="Where the work runs.")
]
Master = Annotated[
    str | None, typer.Option("--master", metavar="URL", help="Spark master, spark://host:7077.")
]


def engine_flags(engine: str | None, master: str | None) -> dict[str, Any]:
    """The settings that the engine's flags stand for; a master alone means Spark."""
    flags = {"engine.name": engine or ("spark" if master else None), "engine.master": master}
    return {key: value for key, value in flags.items() if value is not None}
