"""`corpulyzer seeds wikipedia`: the sites that a Wikipedia links to."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from corpulyzer.cli.options import MOST, Json, OneLanguage, Project, Quiet, grouped
from corpulyzer.cli.seeds.adding import Sieve


@grouped
def wikipedia(
    *,
    dumps: Annotated[
        str, typer.Option(metavar="URL|DIR", help="Where the dumps are: a server or a folder with the files.")
    ] = "https://dumps.wikimedia.org",
    wiki: Annotated[
        str, typer.Option(metavar="NAME", help="The wiki, such as xhwiki; that of the language, if none.")
    ] = "",
    xml: Annotated[
        str, typer.Option(metavar="FILE|URL", help="Read the XML dump (pages-articles) instead of tables.")
    ] = "",
    words_to: Annotated[
        Path | None, typer.Option(metavar="FILE", help="With --xml: write the wiki's words and counts there.")
    ] = None,
    language: OneLanguage = "",
    per_site: Annotated[int, typer.Option(metavar="N", min=1, max=MOST, help="Pages of a site.")] = 1,
    limit: Annotated[int, typer.Option(metavar="N", min=0, max=MOST, help="Sites at most; 0: all.")] = 0,
    sieve: Sieve,
    project: Project = ".",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Add the sites that the language's Wikipedia links to, most linked first; Wikimedia's own are left out.

    Example: [bold]corpulyzer seeds wikipedia --homepages --project xhoweb[/bold]
    """
    from corpulyzer.api.corpus import open_corpus
    from corpulyzer.cli.output import advise, print_text, warn
    from corpulyzer.cli.seeds.adding import tell

    found = open_corpus(project).seeds.wikipedia(
        dumps,
        wiki=wiki,
        xml=xml,
        words_to=words_to,
        per_site=per_site,
        most=limit,
        language=language,
        **sieve.limits(),
    )
    for code, why in found.unread.items():
        warn(f"Nothing was read for {code}: {why}")
    if found.problem:
        advise(f"The names of the language in other wikis are not available: {found.problem}")
    told = {"links": found.links, "sites": found.sites, "left_out": dict(found.left_out)}
    told |= {"unread": dict(found.unread)} if found.unread else {}
    if not json:
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in found.left_out.items()) or "none"
        print_text(f"{found.links:,} links to {found.sites:,} sites; left out: {reasons}.")
        if found.names:
            names = ", ".join(f"{title} ({code})" for code, title in found.names)
            print_text(f"The language is called {names}")
    tell(found.added, project, json, quiet, {**told, "names": dict(found.names)})
