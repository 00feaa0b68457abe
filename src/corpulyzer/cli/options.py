"""Options that many commands share, and groups of options that stand in a command as one."""

from __future__ import annotations

import gc
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, is_dataclass
from functools import cache, wraps
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from corpulyzer.api.corpus import Corpus
    from corpulyzer.engine.progress import Progress

MOST = 1_000_000_000
"""The largest number that an option takes where nothing else bounds it."""

Project = Annotated[str, typer.Option("--project", "-p", metavar="DIR", help="Corpus folder, or s3:// URI.")]
InReport = Annotated[
    str, typer.Option("--project", "-p", metavar="DIR", help="Corpus whose report gets the tables.")
]
InLanguage = Annotated[
    str, typer.Option("--language", metavar="CODE", help="Language, in a corpus of several.")
]
InSubcorpus = Annotated[str, typer.Option("--in", metavar="NAME", help="Only this subcorpus.")]
OneLanguage = Annotated[
    str, typer.Option("--language", metavar="CODE", help="One language of a corpus of several; all, if none.")
]
AsOf = Annotated[
    str, typer.Option("--as-of", metavar="WHEN", help="As it was after a round, 3, or at a time, 2026-05-01.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for other programs.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print the result only: no progress, no advice.")]
EngineName = Annotated[
    str | None, typer.Option("--engine", metavar="local|spark", help="Where the work runs.")
]
Master = Annotated[
    str | None, typer.Option("--master", metavar="URL", help="Spark master, spark://host:7077.")
]


@dataclass(frozen=True)
class Work:
    """The options of a command that works on a corpus: which one, where it runs, and what is printed."""

    project: Project = "."
    engine: EngineName = None
    master: Master = None
    json: Json = False
    quiet: Quiet = False

    def corpus(self, flags: Mapping[str, Any] | None = None) -> Corpus:
        """The corpus, opened; `flags` are settings that other options stand for."""
        from corpulyzer.api.corpus import open_corpus

        found = open_corpus(self.project, {**engine_flags(self.engine, self.master), **(flags or {})})
        _spare_modules()
        return found

    def corpus_as_of(self, when: str) -> Corpus:
        """The corpus, opened, as it was at a moment, or if none is named, as it is."""
        corpus = self.corpus()
        if not when:
            return corpus
        with self.progress() as show:
            return corpus.as_of(when, progress=show)

    @contextmanager
    def progress(self) -> Iterator[Progress]:
        """What shows how far the work is, here unless JSON or quiet is asked for, and to the explorer."""
        from corpulyzer.cli.output import progress
        from corpulyzer.engine.progress import watched

        with progress(self.quiet or self.json) as show, watched(self.project, show) as told:
            yield told


@cache
def _spare_modules() -> None:
    """Have the collector of garbage leave alone what is there now: modules, which stay to the end.

    Else it goes through all of them several times, at last when the process ends: .07 s of each command.
    DuckDB is never among them, because it complains at the end of what it cannot free.
    """
    if "duckdb" not in sys.modules:
        gc.freeze()


def engine_flags(engine: str | None, master: str | None) -> dict[str, Any]:
    """The settings that the engine's flags stand for; a master alone means Spark."""
    flags = {"engine.name": engine or ("spark" if master else None), "engine.master": master}
    return {key: value for key, value in flags.items() if value is not None}


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """A command for Typer in which each group of options stands as the options that it holds.

    A group is a dataclass whose fields are options; a parameter that is annotated with it is given one.
    """
    signature = inspect.signature(command, eval_str=True)
    groups: dict[str, Any] = {
        name: parameter.annotation
        for name, parameter in signature.parameters.items()
        if is_dataclass(parameter.annotation)
    }
    held = {name: inspect.signature(group, eval_str=True).parameters for name, group in groups.items()}
    flat = [
        option.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for name, parameter in signature.parameters.items()
        for option in (held[name].values() if name in held else [parameter])
    ]

    @wraps(command)
    def run(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{option: given.pop(option) for option in held[name]})
        command(**given)

    run.__signature__ = inspect.Signature(flat)  # type: ignore[attr-defined]
    run.__annotations__ = {option.name: option.annotation for option in flat}
    return run
