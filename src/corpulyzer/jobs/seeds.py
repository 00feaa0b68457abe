"""Seeds of a corpus: where they come from, what keeps one out, and the round in which they go in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from corpulyzer.corpus.rounds import open_for_seeds
from corpulyzer.web import seeds
from corpulyzer.web.seeds import Added, Candidate, Refuse

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder

BY_HAND = "command"
"""The source of seeds that somebody named one by one."""


def add_seeds(
    corpus: CorpusFolder,
    candidates: Iterable[Candidate],
    source: str,
    *,
    homepages: bool = False,
    refuse: Refuse | None = None,
) -> Added:
    """Add candidates to the seeds of a corpus, for the next round that has no list yet."""
    storage = corpus.storage
    change = seeds.to_homepage if homepages else None
    round = partial(open_for_seeds, storage)
    return seeds.add(storage, candidates, source, round=round, change=change, refuse=refuse)


def add_from(
    corpus: CorpusFolder, name: str, *, homepages: bool = False, refuse: Refuse | None = None
) -> Added:
    """Add what a plug-in proposes, under its name as the source."""
    from corpulyzer.web.seeds.own import SOURCES, from_plugin

    plugin = SOURCES.plugin(name, corpus.config.seeds.plugins)
    corpus.load_plugins([plugin])
    found = from_plugin(plugin, corpus.language)
    return add_seeds(corpus, found, name, homepages=homepages, refuse=refuse)


def add_named(corpus: CorpusFolder, names: Sequence[str | Path], *, homepages: bool = False) -> Added:
    """Add web addresses, and the seeds in files: a name that is a file on this machine is read as one."""
    from corpulyzer.web.seeds.file import SOURCE, from_file

    files = [name for name in names if _is_file(name)]
    addresses = [Candidate(str(name)) for name in names if name not in files]
    found = [add_seeds(corpus, addresses, BY_HAND, homepages=homepages)] if addresses else []
    found += [add_seeds(corpus, from_file(Path(file)), SOURCE, homepages=homepages) for file in files]
    return Added(
        tuple(seed for each in found for seed in each.new),
        sum(each.known for each in found),
        tuple(pair for each in found for pair in each.refused),
        tuple(url for each in found for url in each.completed),
    )


def bounds(
    corpus: CorpusFolder, tlds: Sequence[str] = (), block: Sequence[str] = (), without: str = ""
) -> Refuse:
    """Why a URL is no seed: the scope of the corpus, with what is added to it (XH-2, HR-2).

    `block` are hosts, or files of them, one a line; `without` are kinds of files, such as `pdf,docx`.
    """
    scope = corpus.config.scope
    hosts = tuple(host for entry in block for host in _hosts(entry))
    scope = replace(
        scope,
        block=(*scope.block, *hosts),
        tlds=tuple(tld.strip(".").lower() for tld in tlds) or scope.tlds,
    )
    types = tuple(f".{kind.strip(' .').lower()}" for kind in without.split(",") if kind.strip(" ."))

    def refuse(url: str) -> str:
        path = url.partition("?")[0].lower()
        return "kind of file" if types and path.endswith(types) else scope(url)

    return refuse


def in_sitemaps(
    corpus: CorpusFolder, sites: Sequence[str], contact: str = "", *, allow_private: bool = False
) -> Iterable[Candidate]:
    """The pages that the sitemaps of sites list; robots.txt is asked first, and obeyed."""
    from corpulyzer.page.feeds import source_links
    from corpulyzer.web.fetch.few_files import bodies
    from corpulyzer.web.fetch.robots.rules import sitemaps_of
    from corpulyzer.web.fetch.settings import user_agent
    from corpulyzer.web.seeds.sitemaps import from_sitemaps

    config = corpus.config
    fetch = replace(
        config.fetch,
        contact=contact or config.crawl.contact,
        allow_private=allow_private or config.fetch.allow_private,
    )
    user_agent(fetch.contact)  # says so if there is no contact
    ask = partial(bodies, settings=fetch)
    return from_sitemaps(sites, ask, sitemaps_of, source_links)


def _is_file(name: str | Path) -> bool:
    return isinstance(name, Path) or ("://" not in name and Path(name).is_file())


def _hosts(entry: str) -> list[str]:
    """The host that an entry names, or those of the file that it names, one a line."""
    path = Path(entry)
    if not path.is_file():
        return [entry]
    lines = (line.partition("#")[0].strip() for line in path.read_text("utf-8-sig").splitlines())
    return [line.partition("://")[2].partition("/")[0] or line for line in lines if line]
