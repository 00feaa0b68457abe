"""`corpulyzer dedup`: label duplicates at every level, and leave copies out of the corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from corpulyzer.cli.options import Work, grouped

if TYPE_CHECKING:
    from corpulyzer.measure.pages.duplicates import Duplicates

LEVEL_NAMES = "raw|document|near|paragraph|sentence"


@grouped
def dedup(
    *,
    level: Annotated[
        list[str] | None,
        typer.Option(metavar="LEVEL", help=f"{LEVEL_NAMES}; may be repeated. All without it."),
    ] = None,
    method: Annotated[
        str | None, typer.Option(metavar="METHOD", help="Of near-duplicates: minhash, simhash, text_profile.")
    ] = None,
    work: Work,
) -> None:
    """Find duplicates of payloads, texts, paragraphs and sentences, and near-duplicate documents.

    Every copy is labelled with its cluster. At the levels of the setting dedup.policy only one copy stays in
    the corpus; nothing is deleted. Only what is new since the last time is read again.

    Example: [bold]corpulyzer dedup --level near --method minhash --project urduweb[/bold]
    """
    from corpulyzer.cli.output import advise, print_funnel, print_json, warn_of
    from corpulyzer.dedup.settings import LEVELS

    for name in level or ():
        if name not in LEVELS:
            raise typer.BadParameter(f"there is no level {name!r}; levels: {', '.join(LEVELS)}")
    flags = {"dedup.method": method} if method else {}
    corpus = work.corpus(flags)
    with corpus.engine() as runner:
        with work.progress() as show:
            found = corpus.dedup(*(level or ()), progress=show, engine=runner)
        funnel = corpus.funnel(engine=runner)
    warn_of(corpus, funnel)
    if work.json:
        print_json(found.to_json())
        return
    _print(found)
    if not work.quiet:
        print_funnel(funnel)
    advise(f"Next: corpulyzer why URL --project {work.project} names the copy that was kept.", work.quiet)


def _print(found: Duplicates) -> None:
    from rich.table import Table

    from corpulyzer.cli.output import print_table, print_text
    from corpulyzer.measure.pages.funnel import percent

    table = Table("level", "method", box=None, pad_edge=False, header_style="bold")
    for name in ("units", "duplicates", "rate", "clusters", "largest", "within a site", "across sites"):
        table.add_column(name, justify="right", no_wrap=True)
    for count in found.levels:
        numbers = (count.clusters, count.largest, count.within_site, count.across_sites)
        table.add_row(
            count.level,
            count.method,
            f"{count.units:,}",
            f"{count.duplicates:,}",
            percent(count.rate),
            *(f"{number:,}" for number in numbers),
        )
    print_table(table)
    for count in found.levels:
        if count.note:
            print_text(f"{count.level}: {count.note}.")
    kept = ", ".join(found.dropped_at) or "none: labels alone"
    print_text(f"Levels at which one copy stays: {kept}.")
