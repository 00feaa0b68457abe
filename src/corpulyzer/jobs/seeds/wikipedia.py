"""The sites that a Wikipedia links to, as seeds; its words, and what other wikis call the language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from corpulyzer.errors import UserError
from corpulyzer.jobs.seeds import NO_LIMITS, Limits, add_within

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.language import Language
    from corpulyzer.web.seeds import Added

DUMPS = "https://dumps.wikimedia.org"


@dataclass(frozen=True, slots=True)
class Wiki:
    """Where a Wikipedia is read: `dumps` is a server or a folder of tables, `xml` a dump of pages instead.

    `name` is the wiki's, such as xhwiki; that of the language if it is empty.
    """

    dumps: str = DUMPS
    name: str = ""
    xml: str = ""


@dataclass(frozen=True, slots=True)
class LinkedSites:
    """How many links lead to how many sites, why others were left out, and the seeds.

    `names` are the codes of other wikis with what they call the language; `problem` says why there are none.
    """

    links: int
    sites: int
    left_out: Mapping[str, int]
    added: Added
    names: tuple[tuple[str, str], ...]
    problem: str = ""


def add_linked_sites(
    corpus: CorpusFolder,
    wiki: Wiki,
    *,
    per_site: int = 1,
    most: int = 0,
    words_to: Path | None = None,
    limits: Limits = NO_LIMITS,
) -> LinkedSites:
    """Add the sites that a Wikipedia links to, most linked first, `most` of them; 0: all.

    With an XML dump, `words_to` is a file for the words of the wiki and their counts.
    """
    from corpulyzer.web.seeds.wikipedia.linked_sites import SOURCE, Links, wiki_of

    name = wiki.name or wiki_of(corpus.language)
    links = Links(per_site)
    for url in _links(wiki, name):
        links.add(url)
    names, problem = ((), "") if wiki.xml else _names(wiki.dumps, name, corpus.language)
    if wiki.xml and words_to:
        _write_words(wiki.xml, words_to, corpus.language)
    added = add_within(corpus, links.candidates(name, most), SOURCE, limits)
    return LinkedSites(links.counts.total(), len(links.counts), dict(links.refused), added, names, problem)


def _links(wiki: Wiki, name: str) -> Iterable[str]:
    from corpulyzer.web.seeds.wikipedia.linked_sites import links_in_tables
    from corpulyzer.web.seeds.wikipedia.wikitext import links_in_xml

    if wiki.xml:
        return links_in_xml(wiki.xml)
    external = _dump(wiki.dumps, name, "externallinks")
    if not external:
        raise UserError(
            f"{wiki.dumps} has no {name}-…-externallinks.sql.gz.",
            f"Download it from {DUMPS}, name another --wiki, or give the XML dump to --xml.",
        )
    return links_in_tables(external, _dump(wiki.dumps, name, "page"))


def _names(dumps: str, name: str, language: Language) -> tuple[tuple[tuple[str, str], ...], str]:
    """The names of the language in other wikis, if the dumps that hold them are there; or why not."""
    from corpulyzer.web.seeds.wikipedia.linked_sites import language_names

    langlinks, pages = _dump(dumps, name, "langlinks"), _dump(dumps, name, "page")
    if not langlinks or not pages:
        return (), ""
    try:
        return tuple(language_names(langlinks, pages, language)), ""
    except UserError as error:
        return (), error.message


def _dump(dumps: str, name: str, table: str) -> str:
    """Where the dump of a table is; empty if a folder does not have it."""
    if "://" in dumps:
        return f"{dumps.rstrip('/')}/{name}/latest/{name}-latest-{table}.sql.gz"
    found = sorted(Path(dumps).rglob(f"{name}-*-{table}.sql*"))
    return str(found[-1]) if found else ""


def _write_words(xml: str, target: Path, language: Language) -> None:
    from corpulyzer.web.seeds.search.queries import by_rank
    from corpulyzer.web.seeds.wikipedia.wikitext import words_in_xml

    counts = words_in_xml(xml, language)
    lines = (f"{word}\t{counts[word]}\n" for word in by_rank(counts, language))
    target.write_text("".join(lines), "utf-8")
