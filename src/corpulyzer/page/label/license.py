"""The Creative Commons license of a page, with every candidate and where it stands (C4-2, C4-3).

What a page declares of itself (`rel=license`, meta, JSON-LD, RDFa, footer) outweighs a link in running text,
and the license of a picture is not the page's. One kind is the page's license; several are `cc-unspecified`.
A link in running text is believed only if most of the site's other pages say the same: `stands`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import regex

from corpulyzer.page.label.license_evidence import evidence_of
from corpulyzer.page.label.license_kinds import UNSPECIFIED
from corpulyzer.records import Evidence, Page
from corpulyzer.records.changed import changed

DECLARED = ("rel", "meta", "json-ld", "rdfa", "rdf", "footer")
"""Places at which a page declares its own license."""
MOST_KINDS_IN_TEXT = 2
"""More kinds than that in running text are a list of licenses."""
LEAST_PAGES = 2
"""Pages of a site that must say the same, for a link in running text to be believed."""

# The pattern that C4Corpus ran in production.
_C4CORPUS = regex.compile(
    r"https?://creativecommons\.org/licenses/"
    r"(by|by-sa|by-nd|by-nc|by-nc-sa|by-nc-nd|publicdomain)[\"/ >]"
)


@dataclass(frozen=True, slots=True)
class License:
    """Label a page with its license. `c4corpus` is the rule of that system's code: one regex on the HTML."""

    method: Annotated[Literal["default", "c4corpus", "off"], "How licenses are found."] = "default"

    def __call__(self, page: Page) -> Page:
        if self.method == "off" or page.tree is None:
            return page
        if self.method == "c4corpus":
            by_regex = tuple(_by_regex(page.html))
            basis = "html" if by_regex else ""
            return changed(page, license=_one(by_regex), license_basis=basis, licenses=by_regex)
        found = evidence_of(page)
        license, basis = decide(found)
        return changed(page, license=license, license_basis=basis, licenses=tuple(found)) if found else page


def decide(candidates: Iterable[Evidence]) -> tuple[str, str]:
    """The page's license and its basis: `declared` by the page, or else `text`, links in its running text."""
    found = list(candidates)
    declared = [item for item in found if item.where in DECLARED]
    if declared:
        return _one(declared), "declared"
    linked = [item for item in found if item.where == "text"]
    if not linked or len({item.kind for item in linked}) > MOST_KINDS_IN_TEXT:
        return "", ""
    return _one(linked), "text"


def stands(basis: str, pages: int, voters: int) -> bool:
    """Whether a page keeps its license after the vote of its site.

    `pages` of the site's `voters`, the pages with text, have that same license. One that a page declares
    stands by itself; one that it merely links to stands if most of the site says so, and not one page alone.

    >>> stands("declared", 1, 100), stands("text", 51, 100), stands("text", 50, 100), stands("text", 1, 1)
    (True, True, False, False)
    """
    return basis != "text" or (pages >= LEAST_PAGES and 2 * pages > voters)


def _one(candidates: Iterable[Evidence]) -> str:
    kinds = {item.kind for item in candidates}
    if len(kinds) > 1:
        kinds.discard(UNSPECIFIED)
    return kinds.pop() if len(kinds) == 1 else UNSPECIFIED if kinds else ""


def _by_regex(html: str) -> Iterator[Evidence]:
    for found in _C4CORPUS.finditer(html):
        kind = "public-domain" if found[1] == "publicdomain" else f"cc-{found[1]}"
        yield Evidence(kind, found[0][:-1], "html")
