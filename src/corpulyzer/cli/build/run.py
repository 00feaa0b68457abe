"""`corpulyzer run`: from seeds to the report in one go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from corpulyzer.cli.build.crawl import (
    AllowPrivate,
    Contact,
    Delay,
    Minutes,
    Pages,
    Proxy,
    Rounds,
    Strategy,
    crawl_flags,
)
from corpulyzer.cli.options import EngineName, Json, Master, Project, Quiet, engine_flags

if TYPE_CHECKING:
    from corpulyzer.api.corpus import Corpus

SHOWN = 10


def run(
    seeds: Annotated[
        list[str] | None, typer.Option("--seeds", metavar="URL|PATH", help="Seeds to add first; repeatable.")
    ] = None,
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
    """Add seeds, crawl, find copies, measure the corpus and report on it. Run it again to go on.

    Example: [bold]corpulyzer run --seeds seeds.txt --pages 500 --contact me@example.org[/bold]
    """
    from corpulyzer.api.corpus import open_corpus
    from corpulyzer.cli.build.crawl_panel import crawl_with_panel
    from corpulyzer.cli.output import advise, print_funnel, print_json, progress, warn_of
    from corpulyzer.storage.lock import changing

    flags = crawl_flags(pages, rounds, minutes, strategy, proxy, delay, allow_private, contact)
    corpus = open_corpus(project, flags | engine_flags(engine, master))
    with changing(corpus.storage, "run"):
        _add(corpus, seeds or [])
        ended = crawl_with_panel(corpus, json=json, quiet=quiet)
        if ended.hint:
            raise typer.Exit(3)
        with corpus.engine() as runner:
            with progress(quiet or json) as show:
                corpus.process(progress=show, engine=runner)
                corpus.dedup(progress=show, engine=runner)
                page = corpus.report(progress=show, engine=runner)
            funnel = corpus.funnel(engine=runner)
    warn_of(corpus, funnel)
    if json:
        print_json({"event": "funnel", **funnel.to_json()})
        print_json({"event": "report", "page": page})
    else:
        print_funnel(funnel)
    advise(f"Next: open {page}", quiet or json)
    if not ended.as_asked:
        raise typer.Exit(3)


def _add(corpus: Corpus, seeds: list[str]) -> None:
    """Add seeds, and those of files; what is refused is said."""
    from corpulyzer.cli.output import warn

    for url, why in corpus.add_seeds(*seeds).refused[:SHOWN]:
        warn(f"{url} is no seed: {why}.")
