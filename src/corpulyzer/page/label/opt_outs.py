"""What the owner of a page asks of those who gather it: recorded as facts, and obeyed if the policy says so.

Read are X-Robots-Tag, the meta tags `robots` and our own name's, the text-and-data-mining reservation
(header and meta tag `tdm-reservation`), and `rel` of links. robots.txt is always obeyed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated

import corpulyzer
from corpulyzer.records import KEEP, Page, Verdict, drop
from corpulyzer.records.changed import changed

LABEL = "opt_outs"
FACTS = frozenset(("noindex", "nofollow", "noarchive", "nosnippet", "noai", "tdm_reserved"))

_OURS = ("robots", corpulyzer.__name__)
_WITH_VALUE = ("unavailable_after", "max-snippet", "max-image-preview", "max-video-preview")


@dataclass(frozen=True, slots=True)
class OptOutPolicy:
    """Which wishes are obeyed; those that are not are recorded all the same."""

    nofollow: Annotated[bool, "Do not follow links of pages that say nofollow."] = True
    rel_nofollow: Annotated[bool, "Do not follow links to other sites that say rel=nofollow."] = False
    own_nofollow: Annotated[bool, "Do not follow links of a site to itself that say rel=nofollow."] = True
    noindex: Annotated[bool, "Leave out pages that say noindex."] = False
    noarchive: Annotated[bool, "Leave out pages that say noarchive."] = False
    noai: Annotated[bool, "Leave out pages that say noai."] = True
    tdm_reserved: Annotated[bool, "Leave out pages that reserve text and data mining."] = True

    def follows(self, facts: Collection[str], rel: str = "") -> bool:
        """Whether a link with this `rel` on a page with these facts may be followed."""
        if self.rel_nofollow and "nofollow" in rel.lower().split():
            return False
        return not (self.nofollow and "nofollow" in facts)

    def __call__(self, page: Page) -> Verdict:
        """Drop a page whose owner does not want it taken."""
        wishes = page.labels.get(LABEL, "").split()
        obeyed = [wish for wish in wishes if wish != "nofollow" and getattr(self, wish, False)]
        return drop("opted_out", " ".join(obeyed)) if obeyed else KEEP


def label_opt_outs(page: Page) -> Page:
    """The page with the wishes of its owner, if any, in the label `opt_outs`, separated by spaces."""
    found = header_facts(page.headers) | meta_facts(page.metas)
    return changed(page, labels={**page.labels, LABEL: " ".join(sorted(found))}) if found else page


def header_facts(headers: Mapping[str, str]) -> frozenset[str]:
    """The wishes in the headers of a response, names in lower case.

    >>> sorted(header_facts({"x-robots-tag": "otherbot: noindex, corpulyzer: nofollow, noai"}))
    ['noai', 'nofollow']
    """
    found: set[str] = set()
    for_us = True
    for part in headers.get("x-robots-tag", "").lower().split(","):
        agent, colon, rest = part.partition(":")
        if colon and agent.strip() not in _WITH_VALUE:
            for_us = agent.strip() in _OURS
        if for_us:
            found |= _facts(rest if colon else part)
    if headers.get("tdm-reservation", "").strip() == "1":
        found.add("tdm_reserved")
    return frozenset(found)


def meta_facts(metas: Iterable[tuple[str, str]]) -> frozenset[str]:
    """The wishes in meta tags, their names in lower case.

    >>> sorted(meta_facts([("robots", "NoIndex, nofollow"), ("otherbot", "noai")]))
    ['nofollow', 'noindex']
    """
    found: set[str] = set()
    for name, content in metas:
        if name in _OURS:
            found |= {fact for part in content.lower().split(",") for fact in _facts(part)}
        elif name == "tdm-reservation" and content.strip() == "1":
            found.add("tdm_reserved")
    return frozenset(found)


def _facts(directive: str) -> frozenset[str]:
    name = directive.strip()
    return frozenset(("noindex", "nofollow")) if name == "none" else FACTS & {name}
