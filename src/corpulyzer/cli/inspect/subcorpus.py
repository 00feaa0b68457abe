"""`corpulyzer subcorpus`: documents chosen and saved under a name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from corpulyzer.cli.options import InLanguage, Work, grouped

if TYPE_CHECKING:
    from corpulyzer.api.looking import Looking


@grouped
def subcorpus(
    *,
    name: Annotated[
        str, typer.Argument(metavar="[NAME]", help="What to call it; without one, all are listed.")
    ] = "",
    query: Annotated[str, typer.Option(metavar="QUERY", help="Documents with a match, as in a search.")] = "",
    site: Annotated[str, typer.Option(metavar="SITE", help="Documents of this site.")] = "",
    license: Annotated[
        str, typer.Option(metavar="LICENSE", help="Documents with this license; cc, none.")
    ] = "",
    since: Annotated[str, typer.Option(metavar="DAY", help="Documents fetched from this day on.")] = "",
    until: Annotated[str, typer.Option(metavar="DAY", help="Documents fetched up to this day.")] = "",
    min_quality: Annotated[
        float | None, typer.Option(metavar="SCORE", help="Documents with at least this quality, 0 to 1.")
    ] = None,
    topic: Annotated[str, typer.Option(metavar="TOPIC", help="Documents of this topic of the report.")] = "",
    label: Annotated[
        str, typer.Option(metavar="CODE", help="Documents that an audit labelled so: CC, WL, MT …")
    ] = "",
    note: Annotated[str, typer.Option(metavar="TEXT", help="What it is for, in your words.")] = "",
    delete: Annotated[bool, typer.Option("--delete", help="Delete it; its documents stay.")] = False,
    language: InLanguage = "",
    work: Work,
) -> None:
    """Choose documents and save them under a name, for `--in NAME` of search, analyze, report and export.

    The list stays as it is while the corpus grows: save it again under its name to choose anew.

    Example: [bold]corpulyzer subcorpus news --site a.example --since 2026-01-01 --project urduweb[/bold]
    """
    from corpulyzer.cli.output import advise, print_json, print_text

    corpus = work.corpus().in_language(language)
    if not name:
        _print_all(corpus, work.json)
        return
    if delete:
        corpus.forget_subcorpus(name)
        return
    with work.progress() as show:
        made = corpus.save_subcorpus(
            name,
            query=query,
            site=site,
            license=license,
            since=since,
            until=until,
            min_quality=min_quality,
            topic=topic,
            label=label,
            note=note,
            progress=show,
        )
    if work.json:
        print_json(made.to_json())
        return
    print_text(f"{made.name}: {made.documents:,} documents ({made.words})")
    advise(f"Next: corpulyzer search WORD --in {name} --project {work.project}", work.quiet)


def _print_all(corpus: Looking, json: bool) -> None:
    from corpulyzer.cli.output import print_json, print_text

    found = corpus.subcorpora.values()
    if json:
        print_json([each.to_json() for each in found])
        return
    for each in found:
        said = f"; {each.note}" if each.note else ""
        print_text(f"{each.name}\t{each.documents:,} documents\t{each.words}\t{each.made[:10]}{said}")
    if not found:
        print_text("There are no subcorpora yet.")
