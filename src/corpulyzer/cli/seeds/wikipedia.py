"""`corpulyzer seeds wikipedia`: the sites that a Wikipedia links to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corpulyzer.cli.options import MOST, Json, Project, Quiet
from corpulyzer.cli.seeds.adding import Block, Homepages, Tlds, Without

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corpulyzer.language import Language

TABLES = {"externallinks": ".sql.gz", "page": ".sql.gz", "langlinks": ".sql.gz"}


def wikipedia(
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
    per_site: Annotated[int, typer.Option(metavar="N", min=1, max=MOST, help="Pages of a site.")] = 1,
    limit: Annotated[int, typer.Option(metavar="N", min=0, max=MOST, help="Sites at most; 0: all.")] = 0,
    homepages: Homepages = False,
    tld: Tlds = None,
    block: Block = None,
    without: Without = "",
    project: Project = ".",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Add the sites that the language's Wikipedia links to, most linked first; Wikimedia's own are left out.

    Example: [bold]corpulyzer seeds wikipedia --homepages --project xhoweb[/bold]
    """
    from corpulyzer.api.corpus import open_corpus
    from corpulyzer.cli.output import print_text
    from corpulyzer.cli.seeds.adding import tell
    from corpulyzer.jobs.seeds import add_seeds, bounds
    from corpulyzer.web.seeds.wikipedia.linked_sites import SOURCE, Links, wiki_of

    corpus = open_corpus(project)
    name = wiki or wiki_of(corpus.language)
    links = Links(per_site)
    names: list[tuple[str, str]] = []
    for url in _links(dumps, name, xml):
        links.add(url)
    if xml and words_to:
        _write_words(xml, words_to, corpus.language)
    elif not xml:
        names = _names(dumps, name, corpus.language)
    refuse = bounds(corpus, tld or (), block or (), without)
    found = links.candidates(name, limit)
    added = add_seeds(corpus, found, SOURCE, homepages=homepages, refuse=refuse)
    told = {"links": links.counts.total(), "sites": len(links.counts), "left_out": dict(links.refused)}
    if not json:
        print_text(
            f"{told['links']:,} links to {told['sites']:,} sites; left out: {_reasons(links.refused)}."
        )
        if names:
            print_text("The language is called " + ", ".join(f"{title} ({code})" for code, title in names))
    tell(added, project, json, quiet, {**told, "names": dict(names)})


def _links(dumps: str, wiki: str, xml: str) -> Iterable[str]:
    from corpulyzer.web.seeds.wikipedia.linked_sites import links_in_tables
    from corpulyzer.web.seeds.wikipedia.wikitext import links_in_xml

    if xml:
        return links_in_xml(xml)
    pages = _dump(dumps, wiki, "page")
    return links_in_tables(_dump(dumps, wiki, "externallinks") or _missing(dumps, wiki), pages)


def _names(dumps: str, wiki: str, language: Language) -> list[tuple[str, str]]:
    """The names of the language in other wikis, if the dumps that hold them are there."""
    from corpulyzer.cli.output import advise
    from corpulyzer.errors import UserError
    from corpulyzer.web.seeds.wikipedia.linked_sites import language_names

    langlinks, pages = _dump(dumps, wiki, "langlinks"), _dump(dumps, wiki, "page")
    if not langlinks or not pages:
        return []
    try:
        return language_names(langlinks, pages, language)
    except UserError as error:
        advise(f"The names of the language in other wikis are not available: {error.message}")
        return []


def _dump(dumps: str, wiki: str, table: str) -> str:
    """Where the dump of a table is; empty if a folder does not have it."""
    if "://" in dumps:
        return f"{dumps.rstrip('/')}/{wiki}/latest/{wiki}-latest-{table}{TABLES[table]}"
    found = sorted(Path(dumps).rglob(f"{wiki}-*-{table}.sql*"))
    return str(found[-1]) if found else ""


def _missing(dumps: str, wiki: str) -> str:
    from corpulyzer.errors import UserError

    raise UserError(
        f"{dumps} has no {wiki}-…-externallinks.sql.gz.",
        "Download it from https://dumps.wikimedia.org, name another --wiki, or give the XML dump to --xml.",
    )


def _write_words(xml: str, target: Path, language: Language) -> None:
    from corpulyzer.web.seeds.search.queries import by_rank
    from corpulyzer.web.seeds.wikipedia.wikitext import words_in_xml

    counts = words_in_xml(xml, language)
    lines = (f"{word}\t{counts[word]}\n" for word in by_rank(counts, language))
    target.write_text("".join(lines), "utf-8")


def _reasons(refused: dict[str, int]) -> str:
    return ", ".join(f"{count:,} {reason}" for reason, count in refused.items()) or "none"
