"""`corpulyzer seeds ranks | sitemap | links`: seeds out of lists, sitemaps and graphs of links."""

from __future__ import annotations

from typing import Annotated

import typer

from corpulyzer.cli.options import MOST, Json, Project, Quiet, grouped
from corpulyzer.cli.seeds.adding import Block, Sieve, Tlds


def ranks(
    path: Annotated[
        str, typer.Argument(metavar="PATH|URL", help="List of domains by rank, as Tranco's; packed or not.")
    ],
    limit: Annotated[int, typer.Option(metavar="N", min=0, max=MOST, help="Domains at most; 0: all.")] = 1000,
    tld: Tlds = None,
    block: Block = None,
    project: Project = ".",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Add the home pages of the highest ranked domains, such as those of a country.

    Example: [bold]corpulyzer seeds ranks top-1m.csv.zip --tld hr --limit 1000 --project hrvweb[/bold]
    """
    from corpulyzer.api.corpus import open_corpus
    from corpulyzer.cli.seeds.adding import tell

    limits = Sieve(tld=tld, block=block).limits()
    tell(open_corpus(project).seeds.ranks(path, limit, **limits), project, json, quiet)


@grouped
def sitemap(
    *,
    sites: Annotated[list[str], typer.Argument(metavar="SITE…", help="Sites, by host or address.")],
    contact: Annotated[
        str | None, typer.Option(metavar="MAIL|URL", help="Whom the owner of a site can reach.")
    ] = None,
    allow_private: Annotated[
        bool, typer.Option("--allow-private", help="Local addresses may be asked too.")
    ] = False,
    sieve: Sieve,
    project: Project = ".",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Add the pages that the sitemaps of sites list; robots.txt is asked first, and obeyed.

    Example: [bold]corpulyzer seeds sitemap akhbar.example --contact me@example.org --project urduweb[/bold]
    """
    from corpulyzer.api.corpus import open_corpus
    from corpulyzer.cli.seeds.adding import tell

    asked = {"contact": contact or "", "allow_private": allow_private, **sieve.limits()}
    tell(open_corpus(project).seeds.sitemap(*sites, **asked), project, json, quiet)


@grouped
def links(
    *,
    to: Annotated[
        str,
        typer.Option(metavar="TEXT", help="Part of the address linked to: creativecommons.org/licenses/."),
    ],
    graph: Annotated[
        str, typer.Option(metavar="FILE", help="Links as source and target; those of the corpus, if none.")
    ] = "",
    sieve: Sieve,
    project: Project = ".",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Add the pages that link to something, out of the corpus' own links or any graph of links.

    Example: [bold]corpulyzer seeds links --to creativecommons.org/licenses/ --homepages -p urduweb[/bold]
    """
    from corpulyzer.api.corpus import open_corpus
    from corpulyzer.cli.seeds.adding import tell

    tell(open_corpus(project).seeds.links(to, graph, **sieve.limits()), project, json, quiet)
