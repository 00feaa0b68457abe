"""Drop or keep pages by their host: block and allow lists (XH-2)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

from corpulyzer.records import KEEP, Page, Verdict, drop
from corpulyzer.url import BlockList, blocked_by, host_of, suffixes

# Sites in a hundred languages that machines wrote, copies of encyclopedias that machines translated, and
# dictionaries: whatever the language, they hold no text of its people.
MADE_BY_MACHINES = (
    *("eturbonews.com", "second.wiki", "translate.goog", "translated.turbopages.org", "zxc.wiki"),
    *("bab.la", "glosbe.com", "linguee.com", "mymemory.translated.net", "reverso.net", "wordhippo.com"),
)


@dataclass(frozen=True)
class Hosts:
    """Drop a page whose host, or a domain above it, is blocked; with an allow list, all not on it."""

    block: Annotated[tuple[str, ...], "Hosts and domains that are left out."] = MADE_BY_MACHINES
    lists: Annotated[
        tuple[BlockList, ...], "Block lists that ship with the package, beside `block`: isixhosa."
    ] = ()
    allow: Annotated[
        tuple[str, ...], "Hosts and domains to which the corpus is limited; empty: no limit."
    ] = ()

    def __call__(self, page: Page) -> Verdict:
        host = host_of(page.url)
        for suffix in suffixes(host):
            if suffix in self._blocked:
                return drop("hosts", f"{suffix} is blocked")
        if self.allow and not any(suffix in self._allowed for suffix in suffixes(host)):
            return drop("hosts", f"{host} is not on the allow list")
        return KEEP

    @cached_property
    def _blocked(self) -> frozenset[str]:
        return frozenset(name.lower().strip(".") for name in (*self.block, *blocked_by(self.lists)))

    @cached_property
    def _allowed(self) -> frozenset[str]:
        return frozenset(name.lower().strip(".") for name in self.allow)
