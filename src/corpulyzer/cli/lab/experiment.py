"""`corpulyzer experiment`: the papers' experiments, on the built-in web."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from corpulyzer.cli.input import local_path
from corpulyzer.cli.options import MOST, Json, Quiet

if TYPE_CHECKING:
    from corpulyzer.lab.experiment.yield_rate import Run

app = typer.Typer(
    help="Run the papers' experiments again, on the built-in web.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def experiments() -> None:
    """Run the papers' experiments again, on the built-in web."""


@app.command("yield")
def yield_(
    language: Annotated[str, typer.Argument(metavar="LANG", help="Target: ur, fa, xh, zu, hr, sl or en.")],
    strategy: Annotated[
        list[str] | None, typer.Option("--strategy", metavar="NAME", help="One of them; may be repeated.")
    ] = None,
    rich: Annotated[
        list[float] | None, typer.Option("--rich", metavar="SHARE", help="Rich seeds; may be repeated.")
    ] = None,
    rounds: Annotated[int, typer.Option("--rounds", min=1, max=MOST, help="Rounds of each crawl.")] = 11,
    pages: Annotated[int, typer.Option("--pages", min=1, max=MOST, help="Requests of each crawl.")] = 4000,
    sites: Annotated[int, typer.Option("--sites", min=2, max=MOST, help="Sites of the web.")] = 1500,
    articles: Annotated[
        int, typer.Option("--articles", min=2, max=MOST, help="Articles of the web, about.")
    ] = 300_000,
    seeds: Annotated[
        int, typer.Option("--seeds", min=0, max=MOST, help="Seeds of each crawl; 0: as many as a round.")
    ] = 0,
    strangers: Annotated[
        int,
        typer.Option("--strangers", min=1, max=MOST, help="So many times as many sites in other languages."),
    ] = 10,
    webs: Annotated[int, typer.Option("--webs", min=1, max=MOST, help="Webs to take the mean of.")] = 1,
    csv: Annotated[
        Path | None, typer.Option("--csv", help="File to write the table to.", parser=local_path)
    ] = None,
    figure: Annotated[
        Path | None, typer.Option("--figure", help="SVG file to write the figure to.", parser=local_path)
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Repeat figure 3 of Tahir & Mehmood (2021) on the built-in web: yields by round, three mixes of seeds.

    The figure compares opic, which is Nutch's default, with lrl; other strategies are breadth, anchor, focus,
    oracle and seer. Yield is Eq. 6 of the paper, pages with any text of the language of all pages read, with
    and without the content-size filter; beside it stand distinct good pages per request, which is stricter.

    oracle knows the language of every URL in its frontier, seer also which pages repeat others.

    Example: [bold]corpulyzer experiment yield ur --figure yield.svg[/bold]
    """
    from statistics import fmean

    from corpulyzer.cli.output import advise, print_json
    from corpulyzer.lab.experiment.built_in import Experiment, target_of
    from corpulyzer.lab.experiment.yield_rate import as_csv, rows

    def told(run: Run) -> None:
        said = f"{run.total:.3f} distinct good pages per request"
        advise(f"web {run.web}, {run.rich:.0%} rich seeds, {run.strategy}: {said}", quiet)

    target = target_of(language)
    asked = Experiment(target, tuple(strategy or ()), tuple(rich or ()), rounds, pages, seeds)
    made = asked.webs(webs, sites, articles, strangers)
    table = rows(asked.run(made, told))
    share = fmean(web.target_share for web in made)
    if figure:
        from corpulyzer.lab.experiment.figure import yield_figure

        figure.write_text(yield_figure(table), encoding="utf-8")
    if csv:
        csv.write_text(as_csv(table), encoding="utf-8")
    if json:
        print_json({"language": target, "pages": pages, "target_share": share, "rows": table})
    else:
        _print(table)
        advise(f"Of all articles of the web {share:.1%} are in the language.", quiet)


def _print(table: Sequence[Mapping[str, Any]]) -> None:
    from rich.table import Table

    from corpulyzer.cli.output import print_table
    from corpulyzer.lab.experiment.yield_rate import MEASURES, curves

    for measure, title in MEASURES.items():
        shown = Table("strategy", "rich seeds", "mean", box=None, pad_edge=False, header_style="bold")
        shown.title, shown.title_justify = title, "left"
        for number in range(max(len(row["rounds"]) for row in table)):
            shown.add_column(str(number + 1), justify="right")
        for row in table:
            mean = row["mean" if measure == "yield" else f"mean_{measure}"]
            numbers = ("–" if value is None else f"{value:.2f}" for value in (mean, *curves(row)[measure]))
            shown.add_row(row["strategy"], f"{row['rich_seeds']:.0%}", *numbers)
        print_table(shown)
