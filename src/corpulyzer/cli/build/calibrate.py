"""`corpulyzer calibrate`: the content-size table and its threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from corpulyzer.cli.options import Work, grouped

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
    work: Work,
) -> None:
    """Print what each content-size threshold would keep, and the largest that keeps 95 % of the target text.

    Nothing changes unless --apply is given: then the setting is written to corpulyzer.toml and the documents
    are judged anew. In a corpus of several languages, the thresholds that each language's own documents show
    are printed, and --apply keeps them in calibration.json.

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
    keys = [key.removeprefix("filter.") for key in found[0].values]
    shown = Table("language", "documents", *keys, "would drop", box=None, pad_edge=False, header_style="bold")
    for each in found:
        drops = ", ".join(f"{name} {count:,}" for name, count in each.would_drop.items() if count)
        shown.add_row(each.language, f"{each.documents:,}", *map(str, each.values.values()), drops)
    print_table(shown)
    if not apply:
        advise(f"Next: corpulyzer calibrate --apply --project {work.project} uses them.", work.quiet)
