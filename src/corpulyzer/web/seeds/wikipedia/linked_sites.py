"""Seeds out of the language's Wikipedia: the sites that its articles link to, most linked first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

import regex

from corpulyzer.language import Language
from corpulyzer.url import canonical, site_of
from corpulyzer.web.seeds import Candidate
from corpulyzer.web.seeds.wikipedia.sql_dump import columns_of, rows_of

SOURCE = "wikipedia"

# Wikimedia's own, and catalogues that templates link to: they hold no text in the language.
OWN = frozenset(
    (
        *(
            "wikipedia.org",
            "wiktionary.org",
            "wikimedia.org",
            "wikibooks.org",
            "wikiquote.org",
            "wikisource.org",
        ),
        *("wikinews.org", "wikiversity.org", "wikivoyage.org", "wikidata.org", "mediawiki.org"),
        *("wikifunctions.org", "wikimediafoundation.org", "toolforge.org", "wmflabs.org", "wmcloud.org"),
    )
)
CATALOGUES = frozenset(
    (
        *(
            "doi.org",
            "worldcat.org",
            "viaf.org",
            "isni.org",
            "id.loc.gov",
            "d-nb.info",
            "orcid.org",
            "idref.fr",
        ),
        *("musicbrainz.org", "imdb.com", "geonames.org", "semanticscholar.org", "nih.gov", "jstor.org"),
    )
)
# Wikipedias that are not named by the language's code.
_WIKIS = {
    "nob": "no",
    "gsw": "als",
    "yue": "zh_yue",
    "nan": "zh_min_nan",
    "lzh": "zh_classical",
    "vro": "fiu_vro",
    "rup": "roa_rup",
    "sgs": "bat_smg",
    "fil": "tl",
}
_ARCHIVED = regex.compile(r"https?://(?:web\.)?archive\.org/web/[^/]+/(.+)")


@dataclass(slots=True)
class Links:
    """How many links lead to each site, and a few of its pages."""

    per_site: int = 1
    counts: Counter[str] = field(default_factory=Counter)
    pages: dict[str, list[str]] = field(default_factory=dict)
    refused: Counter[str] = field(default_factory=Counter)

    def add(self, url: str) -> None:
        """Count a link; one to an archived copy counts for the page that was copied."""
        archived = _ARCHIVED.fullmatch(url)
        address = canonical(archived[1] if archived else url)
        if not address:
            self.refused[address.reason] += 1  # type: ignore[union-attr]
            return
        site = site_of(address)
        if why := _left_out(site):
            self.refused[why] += 1
            return
        self.counts[site] += 1
        known = self.pages.setdefault(site, [])
        if len(known) < self.per_site and address not in known:
            known.append(address)

    def candidates(self, wiki: str, limit: int = 0) -> Iterator[Candidate]:
        """The pages of each site, most linked sites first; the rank is the site's."""
        ordered = sorted(self.counts, key=lambda site: (-self.counts[site], site))
        for rank, site in enumerate(ordered[: limit or None], 1):
            for url in self.pages[site]:
                yield Candidate(url, f"{wiki}, {self.counts[site]:,} links to {site}", rank=rank)


def wiki_of(language: Language) -> str:
    """The name of a language's Wikipedia, if there is one.

    >>> wiki_of(Language.find("isiXhosa")), wiki_of(Language.find("nob"))
    ('xhwiki', 'nowiki')
    """
    return f"{_WIKIS.get(language.code) or language.iso639_1 or language.code}wiki"


def links_in_tables(externallinks: str, pages: str = "") -> Iterator[str]:
    """The external links of a wiki, of its articles only if there is a dump of its pages too."""
    articles = _articles(pages) if pages else None
    if "el_to" in columns_of(externallinks):
        rows: Iterable[tuple[bytes, ...]] = rows_of(externallinks, ("el_from", "el_to"))
        decode: Callable[..., str] = _text
    else:
        rows = rows_of(externallinks, ("el_from", "el_to_domain_index", "el_to_path"))
        decode = address_of
    for source, *parts in rows:
        if articles is None or _has(articles, int(source)):
            yield decode(*parts)


def address_of(domain: bytes, path: bytes) -> str:
    """The URL of MediaWiki's newer columns, in which the host is turned around.

    >>> address_of(b"https://pk.akhbar.www.", b"/news?id=1")
    'https://www.akhbar.pk/news?id=1'
    """
    scheme, _, reversed_host = _text(domain).partition("://")
    host, _, port = reversed_host.partition(":")
    if host.startswith(("V4.", "V6.")):
        name = (
            host[3:].rstrip(".") if host.startswith("V4.") else f"[{host[3:].rstrip('.').replace('.', ':')}]"
        )
    else:
        name = ".".join(reversed(host.rstrip(".").split(".")))
    return f"{scheme}://{name}{':' + port if port else ''}{_text(path) or '/'}"


def language_names(langlinks: str, pages: str, language: Language) -> list[tuple[str, str]]:
    """What other Wikipedias call the language: their code and the title of their article about it.

    The article is looked for in the language's own Wikipedia under the names that are known.
    """
    titles = {_folded(name) for name in (language.own_name, language.name, *language.name_substrings) if name}
    found = set()
    for key, space, title in rows_of(pages, ("page_id", "page_namespace", "page_title")):
        if space == b"0" and _folded(_text(title)) in titles:
            found.add(key)
    names = rows_of(langlinks, ("ll_from", "ll_lang", "ll_title")) if found else ()
    return sorted((_text(code), _text(title)) for key, code, title in names if key in found)


def _articles(pages: str) -> bytearray:
    """The ids of the pages in the first name space, a bit each: a hundred million take 12 MB."""
    bits = bytearray()
    for key, space in rows_of(pages, ("page_id", "page_namespace")):
        if space == b"0":
            place, bit = divmod(int(key), 8)
            if place >= len(bits):
                bits.extend(bytes(place + 1 - len(bits) + (1 << 16)))
            bits[place] |= 1 << bit
    return bits


def _has(bits: bytearray, key: int) -> bool:
    place, bit = divmod(key, 8)
    return place < len(bits) and bool(bits[place] >> bit & 1)


def _left_out(site: str) -> str:
    """Why a site is no seed; empty if it may be one."""
    labels = site.split(".")
    above = {".".join(labels[number:]) for number in range(len(labels))}
    return "Wikimedia" if above & OWN else "catalogue" if above & CATALOGUES else ""


def _folded(title: str) -> str:
    return title.replace("_", " ").casefold()


def _text(value: bytes) -> str:
    return value.decode("utf-8", "replace")
