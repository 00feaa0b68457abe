"""`corpulyzer experiment`: the papers' experiments, on the built-in web."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from corpulyzer.cli.input import local_path
from corpulyzer.cli.options import MOST, Json, Quiet

if TYPE_CHECKING:
    from corpulyzer.lab.demo.web import BuiltInWeb
    from corpulyzer.lab.experiment.yield_rate import Crawl, Run

STRATEGIES = ("breadth", "opic", "anchor", "lrl", "focus", "oracle", "seer")

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
    from corpulyzer.lab.demo.web import BuiltInWeb
    from corpulyzer.lab.experiment.yield_rate import FIGURE_3, as_csv, rows

    target = _target(language)
    strategies = _strategies(target, strategy or FIGURE_3)
    sizes = [pages // rounds + (number < pages % rounds) for number in range(rounds)]
    made = [BuiltInWeb(target, seed, sites, articles, strangers) for seed in range(webs)]
    table = rows(_told(made, strategies, rich, sizes, seeds or sizes[0], quiet))
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


def _told(
    webs: Sequence[BuiltInWeb],
    strategies: Mapping[str, Crawl],
    mixes: Sequence[float] | None,
    sizes: Sequence[int],
    seeds: int,
    quiet: bool,
) -> Iterator[Run]:
    """The runs of the experiment, each told on standard error as it ends."""
    from corpulyzer.cli.output import advise
    from corpulyzer.lab.experiment.yield_rate import MIXES, yield_rates

    for run in yield_rates(webs, strategies, mixes=mixes or MIXES, sizes=sizes, seeds=seeds):
        said = f"{run.total:.3f} distinct good pages per request"
        advise(f"web {run.web}, {run.rich:.0%} rich seeds, {run.strategy}: {said}", quiet)
        yield run


def _target(language: str) -> str:
    """The code of a language that the built-in web speaks."""
    from corpulyzer.errors import UserError
    from corpulyzer.lab.demo.prose import LANGUAGES
    from corpulyzer.language import Language

    code = Language.find(language).code
    if code not in LANGUAGES:
        raise UserError(f"The built-in web has no text in {language}.", f"It has: {', '.join(LANGUAGES)}.")
    return code


def _strategies(target: str, names: Sequence[str]) -> dict[str, Crawl]:
    """Crawls by the name of their strategy."""
    from corpulyzer.errors import UserError

    for name in names:
        if name not in STRATEGIES:
            raise UserError(f"There is no strategy {name!r}.", f"Strategies: {', '.join(STRATEGIES)}.")
    knowing: dict[str, Crawl] = {"oracle": _oracle, "seer": _seer}
    return {name: knowing.get(name) or _Walker(target, name) for name in names}


class _Walker:
    """A crawl in memory with one of the real strategies."""

    def __init__(self, target: str, name: str) -> None:
        self.target = target
        self.name: Any = name

    def __call__(self, web: BuiltInWeb, seeds: Sequence[str], sizes: Sequence[int]) -> list[list[str]]:
        from corpulyzer.corpus.settings.config import Config, CorpusTable
        from corpulyzer.jobs.crawl.link_reader import reader_of
        from corpulyzer.lab.experiment.in_process import InProcessEngine
        from corpulyzer.lab.experiment.walk import Walk
        from corpulyzer.lab.experiment.yield_rate import FIGURE_3
        from corpulyzer.web.frontier.settings import FrontierSettings

        settings = FrontierSettings(self.name)
        # The paper takes the best URLs of a round whatever their site.
        per_site = max(sizes) if self.name in FIGURE_3 else settings.per_site
        reader = reader_of(Config(corpus=CorpusTable(language=self.target), frontier=settings))
        with InProcessEngine() as engine:
            return Walk(web, reader, settings.scorer, engine, per_site)(seeds, sizes)


def _oracle(web: BuiltInWeb, seeds: Sequence[str], sizes: Sequence[int]) -> list[list[str]]:
    from corpulyzer.lab.demo.web.oracle import Oracle

    return _by_round(Oracle(web)(seeds, sum(sizes)), sizes)


def _seer(web: BuiltInWeb, seeds: Sequence[str], sizes: Sequence[int]) -> list[list[str]]:
    from corpulyzer.lab.demo.web.oracle import NewInTarget, Oracle

    return _by_round(Oracle(web, NewInTarget(web.target))(seeds, sum(sizes)), sizes)


def _by_round(requests: Sequence[str], sizes: Sequence[int]) -> list[list[str]]:
    from itertools import islice

    left = iter(requests)
    return [list(islice(left, size)) for size in sizes]


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
