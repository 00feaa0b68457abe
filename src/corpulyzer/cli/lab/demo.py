"""`corpulyzer demo`: the main job on the built-in web."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corpulyzer.cli.input import local_path
from corpulyzer.cli.options import Json, Quiet

if TYPE_CHECKING:
    from corpulyzer.api.corpus import Corpus
    from corpulyzer.jobs.crawl.loop import Ended


def demo(
    folder: Annotated[
        Path, typer.Argument(metavar="[DIR]", help="Folder to make.", parser=local_path)
    ] = Path("demo"),
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Crawl a small multilingual web for Urdu, find copies, and report on the corpus. No network.

    The web is served on this machine; everything else is as in any crawl.

    Example: [bold]corpulyzer demo[/bold]
    """
    from corpulyzer.cli.build.crawl_panel import crawl_with_panel
    from corpulyzer.cli.output import advise, print_funnel, print_json, progress
    from corpulyzer.lab.demo.crawl import make_demo

    def crawl(corpus: Corpus) -> Ended:
        return crawl_with_panel(corpus, json=False, quiet=quiet or json)

    with progress(quiet or json) as show:
        made = make_demo(folder, crawl, show)
    funnel, report = made.finished.funnel, made.finished.report
    if json:
        crawled = {"pages": made.ended.pages, "good": made.ended.good, "rounds": made.ended.rounds}
        print_json({"project": str(folder), "crawl": crawled, "funnel": funnel.to_json(), "report": report})
        return
    print_funnel(funnel)
    advise(
        f"Next: open {report}\n"
        f"      corpulyzer serve --open --project {folder}\n"
        f"      corpulyzer status --project {folder}\n"
        f"      corpulyzer why {made.example} --project {folder}\n"
        "      corpulyzer init LANG starts a corpus of your own",
        quiet,
    )
