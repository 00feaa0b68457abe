"""`corpulyzer crawl`: the focused crawl."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from corpulyzer.cli.options import EngineName, Json, Master, Project, Quiet, engine_flags

Pages = Annotated[int | None, typer.Option(metavar="N", help="Requests for pages in all; then it ends.")]
Rounds = Annotated[int | None, typer.Option(metavar="N", help="Rounds in all; then it ends.")]
Minutes = Annotated[float | None, typer.Option(metavar="M", help="Minutes of this run; then it ends.")]
Strategy = Annotated[str | None, typer.Option(metavar="NAME", help="focus, lrl, anchor, opic or breadth.")]
Proxy = Annotated[str | None, typer.Option(metavar="URL", help="Proxy for everything, http://HOST:PORT.")]
Delay = Annotated[
    float | None, typer.Option(metavar="SECONDS", help="Least time between two requests to a site.")
]
AllowPrivate = Annotated[
    bool, typer.Option("--allow-private", help="Connect to private and loopback addresses too.")
]
Contact = Annotated[
    str | None, typer.Option(metavar="MAIL", help="Your mail or web address, part of the user agent.")
]


def crawl(
    pages: Pages = None,
    rounds: Rounds = None,
    minutes: Minutes = None,
    strategy: Strategy = None,
    proxy: Proxy = None,
    delay: Delay = None,
    allow_private: AllowPrivate = False,
    contact: Contact = None,
    project: Project = ".",
    engine: EngineName = None,
    master: Master = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Crawl for the target language from the seeds on. The same command again goes on where it was.

    Ctrl-C ends the round and then stops; a second one stops at once. Nothing is lost either way.

    Example: [bold]corpulyzer crawl --pages 1000 --contact me@example.org --project urduweb[/bold]
    """
    from corpulyzer.api.corpus import open_corpus
    from corpulyzer.cli.build.crawl_panel import crawl_with_panel
    from corpulyzer.cli.output import advise, warn_of, warn_stale

    flags = crawl_flags(pages, rounds, minutes, strategy, proxy, delay, allow_private, contact)
    corpus = open_corpus(project, flags | engine_flags(engine, master))
    ended = crawl_with_panel(corpus, json=json, quiet=quiet)
    if ended.good:
        warn_stale(corpus, "duplicates")
    else:
        warn_of(corpus, corpus.funnel())
    advise(f"Next: corpulyzer status --project {project}", quiet or json)
    if not ended.as_asked:
        raise typer.Exit(3)


def crawl_flags(
    pages: int | None,
    rounds: int | None,
    minutes: float | None,
    strategy: str | None,
    proxy: str | None,
    delay: float | None,
    allow_private: bool,
    contact: str | None,
) -> dict[str, Any]:
    """The settings that the flags of a crawl stand for."""
    flags = {
        "crawl.pages": pages,
        "crawl.rounds": rounds,
        "crawl.minutes": minutes,
        "crawl.contact": contact,
        "frontier.strategy": strategy,
        "fetch.proxy": proxy,
        "fetch.delay_seconds": delay,
        "fetch.allow_private": allow_private or None,
    }
    return {key: value for key, value in flags.items() if value is not None}
