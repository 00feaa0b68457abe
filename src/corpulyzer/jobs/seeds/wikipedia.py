"""The sites that a Wikipedia links to, as seeds; its words, and what other wikis call the language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from corpulyzer.errors import UserError
from corpulyzer.jobs.seeds import NO_LIMITS, Limits, add_within, together

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
    Of several languages, `unread` are those whose wiki could not be read, and why.
    """

    links: int
    sites: int
    left_out: Mapping[str, int]
    added: Added
    names: tuple[tuple[str, str], ...]
    problem: str = ""
    unread: Mapping[str, str] = field(default_factory=dict)


def add_linked_sites(
    corpus: CorpusFolder,
    wiki: Wiki,
    *,
    per_site: int = 1,
    most: int = 0,
    words_to: Path | None = None,
    language: str = "",
    limits: Limits = NO_LIMITS,
) -> LinkedSites:
    """Add the sites that a Wikipedia links to, most linked first, `most` of them; 0: all.

    With an XML dump, `words_to` is a file for the words of the wiki and their counts. In a corpus of several
    languages the wiki of each is read, or that of `language` alone.
    """
    languages = corpus.looked_for(language)
    if len(languages) == 1:
        return _linked_from(corpus, wiki, languages[0], per_site, most, words_to, limits)
    if wiki.name or wiki.xml:
        raise UserError(
            f"{wiki.xml or wiki.name} is in one of several languages.", "Name it: --language CODE."
        )
    found: list[LinkedSites] = []
    unread: dict[str, str] = {}
    for each in languages:
        try:
            found.append(_linked_from(corpus, wiki, each, per_site, most, words_to, limits))
        except UserError as error:
            unread[each.code] = error.message
    if not found:
        said = " ".join(f"{code}: {why}" for code, why in unread.items())
        raise UserError(said, f"Name another place of the dumps than {wiki.dumps}: --dumps URL|DIR.")
    return _together(found, unread)


def _together(found: Sequence[LinkedSites], unread: Mapping[str, str]) -> LinkedSites:
    """What the wikis of several languages brought."""
    left_out: Counter[str] = Counter()
    for each in found:
        left_out.update(each.left_out)
    return LinkedSites(
        sum(each.links for each in found),
        sum(each.sites for each in found),
        dict(left_out),
        together([each.added for each in found]),
        tuple(name for each in found for name in each.names),
        "; ".join(each.problem for each in found if each.problem),
        unread,
    )


def _linked_from(
    corpus: CorpusFolder,
    wiki: Wiki,
    language: Language,
    per_site: int,
    most: int,
    words_to: Path | None,
    limits: Limits,
) -> LinkedSites:
    """Add the sites that the Wikipedia of one language links to."""
    from corpulyzer.web.seeds.wikipedia.linked_sites import SOURCE, Links, wiki_of

    name = wiki.name or wiki_of(language)
    links = Links(per_site)
    for url in _links(wiki, name):
        links.add(url)
    names, problem = ((), "") if wiki.xml else _names(wiki.dumps, name, language)
    if wiki.xml and words_to:
        _write_words(wiki.xml, words_to, language)
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
