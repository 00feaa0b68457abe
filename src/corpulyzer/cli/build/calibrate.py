"""`corpulyzer calibrate`: thresholds that documents show, and what those in use throw away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from corpulyzer.cli.options import MOST, Work, grouped

if TYPE_CHECKING:
    from corpulyzer.api.corpus import Corpus


@grouped
def calibrate(
    *,
    unit: Annotated[str, typer.Option(metavar="bytes|characters", help="What a threshold counts.")] = "bytes",
    keep: Annotated[float, typer.Option(metavar="SHARE", help="Share of target text to keep.")] = 0.95,
    apply: Annotated[
        bool, typer.Option("--apply", help="Judge the documents anew by the chosen threshold.")
    ] = False,
    rejects: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, max=MOST, help="Show what the thresholds in use drop, N of each."),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed of the rejects that are shown.")] = 0,
    work: Work,
) -> None:
    """Print what each content-size threshold would keep, and the largest that keeps 95 % of the target text.

    Nothing changes unless --apply is given: then the setting is written to corpulyzer.toml and the documents
    are judged anew. In a corpus of several languages, the thresholds that each language's own documents show
    are printed, and --apply keeps them in calibration.json. --rejects prints what each threshold in use drops
    in each language, with some of the texts, for a speaker to say whether it is too strict.

    Example: [bold]corpulyzer calibrate --project urduweb[/bold]
    """
    from rich.table import Table

    from corpulyzer.cli.output import (
        advise,
        print_json,
        print_table,
        print_text,
        warn_of,
        warn_stale,
    )

    corpus = work.corpus()
    if rejects is not None:
        _print_rejects(corpus, rejects, seed, work)
        return
    if not corpus.targets.only:
        _of_several(corpus, unit, keep, apply, work)
        return
    table = corpus.calibrate(unit, keep)
    if apply:
        with corpus.engine() as runner:
            with work.progress() as show:
                corpus = corpus.use_threshold(table, unit, progress=show, engine=runner)
            warn_of(corpus, corpus.funnel(engine=runner))
    else:
        warn_stale(corpus, "duplicates")
    if work.json:
        print_json({"unit": unit, **table.to_json()})
        return
    shown = Table(box=None, pad_edge=False, header_style="bold")
    for name in (f"at least {unit}", "pages", "of pages", f"target {unit}", f"of {unit}"):
        shown.add_column(name, justify="right")
    for row in table.rows:
        numbers = (f"{row.pages:,}", f"{row.pages_share:.2%}", f"{row.size:,}", f"{row.size_share:.2%}")
        shown.add_row(f"{row.threshold:,}", *numbers)
    print_table(shown)
    print_text(f"The largest that keeps {keep:.0%} of the target text: {table.chosen}.")
    if not apply:
        advise(f"Next: corpulyzer calibrate --apply --project {work.project} uses it.", work.quiet)


def _of_several(corpus: Corpus, unit: str, keep: float, apply: bool, work: Work) -> None:
    """Print what is learned of each language, and use it if that is asked for."""
    from rich.table import Table

    from corpulyzer.cli.output import advise, print_json, print_table, warn

    found = corpus.learn_thresholds(unit, keep)
    if apply:
        with work.progress() as show:
            corpus.use_learned(found, progress=show)
    if work.json:
        print_json([each.to_json() for each in found])
        return
    if not found:
        warn("No language has enough documents yet to learn from.")
        return
    keys = found[0].thresholds
    shown = Table("language", "documents", *keys, "would drop", box=None, pad_edge=False, header_style="bold")
    for each in found:
        drops = ", ".join(f"{name} {count:,}" for name, count in each.would_drop.items() if count)
        shown.add_row(each.language, f"{each.documents:,}", *map(str, each.thresholds.values()), drops)
    print_table(shown)
    if not apply:
        advise(f"Next: corpulyzer calibrate --apply --project {work.project} uses them.", work.quiet)


def _print_rejects(corpus: Corpus, number: int, seed: int, work: Work) -> None:
    """Print what each threshold in use drops, and some of it."""
    from corpulyzer.cli.output import advise, print_json, print_text, warn, warn_stale

    found = corpus.rejects(number, seed)
    warn_stale(corpus, "documents")
    if work.json:
        print_json([each.to_json() for each in found])
        return
    if not found:
        warn("No document was dropped for how its text looks.")
    for each in found:
        print_text(
            f"{each.language}, {each.filter}: {each.wanted:g} is wanted; "
            f"{each.dropped:,} of {each.documents:,} documents are dropped"
        )
        for it in each.sample:
            print_text(f"  {it.found:g}  {it.url}\n      {it.text}")
    if found:
        table = "filter.NAME" if corpus.targets.only else "language.CODE.filter.NAME"
        advise(f"Too strict? Set your own threshold in [{table}], and run corpulyzer process.", work.quiet)
