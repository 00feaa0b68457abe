"""`corpulyzer seeds`: where a crawl begins."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from corpulyzer.cli.listing import listing, registered
from corpulyzer.cli.options import Json, Project, Quiet
from corpulyzer.cli.seeds.adding import Block, Homepages, Sieve, Tlds, tell
from corpulyzer.cli.seeds.lists import links, ranks, sitemap
from corpulyzer.cli.seeds.own import from_, sources
from corpulyzer.cli.seeds.report import report
from corpulyzer.cli.seeds.search import search
from corpulyzer.cli.seeds.wikipedia import wikipedia

app = typer.Typer(
    help="Where a crawl begins: URLs, each with its source.", no_args_is_help=True, rich_markup_mode="rich"
)


@app.command("add")
def add(
    urls: Annotated[list[str], typer.Argument(metavar="URL…", help="Web addresses.")],
    homepages: Homepages = False,
    project: Project = ".",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Add seeds by hand.

    Example: [bold]corpulyzer seeds add https://akhbar.example/ --project urduweb[/bold]
    """
    from corpulyzer.api.corpus import open_corpus

    tell(open_corpus(project).seeds.add(*urls, homepages=homepages), project, json, quiet)


@app.command("file")
def file(
    path: Annotated[
        Path, typer.Argument(metavar="PATH", help="A URL a line, or CSV, TSV or JSONL with `url`.")
    ],
    homepages: Homepages = False,
    tld: Tlds = None,
    block: Block = None,
    project: Project = ".",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Add the seeds in a file, which is left as it is.

    Example: [bold]corpulyzer seeds file seeds.txt --project urduweb[/bold]
    """
    from corpulyzer.api.corpus import open_corpus

    limits = Sieve(homepages, tld, block).limits()
    tell(open_corpus(project).seeds.file(path, **limits), project, json, quiet)


@app.command("list")
def list_(project: Project = ".", json: Json = False, quiet: Quiet = False) -> None:
    """Print the seeds with their sources and the rounds in which they went in.

    Example: [bold]corpulyzer seeds list --project urduweb[/bold]
    """
    from dataclasses import asdict

    from corpulyzer.api.corpus import open_corpus
    from corpulyzer.cli.output import print_json, print_text

    found = open_corpus(project).seeds.all()
    if json:
        print_json([asdict(seed) for seed in found])
        return
    for seed in found:
        place = f" #{seed.rank}" if seed.rank else ""
        print_text(f"{seed.url}\tround {seed.round}\t{seed.source}{place}\t{seed.detail}")


app.command("search")(search)
app.command("wikipedia")(wikipedia)
app.command("ranks")(ranks)
app.command("sitemap")(sitemap)
app.command("links")(links)
app.command("from", cls=listing("name", registered(sources)))(from_)
app.command("report")(report)
