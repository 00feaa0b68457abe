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

    from corpulyzer.api.corpus import Corpus
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine.progress import Progress
    from corpulyzer.measure.pages.funnel import Funnel

SECONDS_BETWEEN_LINES = 10.0


def print_json(value: Any) -> None:
    """Print a value as JSON, every script readable."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2, default=str) + "\n")


def print_text(text: str) -> None:
    """Print a line of a result."""
    sys.stdout.write(text + "\n")


def print_table(table: Table) -> None:
    """Print a table as wide as the terminal, or as wide as it needs where there is none.

    Its cells are printed as they are: brackets and colons in them, `[language.xho]`, are no markup.
    """
    from rich.console import Console

    width = None if sys.stdout.isatty() else 200
    Console(width=width, highlight=False, markup=False, emoji=False).print(table)


def advise(text: str, quiet: bool = False) -> None:
    """Say on standard error what to do next."""
    if not quiet:
        sys.stderr.write(text + "\n")


def warn(text: str) -> None:
    """Say on standard error what a person must hear, even one who asked for quiet."""
    if text:
        sys.stderr.write(text + "\n")


def warn_stale(corpus: CorpusFolder, *names: str) -> None:
    """Say what of the corpus is older than its documents: all of it, or what is named."""
    from corpulyzer.jobs.stale import stale

    for each in stale(corpus, *names):
        warn(f"Note: {each}")


def warn_of(corpus: Corpus, funnel: Funnel) -> None:
    """Say what is wrong with the numbers of a funnel: nothing is kept, or the duplicates are stale."""
    from corpulyzer.jobs.advice import nothing_kept

    warn(nothing_kept(corpus, funnel))
    warn_stale(corpus, "duplicates")


def print_funnel(funnel: Funnel) -> None:
    """Print the funnel as a table."""
    from rich.table import Table

    from corpulyzer.measure.pages.funnel import percent, reasons

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
    print_text(_balance(funnel))
    if funnel.labelled:
        print_text(f"Labelled by lists, and kept: {reasons(funnel.labelled)}.")


def _balance(funnel: Funnel) -> str:
    """Where the records went, as a sum.

    `documents/` has all that were fetched, `corpus/` those that are kept.
    """
    it = funnel.balance()
    parts = [f"{it['kept']:,} kept", f"{it['filtered']:,} dropped by filters", f"{it['copies']:,} copies"]
    parts += [f"{it['gone']:,} gone from the web"] if it["gone"] else []
    stored = it["records"] - it["not_fetched"]
    return (
        f"{it['records']:,} records = {it['not_fetched']:,} not fetched + {stored:,} documents; "
        f"{stored:,} documents = {' + '.join(parts)}."
    )


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
    bars = Progress(*columns, console=Console(stderr=True), transient=True)
    tasks: dict[str, Any] = {}

    def show(what: str, done: int, total: int) -> None:
        bars.start()  # with the first step only: before it, a crawl may show its own panel
        if what not in tasks:
            tasks[what] = bars.add_task(what, total=total)
        bars.update(tasks[what], completed=done, total=total)

    try:
        yield show
    finally:
        bars.stop()


def _lines() -> Progress:
    last: dict[str, float] = {}

    def show(what: str, done: int, total: int) -> None:
        now = time.monotonic()
        if done >= total or now - last.get(what, 0.0) >= SECONDS_BETWEEN_LINES:
            last[what] = now
            sys.stderr.write(f"{what}: {done:,} of {total:,}\n")

    return show
