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
    from corpulyzer.cli.seeds.adding import add_seeds, bounds, tell
    from corpulyzer.web.seeds.lists import SOURCE, from_ranks

    refuse = bounds(open_corpus(project), tld, block)
    tell(add_seeds(from_ranks(path, refuse, limit), SOURCE, True, project), project, json, quiet)


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
    from dataclasses import replace
    from functools import partial

    from corpulyzer.api.corpus import open_corpus
    from corpulyzer.cli.seeds.adding import add_seeds, bounds, tell
    from corpulyzer.page.feeds import source_links
    from corpulyzer.web.fetch.few_files import bodies
    from corpulyzer.web.fetch.robots.rules import sitemaps_of
    from corpulyzer.web.fetch.settings import user_agent
    from corpulyzer.web.seeds.sitemaps import SOURCE, from_sitemaps

    corpus = open_corpus(project)
    config = corpus.config
    fetch = replace(config.fetch, contact=contact or config.crawl.contact)
    fetch = replace(fetch, allow_private=allow_private or fetch.allow_private)
    user_agent(fetch.contact)
    found = from_sitemaps(sites, partial(bodies, settings=fetch), sitemaps_of, source_links)
    added = add_seeds(found, SOURCE, homepages, project, bounds(corpus, tld, block, without))
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
    from corpulyzer.cli.seeds.adding import add_seeds, bounds, tell
    from corpulyzer.web.seeds.link_graph import SOURCE, linking_to, linking_to_in_file

    corpus = open_corpus(project)
    if graph:
        found = linking_to_in_file(to, graph)
    else:
        found = linking_to(to, corpus.stored("links"), corpus.stored("documents"))
    added = add_seeds(found, SOURCE, homepages, project, bounds(corpus, tld, block, without))
    tell(added, project, json, quiet)
