"""What the commands that find seeds share: how seeds are added, what keeps one out, what is told of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from corpulyzer.api.corpus import Corpus
    from corpulyzer.web.seeds import Added, Candidate, Refuse

Homepages = Annotated[bool, typer.Option("--homepages", help="Take the home page of each URL's host.")]
Tlds = Annotated[
    list[str] | None, typer.Option("--tld", metavar="TLD", help="Top-level domain to stay in; repeatable.")
]
Block = Annotated[
    list[str] | None,
    typer.Option("--block", metavar="HOST|FILE", help="Host, or file of hosts, to stay out of; repeatable."),
]
Without = Annotated[
    str, typer.Option("--without", metavar="TYPES", help="Kinds of files to drop, such as pdf,docx,xlsx.")
]


def add_seeds(
    candidates: Iterable[Candidate], source: str, homepages: bool, project: str, refuse: Refuse | None = None
) -> Added:
    """Add candidates to the seeds of a project, for the next round that has no list yet."""
    from corpulyzer.api.corpus import open_corpus
    from corpulyzer.corpus.rounds import open_for_seeds
    from corpulyzer.web import seeds

    storage = open_corpus(project).storage
    change = seeds.to_homepage if homepages else None
    round = partial(open_for_seeds, storage)
    return seeds.add(storage, candidates, source, round=round, change=change, refuse=refuse)


def bounds(corpus: Corpus, tlds: list[str] | None, block: list[str] | None, without: str = "") -> Refuse:
    """Why a URL is no seed: the scope of the corpus, with what the command adds to it (XH-2, HR-2)."""
    from dataclasses import replace

    scope = corpus.config.scope
    hosts = tuple(host for entry in block or () for host in _hosts(entry))
    scope = replace(
        scope,
        block=(*scope.block, *hosts),
        tlds=tuple(tld.strip(".").lower() for tld in tlds or ()) or scope.tlds,
    )
    types = tuple(f".{kind.strip(' .').lower()}" for kind in without.split(",") if kind.strip(" ."))

    def refuse(url: str) -> str:
        path = url.partition("?")[0].lower()
        return "kind of file" if types and path.endswith(types) else scope(url)

    return refuse


def tell(added: Added, project: str, json: bool, quiet: bool, more: dict[str, Any] | None = None) -> None:
    """Print what became of proposed seeds; `more` is what the source itself has to say."""
    from corpulyzer.cli.output import advise, print_json, print_text

    if json:
        print_json(
            {
                "added": len(added.new),
                "known": added.known,
                "refused": dict(added.refused),
                "completed": list(added.completed),
                **(more or {}),
            }
        )
        return
    print_text(
        f"{len(added.new):,} seeds added, {added.known:,} known before, {len(added.refused):,} refused."
    )
    if added.completed:
        first = added.completed[0]
        print_text(
            f"  {len(added.completed):,} had no scheme and are taken as https, such as https://{first}"
        )
    reasons = Counter(reason for _, reason in added.refused)
    for reason, count in reasons.most_common():
        example = next(url for url, why in added.refused if why == reason)
        print_text(f"  {reason}: {count:,}, such as {example}")
    advise(f"Next: corpulyzer crawl --contact you@example.org --project {project}", quiet)


def _hosts(entry: str) -> list[str]:
    """The host that an entry names, or those of the file that it names, one a line."""
    path = Path(entry)
    if not path.is_file():
        return [entry]
    lines = (line.partition("#")[0].strip() for line in path.read_text("utf-8-sig").splitlines())
    return [line.partition("://")[2].partition("/")[0] or line for line in lines if line]
