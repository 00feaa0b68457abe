"""`corpulyzer status`: the funnel, and the frontier of a crawl."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corpulyzer.cli.options import EngineName, Json, Master, Project, Quiet, engine_flags

if TYPE_CHECKING:
    from corpulyzer.api.corpus import Corpus
    from corpulyzer.engine import Engine


def status(
    project: Project = ".",
    engine: EngineName = None,
    master: Master = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Print the funnel: what each step kept, and why it dropped the rest; of a crawl, its frontier too.

    Example: [bold]corpulyzer status --project urduweb[/bold]
    """
    from corpulyzer.api.corpus import open_corpus
    from corpulyzer.cli.output import advise, print_funnel, print_json, warn
    from corpulyzer.jobs.advice import nothing_kept
    from corpulyzer.jobs.stale import stale

    corpus = open_corpus(project, engine_flags(engine, master))
    with corpus.engine() as runner:
        funnel = corpus.funnel(runner)
        crawled = crawl_status(corpus, runner)
    behind = stale(corpus)
    if json:
        about = {"name": corpus.name, "language": corpus.config.corpus.language}
        said = {"stale": [each.to_json() for each in behind]}
        print_json({**about, **funnel.to_json(), **said, **({"crawl": crawled} if crawled else {})})
        return
    print_funnel(funnel)
    if crawled:
        print_crawl(crawled)
    warn(nothing_kept(corpus, funnel))
    for each in behind:
        warn(f"Note: {each}")
    if funnel.steps[0].pages == 0:
        advise(f"The corpus is empty. Next: corpulyzer import PATH… --project {project}", quiet)
    else:
        advise(f"Next: corpulyzer why URL --project {project} tells what happened to a page.", quiet)


def crawl_status(corpus: Corpus, engine: Engine) -> dict[str, Any]:
    """The frontier and the rounds of a crawl as plain values; empty if there was none."""
    import time
    from dataclasses import asdict

    from corpulyzer.corpus import rounds
    from corpulyzer.jobs.crawl.loop import totals
    from corpulyzer.measure.crawl.counts import count_frontier
    from corpulyzer.web import seeds

    begun = rounds.rounds(corpus.storage)
    if not begun:
        return {}
    frontier = rounds.whole_frontier(corpus.storage).table("frontier")
    found = count_frontier(engine, frontier, int(time.time()))
    pages, good = totals(corpus)
    committed = [each.read("commit") for each in begun if each.done("commit")]
    yields = [note["good"] / max(1, note["requests"]) for note in committed]
    return {
        "rounds": len(committed),
        "seeds": len(seeds.read(corpus.storage)),
        "requests": pages,
        "good": good,
        "yields": yields,
        **asdict(found),
    }


def print_crawl(crawled: dict[str, Any]) -> None:
    """Print what `crawl_status` found."""
    from corpulyzer.cli.build.crawl_panel import sparkline
    from corpulyzer.cli.output import print_text
    from corpulyzer.measure.pages.funnel import reasons

    share = crawled["good"] / max(1, crawled["requests"])
    print_text(
        f"The crawl: {crawled['requests']:,} requests in {crawled['rounds']:,} rounds from "
        f"{crawled['seeds']:,} seeds; {crawled['good']:,} gave new text that the filters kept when it came, "
        f"{share:.1%}  {sparkline(crawled['yields'])}"
    )
    refused = f"; refused: {reasons(crawled['refused'])}" if crawled["refused"] else ""
    print_text(
        f"The frontier: {crawled['known']:,} URLs known, {crawled['fetched']:,} fetched, "
        f"{crawled['waiting']:,} waiting{refused}"
    )
