"""What commands print: results on standard output, progress and advice on standard error."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table

    from corpulyzer.analyze.funnel import Funnel
    from corpulyzer.tables import Progress

SECONDS_BETWEEN_LINES = 10.0


def print_json(value: Any) -> None:
    """Print a value as JSON, every script readable."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2, default=str) + "\n")


def print_text(text: str) -> None:
    """Print a line of a result."""
    sys.stdout.write(text + "\n")


def print_table(table: Table) -> None:
    """Print a table as wide as the terminal, or as wide as it needs where there is none."""
    from rich.console import Console

    Console(width=None if sys.stdout.isatty() else 200, highlight=False).print(table)


def advise(text: str, quiet: bool = False) -> None:
    """Say on standard error what to do next."""
    if not quiet:
        sys.stderr.write(text + "\n")


def print_funnel(funnel: Funnel) -> None:
    """Print the funnel as a table."""
    from rich.table import Table

    from corpulyzer.analyze.funnel import percent, reasons

    table = Table("step", box=None, pad_edge=False, header_style="bold")
    for name in ("pages", "of previous", "of first", "sites", "target bytes"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("dropped, by reason", overflow="fold")
    for row in funnel.rows():
        shares = [percent(row["of_previous"]), percent(row["of_first"])]
        numbers = [f"{row['pages']:,}", *shares, f"{row['sites']:,}", f"{row['target_bytes']:,}"]
        table.add_row(row["step"], *numbers, reasons(row["dropped"]))
    print_table(table)
    print_text(f"The corpus: {funnel.kept:,} documents, {funnel.tokens:,} tokens.")


@contextmanager
def progress(quiet: bool = False) -> Iterator[Progress]:
    """A progress bar on a terminal, a line now and then elsewhere, nothing when quiet."""
    if quiet:
        yield lambda _what, _done, _total: None
    elif sys.stderr.isatty():
        yield from _bars()
    else:
        yield _lines()


def _bars() -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        tasks: dict[str, Any] = {}

        def show(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bars.add_task(what, total=total)
            bars.update(tasks[what], completed=done, total=total)

        yield show


def _lines() -> Progress:
    last: dict[str, float] = {}

    def show(what: str, done: int, total: int) -> None:
        now = time.monotonic()
        if done >= total or now - last.get(what, 0.0) >= SECONDS_BETWEEN_LINES:
            last[what] = now
            sys.stderr.write(f"{what}: {done:,} of {total:,}\n")

    return show
