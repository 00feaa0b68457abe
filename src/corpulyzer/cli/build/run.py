"""`corpulyzer run`: from seeds to the report in one go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from corpulyzer.cli.build.crawl import CrawlOptions
from corpulyzer.cli.options import EngineName, Json, Master, Project, Quiet, engine_flags, grouped

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
    project: Project = ".",
    engine: EngineName = None,
    master: Master = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Add seeds, crawl, find copies, measure the corpus and report on it. Run it again to go on.

    Example: [bold]corpulyzer run --seeds seeds.txt --pages 500 --contact me@example.org[/bold]
    """
    from corpulyzer.api.corpus import open_corpus
    from corpulyzer.cli.build.crawl_panel import crawl_with_panel
    from corpulyzer.cli.output import advise, print_funnel, print_json, progress, warn, warn_of
    from corpulyzer.jobs import run as job
    from corpulyzer.report import write_report

    corpus = open_corpus(project, asked.settings() | engine_flags(engine, master))

    def crawl(added: Added) -> Ended:
        for url, why in added.refused[:SHOWN]:
            warn(f"{url} is no seed: {why}.")
        return crawl_with_panel(corpus, json=json, quiet=quiet)

    with progress(quiet or json) as show:
        ran = job.run(corpus, seeds or [], crawl, write_report, show)
    if not (done := ran.finished):
        raise typer.Exit(3)
    warn_of(corpus, done.funnel)
    if json:
        print_json({"event": "funnel", **done.funnel.to_json()})
        print_json({"event": "report", "page": done.report})
    else:
        print_funnel(done.funnel)
    advise(f"Next: open {done.report}", quiet or json)
    if not ran.ended.as_asked:
        raise typer.Exit(3)
