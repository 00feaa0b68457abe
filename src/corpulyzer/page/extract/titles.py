"""The title of a page, also where the declared one is but the name of the file that the page is made of."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import unquote

import regex

from corpulyzer.page.extract.blocks import ASIDE, FOOTER, NAV, Blocks
from corpulyzer.page.extract.walk import own_tag

# What comes before the name of the site: "file.html - Site", "folder:file [Site]".
_FIRST_PART = regex.compile(r"(\S+?)(?:$|\s*[|\[»]|\s+[-–—:·•]+\s)")
_FILE = regex.compile(r"(?i)\.(?:[sx]?html?|php|aspx?|jsp|cfm|cgi|txt|md|pdf|docx?|odt|rtf)$")
_JOINT = regex.compile(r"[:/\\_+.-]+")
_JOINT_OF_FILES = regex.compile(r"[:/\\_+]")
_LETTERS = regex.compile(r"\p{L}{2}")


def title_of(page: Blocks, declared: str, addresses: Iterable[str]) -> str:
    """The declared title; the page's main heading where that is the name of a file or a part of the address.

    Only a single such heading is taken, one that is neither a link, as a logo is, nor in the title already.
    """
    if not _is_file_name(declared, addresses):
        return declared
    headings = [heading for heading in _headings(page) if heading.casefold() not in declared.casefold()]
    return headings[0] if len(headings) == 1 else declared


def _is_file_name(title: str, addresses: Iterable[str]) -> bool:
    """Whether the first part of a title is a name as files have it: `notes.txt`, or `a_b:c` of `/a_b/c`."""
    first = _FIRST_PART.match(title)
    if first is None:
        return False
    name = first[1].lower()
    if _FILE.search(name):
        return True
    if first[1] != name and not _JOINT_OF_FILES.search(name):  # "Guinea-Bissau", "COVID-19"
        return False
    parts = _JOINT.sub("/", name).strip("/")
    return "/" in parts and any(f"/{parts}/" in _parts_of(address) for address in addresses)


def _parts_of(address: str) -> str:
    """The path and query of an address with all that joins their parts made the same."""
    rest = unquote(address.partition("://")[2].partition("/")[2]).lower()
    return f"/{regex.sub(r'[:/_+.?&=-]+', '/', rest)}/"


def _headings(page: Blocks) -> list[str]:
    """The texts of the headings of the first level that are of the page itself, no link and not beside it."""
    texts: dict[int, list[str]] = {}
    for block in page.blocks:
        is_beside = block.within & (NAV | ASIDE | FOOTER) or 2 * block.links >= len(block.text)
        if block.kind == "h" and not is_beside and own_tag(page, block) == "h1":
            texts.setdefault(block.element, []).append(block.text)
    return [text for text in dict.fromkeys(map(" ".join, texts.values())) if _LETTERS.search(text)]
