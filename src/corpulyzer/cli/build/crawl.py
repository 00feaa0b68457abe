"""`corpulyzer crawl`: the focused crawl."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import typer

from corpulyzer.cli.options import Work, grouped


@dataclass(frozen=True)
class CrawlOptions:
    """The options of a crawl, each a setting of its own."""

    pages: Annotated[
        int | None, typer.Option(metavar="N", help="Requests for pages in all; then it ends.")
    ] = None
    rounds: Annotated[int | None, typer.Option(metavar="N", help="Rounds in all; then it ends.")] = None
    minutes: Annotated[float | None, typer.Option(metavar="M", help="Minutes of this run; then it ends.")] = (
        None
    )
    fetchers: Annotated[
        int | None, typer.Option(metavar="N", help="Fetchers at once, each with its own sites.")
    ] = None
    strategy: Annotated[
        str | None, typer.Option(metavar="NAME", help="focus, lrl, anchor, opic or breadth.")
    ] = None
    proxy: Annotated[
        str | None, typer.Option(metavar="URL", help="Proxy for everything, http://HOST:PORT.")
    ] = None
    delay: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Least time between two requests to a site.")
    ] = None
    allow_private: Annotated[
        bool, typer.Option("--allow-private", help="Connect to private and loopback addresses too.")
    ] = False
    contact: Annotated[
        str | None, typer.Option(metavar="MAIL", help="Your mail or web address, part of the user agent.")
    ] = None

    def settings(self) -> dict[str, Any]:
        """The settings that the options stand for."""
        asked = {
            "crawl.pages": self.pages,
            "crawl.rounds": self.rounds,
            "crawl.minutes": self.minutes,
            "crawl.contact": self.contact,
            "crawl.fetchers": self.fetchers,
            "frontier.strategy": self.strategy,
            "fetch.proxy": self.proxy,
            "fetch.delay_seconds": self.delay,
            "fetch.allow_private": self.allow_private or None,
        }
        return {key: value for key, value in asked.items() if value is not None}


@grouped
def crawl(
    *,
    asked: CrawlOptions,
    work: Work,
) -> None:
    """Crawl for the target language from the seeds on. The same command again goes on where it was.

    Ctrl-C ends the round and then stops; a second one stops at once. Nothing is lost either way.

    Example: [bold]corpulyzer crawl --pages 1000 --contact me@example.org --project urduweb[/bold]
    """
    from corpulyzer.cli.build.crawl_panel import crawl_with_panel
    from corpulyzer.cli.output import advise, warn_of, warn_stale

    corpus = work.corpus(asked.settings())
    ended = crawl_with_panel(corpus, json=work.json, quiet=work.quiet)
    if ended.good:
        warn_stale(corpus, "duplicates")
    else:
        warn_of(corpus, corpus.funnel())
    advise(f"Next: corpulyzer status --project {work.project}", work.quiet or work.json)
    if not ended.as_asked:
        raise typer.Exit(3)
