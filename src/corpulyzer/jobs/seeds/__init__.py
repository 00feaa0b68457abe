"""Seeds of a corpus: where they come from, what keeps one out, and the round in which they go in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
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


@dataclass(frozen=True, slots=True)
class Limits:
    """What becomes of the candidates of a source.

    With `homepages` the home page of each host is taken. `tlds` are top-level domains to stay in, `block`
    hosts, or files of them, one a line, to stay out of, `without` kinds of files to drop, such as `pdf,docx`.
    """

    homepages: bool = False
    tlds: Sequence[str] = ()
    block: Sequence[str] = ()
    without: str = ""


NO_LIMITS = Limits()


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


def add_within(corpus: CorpusFolder, candidates: Iterable[Candidate], source: str, limits: Limits) -> Added:
    """Add the candidates that lie in the scope of the corpus and within the limits."""
    refuse = bounds(corpus, limits)
    return add_seeds(corpus, candidates, source, homepages=limits.homepages, refuse=refuse)


def add_addresses(corpus: CorpusFolder, urls: Iterable[str], *, homepages: bool = False) -> Added:
    """Add web addresses that somebody names one by one."""
    return add_seeds(corpus, map(Candidate, urls), BY_HAND, homepages=homepages)


def add_named(corpus: CorpusFolder, names: Sequence[str | Path], *, homepages: bool = False) -> Added:
    """Add web addresses, and the seeds in files: a name that is a file on this machine is read as one."""
    from corpulyzer.web.seeds.file import SOURCE, from_file

    files = [name for name in names if _is_file(name)]
    addresses = [str(name) for name in names if name not in files]
    found = [add_addresses(corpus, addresses, homepages=homepages)] if addresses else []
    found += [add_seeds(corpus, from_file(Path(file)), SOURCE, homepages=homepages) for file in files]
    return together(found)


def together(found: Sequence[Added]) -> Added:
    """What became of the candidates of several sources."""
    return Added(
        tuple(seed for each in found for seed in each.new),
        sum(each.known for each in found),
        tuple(pair for each in found for pair in each.refused),
        tuple(url for each in found for url in each.completed),
    )


def bounds(corpus: CorpusFolder, limits: Limits) -> Refuse:
    """Why a URL is no seed: the scope of the corpus, with what the limits add to it (XH-2, HR-2)."""
    scope = corpus.config.scope
    hosts = tuple(host for entry in limits.block for host in _hosts(entry))
    scope = replace(
        scope,
        block=(*scope.block, *hosts),
        tlds=tuple(tld.strip(".").lower() for tld in limits.tlds) or scope.tlds,
    )
    kinds = (kind.strip(" .").lower() for kind in limits.without.split(","))
    types = tuple(f".{kind}" for kind in kinds if kind)

    def refuse(url: str) -> str:
        path = url.partition("?")[0].lower()
        return "kind of file" if types and path.endswith(types) else scope(url)

    return refuse


def _is_file(name: str | Path) -> bool:
    return isinstance(name, Path) or ("://" not in name and Path(name).is_file())


def _hosts(entry: str) -> list[str]:
    """The host that an entry names, or those of the file that it names, one a line."""
    path = Path(entry)
    if not path.is_file():
        return [entry]
    lines = (line.partition("#")[0].strip() for line in path.read_text("utf-8-sig").splitlines())
    return [line.partition("://")[2].partition("/")[0] or line for line in lines if line]
