"""Seeds out of files, lists of domains, sitemaps, graphs of links and plug-ins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from corpulyzer.jobs.seeds import NO_LIMITS, Limits, add_seeds, add_within, bounds

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.web.seeds import Added


def add_file(corpus: CorpusFolder, path: Path, limits: Limits = NO_LIMITS) -> Added:
    """Add the seeds in a file; without limits of hosts they need not lie in the scope of the corpus."""
    from corpulyzer.web.seeds.file import SOURCE, from_file

    refuse = bounds(corpus, limits) if limits.tlds or limits.block else None
    return add_seeds(corpus, from_file(path), SOURCE, homepages=limits.homepages, refuse=refuse)


def add_ranked(corpus: CorpusFolder, path: str, most: int = 1000, limits: Limits = NO_LIMITS) -> Added:
    """Add the home pages of the highest ranked domains of a list, `most` of them; 0: all."""
    from corpulyzer.web.seeds.lists import SOURCE, from_ranks

    return add_seeds(corpus, from_ranks(path, bounds(corpus, limits), most), SOURCE, homepages=True)


def add_in_sitemaps(
    corpus: CorpusFolder,
    sites: Sequence[str],
    contact: str = "",
    *,
    allow_private: bool = False,
    limits: Limits = NO_LIMITS,
) -> Added:
    """Add the pages that the sitemaps of sites list; robots.txt is asked first, and obeyed."""
    from corpulyzer.page.feeds import source_links
    from corpulyzer.web.fetch.few_files import bodies
    from corpulyzer.web.fetch.robots.rules import sitemaps_of
    from corpulyzer.web.fetch.settings import user_agent
    from corpulyzer.web.seeds.sitemaps import SOURCE, from_sitemaps

    config = corpus.config
    fetch = replace(
        config.fetch,
        contact=contact or config.crawl.contact,
        allow_private=allow_private or config.fetch.allow_private,
    )
    user_agent(fetch.contact)  # says so if there is no contact
    ask = partial(bodies, settings=fetch)
    return add_within(corpus, from_sitemaps(sites, ask, sitemaps_of, source_links), SOURCE, limits)


def add_linking(corpus: CorpusFolder, to: str, graph: str = "", limits: Limits = NO_LIMITS) -> Added:
    """Add the pages that link to addresses with `to` in them: of the corpus, or of a graph in a file."""
    from corpulyzer.web.seeds.link_graph import SOURCE, linking_to, linking_to_in_file

    if graph:
        found = linking_to_in_file(to, graph)
    else:
        found = linking_to(to, corpus.stored("links"), corpus.stored("documents"))
    return add_within(corpus, found, SOURCE, limits)


def add_from_plugin(corpus: CorpusFolder, name: str, limits: Limits = NO_LIMITS, language: str = "") -> Added:
    """Add what a plug-in proposes for each language, or for the named one, under its name as the source."""
    from corpulyzer.web.seeds.own import SOURCES, from_plugin

    plugin = SOURCES.plugin(name, corpus.config.seeds.plugins)
    corpus.load_plugins([plugin])
    found = (each for known in corpus.looked_for(language) for each in from_plugin(plugin, known))
    return add_within(corpus, found, name, limits)
