"""`corpulyzer status`: the funnel, and the frontier of a crawl."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from corpulyzer.cli.options import AsOf, Work, grouped

if TYPE_CHECKING:
    from corpulyzer.measure.pages.by_language import LanguageCount

MOST_SHOWN = 20


@grouped
def status(
    *,
    language: Annotated[
        str, typer.Option(metavar="CODE", help="The funnel of one language of a corpus of several.")
    ] = "",
    as_of: AsOf = "",
    work: Work,
) -> None:
    """Print the funnel: what each step kept, and why it dropped the rest; of a crawl, its frontier too.

    Example: [bold]corpulyzer status --project urduweb[/bold]
    """
    from corpulyzer.cli.output import advise, print_funnel, print_json, print_text, warn
    from corpulyzer.jobs.advice import nothing_kept

    corpus = work.corpus_as_of(as_of)
    if language:
        funnel = corpus.funnel(language)
        if work.json:
            print_json(funnel.to_json())
        else:
            print_funnel(funnel)
        return
    found = corpus.status()
    if work.json:
        print_json(found.to_json())
        return
    if found.as_of:
        print_text(found.as_of["says"])
    print_funnel(found.funnel)
    if found.languages:
        print_languages(found.languages)
    if found.crawl:
        print_crawl(found.crawl)
    warn(nothing_kept(corpus, found.funnel))
    for each in found.stale:
        warn(f"Note: {each}")
    if found.funnel.steps[0].pages == 0:
        advise(f"The corpus is empty. Next: corpulyzer import PATH… --project {work.project}", work.quiet)
    else:
        advise(
            f"Next: corpulyzer why URL --project {work.project} tells what happened to a page.", work.quiet
        )


def print_languages(languages: list[LanguageCount]) -> None:
    """Print what there is of each language; of many, the largest."""
    from rich.table import Table

    from corpulyzer.cli.output import print_table, print_text
    from corpulyzer.measure.pages.funnel import reasons

    table = Table("language", box=None, pad_edge=False, header_style="bold")
    for name in ("pages", "kept", "sites", "target bytes", "tokens"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("dropped, by reason", overflow="fold")
    for it in languages[:MOST_SHOWN]:
        numbers = (it.pages, it.kept, it.sites, it.target_bytes, it.tokens)
        table.add_row(it.language, *(f"{number:,}" for number in numbers), reasons(it.dropped))
    print_table(table)
    if len(languages) > MOST_SHOWN:
        print_text(f"and {len(languages) - MOST_SHOWN:,} more languages, which --json lists.")


def print_crawl(crawled: dict[str, Any]) -> None:
    """Print where a crawl stands."""
    from corpulyzer.cli.build.crawl_panel import sparkline
    from corpulyzer.cli.output import print_text
    from corpulyzer.measure.pages.funnel import reasons

    share = crawled["good"] / max(1, crawled["requests"])
    print_text(
        f"The crawl: {crawled['requests']:,} requests in {crawled['rounds']:,} rounds from "
        f"{crawled['seeds']:,} seeds; {crawled['good']:,} gave new text that the filters kept when it came, "
        f"{share:.1%}  {sparkline(crawled['yields'])}"
    )
    of_read = crawled["target_pages"] / max(1, crawled["read_pages"])
    print_text(
        f"Yield as published (Eq. 6): of {crawled['read_pages']:,} pages read {crawled['target_pages']:,} "
        f"have text of the language, {of_read:.1%}  {sparkline(crawled['target_yields'])}"
    )
    refused = f"; refused: {reasons(crawled['refused'])}" if crawled["refused"] else ""
    print_text(
        f"The frontier: {crawled['known']:,} URLs known, {crawled['fetched']:,} fetched, "
        f"{crawled['waiting']:,} waiting{refused}"
    )
