"""`corpulyzer seeds search`: random words of the language sent to a search engine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from corpulyzer.cli.options import MOST, Json, OneLanguage, Project, Quiet, grouped
from corpulyzer.cli.seeds.adding import Sieve


@grouped
def search(
    *,
    provider: Annotated[
        str,
        typer.Option(metavar="NAME|FILE", help="searxng, google, brave, or a TOML file that describes one."),
    ],
    endpoint: Annotated[str, typer.Option(metavar="URL", help="Where the search engine is.")] = "",
    words: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Word list: a word a line, its count beside it or in order."),
    ] = None,
    text: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Any text in the language, to take words from.")
    ] = None,
    from_corpus: Annotated[
        bool, typer.Option("--from-corpus", help="Take words from the corpus so far.")
    ] = False,
    queries: Annotated[int, typer.Option(metavar="N", min=1, max=MOST, help="Queries in all.")] = 100,
    size: Annotated[
        int, typer.Option("--tuple", metavar="1|2|3", min=1, max=3, help="Words of a query.")
    ] = 2,
    ranks: Annotated[
        str, typer.Option(metavar="A-B", help="Ranks of the words; 1000-10000, or all of a short list.")
    ] = "",
    seed: Annotated[
        int, typer.Option(metavar="N", help="Chooses the words; another seed, other queries.")
    ] = 0,
    pages: Annotated[
        int, typer.Option(metavar="N", min=1, max=MOST, help="Pages of results of a query.")
    ] = 1,
    parameter: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="To send along; repeatable.")
    ] = None,
    check: Annotated[
        str, typer.Option(metavar="snippet|none", help="Keep a URL only if its snippet is in the language.")
    ] = "snippet",
    language: OneLanguage = "",
    per_day: Annotated[
        int, typer.Option(metavar="N", min=0, max=MOST, help="Requests a day; 0: the provider's own.")
    ] = 0,
    sieve: Sieve,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the queries, and ask nobody.")] = False,
    project: Project = ".",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Send random words of the language to a search engine, and keep what is in the language.

    Answers are kept: the same command again asks only for what is missing. Keys come from the environment.

    Example: [bold]corpulyzer seeds search --provider searxng --endpoint http://127.0.0.1:8888
    --words words.txt --queries 100 --project urduweb[/bold]
    """
    from corpulyzer.api.corpus import open_corpus
    from corpulyzer.cli.output import print_json, print_text, progress
    from corpulyzer.cli.seeds.adding import tell
    from corpulyzer.web.seeds.search.known import provider_of

    found = open_corpus(project).seeds
    engine = provider_of(provider, endpoint, tuple(parameter or ()))
    asked = found.queries(
        words,
        text,
        from_corpus=from_corpus,
        queries=queries,
        size=size,
        ranks=ranks,
        seed=seed,
        language=language,
    )
    if dry_run:
        print_json(asked) if json else print_text("\n".join(asked))
        return
    with progress(quiet or json) as show:
        done = found.search(
            asked,
            engine,
            pages=pages,
            per_day=per_day,
            check=check,
            language=language,
            progress=show,
            **sieve.limits(),
        )
    others = done.other_languages
    told = {"queries": done.queries, "hits": done.hits, "other_languages": dict(others)}
    if not json:
        more = ", ".join(f"{count:,} {language}" for language, count in others.most_common(5))
        print_text(
            f"{done.hits:,} hits; {others.total():,} are not in the language" + f" ({more})." * bool(more)
        )
    tell(done.added, project, json, quiet, told)
    if done.problem:
        raise done.problem
