"""`corpulyzer seeds`: where a crawl begins."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corpulyzer.cli.options import Json, Project, Quiet

if TYPE_CHECKING:
    from corpulyzer.seeds import Added, Candidate

app = typer.Typer(
    help="Where a crawl begins: URLs, each with its source.", no_args_is_help=True, rich_markup_mode="rich"
)

Homepages = Annotated[bool, typer.Option("--homepages", help="Take the home page of each URL's host.")]


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
    from corpulyzer.seeds import Candidate

    _report(add_seeds((Candidate(url) for url in urls), "command", homepages, project), project, json, quiet)


@app.command("file")
def file(
    path: Annotated[
        Path, typer.Argument(metavar="PATH", help="A URL a line, or CSV, TSV or JSONL with `url`.")
    ],
    homepages: Homepages = False,
    project: Project = ".",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Add the seeds in a file, which is left as it is.

    Example: [bold]corpulyzer seeds file seeds.txt --project urduweb[/bold]
    """
    from corpulyzer.seeds.file import SOURCE, from_file

    _report(add_seeds(from_file(path), SOURCE, homepages, project), project, json, quiet)


@app.command("list")
def list_(project: Project = ".", json: Json = False, quiet: Quiet = False) -> None:
    """Print the seeds with their sources and the rounds in which they went in.

    Example: [bold]corpulyzer seeds list --project urduweb[/bold]
    """
    from dataclasses import asdict

    from corpulyzer.cli.output import print_json, print_text
    from corpulyzer.corpus import open_corpus
    from corpulyzer.seeds import read

    found = read(open_corpus(project).storage)
    if json:
        print_json([asdict(seed) for seed in found])
        return
    for seed in found:
        print_text(f"{seed.url}\tround {seed.round}\t{seed.source}\t{seed.detail}")


def add_seeds(candidates: Iterable[Candidate], source: str, homepages: bool, project: str) -> Added:
    """Add candidates to the seeds of a project, for the next round that has no list yet."""
    from corpulyzer import seeds
    from corpulyzer.corpus import open_corpus
    from corpulyzer.rounds import open_for_seeds

    storage = open_corpus(project).storage
    change = seeds.to_homepage if homepages else None
    return seeds.add(storage, candidates, source, round=open_for_seeds(storage), change=change)


def _report(added: Added, project: str, json: bool, quiet: bool) -> None:
    from corpulyzer.cli.output import advise, print_json, print_text

    if json:
        print_json({"added": len(added.new), "known": added.known, "refused": dict(added.refused)})
        return
    print_text(
        f"{len(added.new):,} seeds added, {added.known:,} known before, {len(added.refused):,} refused."
    )
    for url, reason in added.refused[:10]:
        print_text(f"  {url}: {reason}")
    advise(f"Next: corpulyzer crawl --contact you@example.org --project {project}", quiet)
