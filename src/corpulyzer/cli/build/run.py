"""`corpulyzer run`: from seeds to the report in one go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from corpulyzer.cli.build.crawl import CrawlOptions
from corpulyzer.cli.options import Work, grouped

if TYPE_CHECKING:
    from corpulyzer.jobs.crawl.loop import Ended
    from corpulyzer.web.seeds import Added

SHOWN = 10


@grouped
def run(
    *,
    seeds: Annotated[
        list[str] | None, typer.Option("--seeds", metavar="URL|PATH", help="Seeds to add first; repeatable.")
    ] = None,
    asked: CrawlOptions,
    work: Work,
) -> None:
    """Add seeds, crawl, find copies, measure the corpus and report on it. Run it again to go on.

    Example: [bold]corpulyzer run --seeds seeds.txt --pages 500 --contact me@example.org[/bold]
    """
    from corpulyzer.cli.build.crawl_panel import crawl_with_panel
    from corpulyzer.cli.output import advise, print_funnel, print_json, warn, warn_of
    from corpulyzer.jobs import run as job
    from corpulyzer.report import write_report

    corpus = work.corpus(asked.settings())

    def crawl(added: Added) -> Ended:
        for url, why in added.refused[:SHOWN]:
            warn(f"{url} is no seed: {why}.")
        return crawl_with_panel(corpus, json=work.json, quiet=work.quiet)

    with work.progress() as show:
        ran = job.run(corpus, seeds or [], crawl, write_report, show)
    if not (done := ran.finished):
        raise typer.Exit(3)
    warn_of(corpus, done.funnel)
    if work.json:
        print_json({"event": "funnel", **done.funnel.to_json()})
        print_json({"event": "report", "page": done.report})
    else:
        print_funnel(done.funnel)
    advise(f"Next: open {done.report}", work.quiet or work.json)
    if not ran.ended.as_asked:
        raise typer.Exit(3)
