"""`corpulyzer evaluate extraction`: how well main content is found."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from corpulyzer.cli.input import local_path
from corpulyzer.cli.options import MOST, InReport, Json, Quiet

if TYPE_CHECKING:
    from corpulyzer.lab.evaluate.extraction import GoldPage, Measured
    from corpulyzer.lab.evaluate.text_metrics import Metric

Folder = Annotated[
    Path, typer.Argument(metavar="GOLD_DIR", help="Folder with gold.jsonl and html/, or a folder of such.")
]
Names = Annotated[
    list[str] | None,
    typer.Option("--extractor", metavar="NAME", help="An extractor, again for more; all peers: peers."),
]
Kind = Annotated[
    str, typer.Option(metavar="shingle|tokens|lcs|cleaneval|snippets", help="What is counted on a page.")
]
Html = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write the worst pages here, side by side.", parser=local_path),
]


def extraction(
    gold_dir: Folder,
    extractor: Names = None,
    metric: Kind = "shingle",
    worst: Annotated[int, typer.Option(min=0, max=MOST, help="How many of the worst pages to show.")] = 5,
    html: Html = None,
    project: InReport = "",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Compare the text that is found on pages with the text that a person has marked.

    Example: [bold]corpulyzer evaluate extraction gold/ --extractor default --extractor peers[/bold]
    """
    from corpulyzer.cli.output import advise, print_json
    from corpulyzer.lab.evaluate.extraction import read_gold
    from corpulyzer.lab.evaluate.side_by_side import side_by_side

    asked, pages = _metric(metric), read_gold(gold_dir)
    results = {name: _measured(pages, name, asked, quiet) for name in _chosen(extractor or ["default"])}
    first = next(iter(results.values()))
    if html:
        html.write_text(side_by_side(_worst(first, worst)), "utf-8")
    if project:
        from corpulyzer.lab.evaluate.in_report import extraction_results, into_report

        sets = {name: _groups(measured, asked)["set"] for name, measured in results.items()}
        into_report(project, extraction_results(sets, asked))
    if json:
        print_json(_as_json(results, asked, worst))
        return
    _print(results, asked, worst)
    advise(
        f"Next: open {html}." if html else "Next: --html FILE shows the worst pages beside their gold.", quiet
    )


def _metric(name: str) -> Metric:
    from corpulyzer.errors import UserError
    from corpulyzer.lab.evaluate.text_metrics import METRICS

    for metric in METRICS:
        if metric == name:
            return metric
    raise UserError(f"There is no metric {name!r}.", f"Metrics: {', '.join(METRICS)}.")


def _chosen(names: list[str]) -> list[str]:
    """The extractors that are named; for `peers` those that are installed."""
    from corpulyzer.errors import UserError
    from corpulyzer.page.extract.published.peers import PEERS, peer_named

    chosen: list[str] = []
    for name in names:
        if name != "peers":
            chosen.append(name)
            continue
        for peer in PEERS:
            try:
                peer_named(peer)
            except UserError:
                continue
            chosen.append(peer)
    return list(dict.fromkeys(chosen))


def _measured(pages: list[GoldPage], name: str, metric: Metric, quiet: bool) -> list[Measured]:
    from corpulyzer.cli.output import progress
    from corpulyzer.lab.evaluate.extraction import measure

    measured = []
    with progress(quiet) as show:
        for done, one in enumerate(measure(pages, name, metric), 1):
            measured.append(one)
            show(name, done, len(pages))
    return measured


def _groups(measured: list[Measured], metric: Metric) -> dict[str, dict[str, Any]]:
    from corpulyzer.lab.evaluate.extraction import summaries

    keys = {"set": "group", "page type": "kind", "language": "language"}
    found = {
        what: summaries(measured, lambda page, field=field: str(getattr(page, field)), metric)  # type: ignore[misc]
        for what, field in keys.items()
    }
    return {what: groups for what, groups in found.items() if what == "set" or len(groups) > 1}


def _worst(measured: list[Measured], count: int) -> list[Measured]:
    from corpulyzer.lab.evaluate.extraction import worst

    return worst(measured, count)


def _as_json(results: dict[str, list[Measured]], metric: Metric, count: int) -> dict[str, Any]:
    return {
        "metric": metric,
        "extractors": {
            name: {
                **{
                    what: {group: figures.to_json() for group, figures in groups.items()}
                    for what, groups in _groups(measured, metric).items()
                },
                "worst": [
                    {"set": m.page.group, "id": m.page.id, "url": m.page.url, "f1": m.score.f1}
                    for m in _worst(measured, count)
                ],
            }
            for name, measured in results.items()
        },
    }


def _print(results: dict[str, list[Measured]], metric: Metric, count: int) -> None:
    from corpulyzer.cli.output import print_text

    for name, measured in results.items():
        _print_tables(name, measured, metric)
    first, measured = next(iter(results.items()))
    if count:
        print_text(f"The worst pages of {first}:")
    for one in _worst(measured, count):
        print_text(f"  {one.score.f1:.3f}  {one.page.group}  {one.page.id}  {one.page.url}")


def _print_tables(name: str, measured: list[Measured], metric: Metric) -> None:
    from statistics import fmean

    from rich.table import Table

    from corpulyzer.cli.output import print_table, print_text

    groups = _groups(measured, metric)
    for what, rows in groups.items():
        table = Table(f"{name}, by {what}", box=None, pad_edge=False, header_style="bold")
        for heading in ("pages", "precision", "recall", "F1", "empty", "pages per CPU-second"):
            table.add_column(heading, justify="right")
        for group, figures in sorted(rows.items()):
            shares = (f"{share:.3f}" for share in (figures.precision, figures.recall, figures.f1))
            speed = f"{figures.pages_per_second:,.0f}"
            table.add_row(group or "–", f"{figures.pages:,}", *shares, f"{figures.empty:,}", speed)
        print_table(table)
    if len(groups["set"]) > 1:
        print_text(f"Mean F1 over sets: {fmean(figures.f1 for figures in groups['set'].values()):.3f}")
    print_text("")
