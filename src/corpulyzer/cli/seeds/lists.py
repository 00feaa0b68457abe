"""`corpulyzer seeds ranks | sitemap | links`: seeds out of lists, sitemaps and graphs of links."""

from __future__ import annotations

from typing import Annotated

import typer

from corpulyzer.cli.options import MOST, Json, Project, Quiet
from corpulyzer.cli.seeds.adding import Block, Homepages, Tlds, Without


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
    from corpulyzer.jobs.seeds import add_seeds, bounds
    from corpulyzer.web.seeds.lists import SOURCE, from_ranks

    corpus = open_corpus(project)
    found = from_ranks(path, bounds(corpus, tld or (), block or ()), limit)
    tell(add_seeds(corpus, found, SOURCE, homepages=True), project, json, quiet)


def sitemap(
    sites: Annotated[list[str], typer.Argument(metavar="SITE…", help="Sites, by host or address.")],
    contact: Annotated[
        str | None, typer.Option(metavar="MAIL|URL", help="Whom the owner of a site can reach.")
    ] = None,
    allow_private: Annotated[
        bool, typer.Option("--allow-private", help="Local addresses may be asked too.")
    ] = False,
    homepages: Homepages = False,
    tld: Tlds = None,
    block: Block = None,
    without: Without = "",
    project: Project = ".",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Add the pages that the sitemaps of sites list; robots.txt is asked first, and obeyed.

    Example: [bold]corpulyzer seeds sitemap akhbar.example --contact me@example.org --project urduweb[/bold]
    """
    from corpulyzer.api.corpus import open_corpus
    from corpulyzer.cli.seeds.adding import tell
    from corpulyzer.jobs.seeds import add_seeds, bounds, in_sitemaps
    from corpulyzer.web.seeds.sitemaps import SOURCE

    corpus = open_corpus(project)
    found = in_sitemaps(corpus, sites, contact or "", allow_private=allow_private)
    refuse = bounds(corpus, tld or (), block or (), without)
    added = add_seeds(corpus, found, SOURCE, homepages=homepages, refuse=refuse)
    tell(added, project, json, quiet)


def links(
    to: Annotated[
        str,
        typer.Option(metavar="TEXT", help="Part of the address linked to: creativecommons.org/licenses/."),
    ],
    graph: Annotated[
        str, typer.Option(metavar="FILE", help="Links as source and target; those of the corpus, if none.")
    ] = "",
    homepages: Homepages = False,
    tld: Tlds = None,
    block: Block = None,
    without: Without = "",
    project: Project = ".",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Add the pages that link to something, out of the corpus' own links or any graph of links.

    Example: [bold]corpulyzer seeds links --to creativecommons.org/licenses/ --homepages -p urduweb[/bold]
    """
    from corpulyzer.api.corpus import open_corpus
    from corpulyzer.cli.seeds.adding import tell
    from corpulyzer.jobs.seeds import add_seeds, bounds
    from corpulyzer.web.seeds.link_graph import SOURCE, linking_to, linking_to_in_file

    corpus = open_corpus(project)
    if graph:
        found = linking_to_in_file(to, graph)
    else:
        found = linking_to(to, corpus.stored("links"), corpus.stored("documents"))
    refuse = bounds(corpus, tld or (), block or (), without)
    added = add_seeds(corpus, found, SOURCE, homepages=homepages, refuse=refuse)
    tell(added, project, json, quiet)
