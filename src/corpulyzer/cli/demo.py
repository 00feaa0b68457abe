"""`corpulyzer demo`: the main job on the built-in web."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corpulyzer.cli.options import Json, Quiet
from corpulyzer.cli.reading import local_path

if TYPE_CHECKING:
    from corpulyzer.corpus import Corpus
    from corpulyzer.crawl import Ended


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
    from corpulyzer.cli.output import advise, print_funnel, print_json, progress
    from corpulyzer.cli.panel import crawl_with_panel
    from corpulyzer.deduplicate import deduplicate
    from corpulyzer.demo.crawl import crawl_demo
    from corpulyzer.report import write_report

    def crawl(corpus: Corpus) -> Ended:
        return crawl_with_panel(corpus, json=False, quiet=quiet or json)

    made = crawl_demo(folder, crawl)
    with made.corpus.engine() as runner:
        with progress(quiet or json) as show:
            made.corpus.process(runner, progress=show)
            deduplicate(made.corpus, runner, progress=show)
            report = write_report(made.corpus, runner, show)
        funnel = made.corpus.funnel(runner)
    if json:
        crawled = {"pages": made.ended.pages, "good": made.ended.good, "rounds": made.ended.rounds}
        print_json({"project": str(folder), "crawl": crawled, "funnel": funnel.to_json(), "report": report})
        return
    print_funnel(funnel)
    example = next((document.url for document in made.corpus.documents.kept()), made.web.seeds(1)[0])
    advise(
        f"Next: open {report}\n"
        f"      corpulyzer serve --open --project {folder}\n"
        f"      corpulyzer status --project {folder}\n"
        f"      corpulyzer why {example} --project {folder}\n"
        "      corpulyzer init LANG starts a corpus of your own",
        quiet,
    )
