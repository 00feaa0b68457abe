"""Names of Creative Commons licenses: in addresses, in codes such as `CC BY-SA 4.0`, in words (C4-3)."""

from __future__ import annotations

from collections.abc import Iterator

import regex

KINDS = ("cc0", "cc-by", "cc-by-sa", "cc-by-nd", "cc-by-nc", "cc-by-nc-sa", "cc-by-nc-nd", "public-domain")
UNSPECIFIED = "cc-unspecified"

_ADDRESS = regex.compile(
    r"(?:https?:)?//(?:[a-z]+\.)?creativecommons\.org/"
    r"(?:licen[sc]es/(?P<terms>[a-z+-]+)|publicdomain/(?P<waiver>zero|mark)|licen[sc]es/?(?P<any>$))",
    regex.I,
)
_CODE = regex.compile(r"\bCC[\s-](?P<terms>BY(?:[\s-](?:NC|SA|ND))*)\b|\b(?P<zero>CC[\s-]?0)\b")
# The names in other languages than English differ from version to version and from country to country.
_NAME = regex.compile(
    r"\bCreative Commons Attribution"
    r"(?P<terms>(?:[\s\p{Pd}]+(?:Non-?Commercial|Share-?Alike|No-?Deriv\p{L}+))*)",
    regex.I,
)


def kind_of(address: str) -> str:
    """The kind of license that an address names, empty for any other address.

    >>> kind_of("//www.creativecommons.org/licenses/by-nd-nc/1.0")
    'cc-by-nc-nd'
    """
    found = _ADDRESS.search(address.strip())
    if not found:
        return ""
    if found["waiver"]:
        return "cc0" if found["waiver"].lower() == "zero" else "public-domain"
    return _from_terms((found["terms"] or "").lower())


def named_in(text: str) -> Iterator[tuple[str, str, int]]:
    """Each kind that a text names by code or in English words, the words, and where they begin.

    >>> [kind for kind, _, _ in named_in("CC BY-SA 4.0, Creative Commons Attribution-NonCommercial")]
    ['cc-by-sa', 'cc-by-nc']
    """
    for found in _CODE.finditer(text):
        terms = regex.sub(r"\s", "-", (found["terms"] or "").lower())
        yield "cc0" if found["zero"] else _from_terms(terms), found[0], found.start()
    for found in _NAME.finditer(text):
        words = regex.findall(r"non-?c|share|no-?d", found["terms"].lower())
        short = {"s": "sa", "c": "nc", "d": "nd"}
        terms = "-".join(["by", *(short["s" if word == "share" else word[-1]] for word in words)])
        yield _from_terms(terms), found[0], found.start()


def first_named(text: str) -> str:
    """The first kind that a text names by address, code or words; empty if none."""
    return kind_of(text) or next((kind for kind, _, _ in named_in(text)), "")


def _from_terms(terms: str) -> str:
    """Conditions in the order of today's names: version 1.0 wrote `by-nd-nc`."""
    if terms == "publicdomain":
        return "public-domain"
    parts = set(terms.strip("-").split("-"))
    kind = "-".join(["cc", *(part for part in ("by", "nc", "nd", "sa") if part in parts)])
    return kind if kind in KINDS else UNSPECIFIED
