"""What to do with machine-translated pages (XH-5), be they told by fingerprints or by people (XH-27)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from corpulyzer.records import KEEP, Page, Verdict, drop
from corpulyzer.url import host_of, suffixes


@dataclass(frozen=True, slots=True)
class MachineTranslation:
    """Drop a page with a fingerprint of machine translation, or keep it, with or without following its links.

    The isiXhosa paper excludes such pages; its code saves them and does not follow their links. What people
    said of a site, or of the domain above it, goes before any fingerprint.
    """

    words = "not machine-translated"

    policy: Annotated[
        Literal["drop", "keep", "keep_no_links"], "What becomes of machine-translated pages."
    ] = "drop"
    fingerprints: Annotated[
        tuple[str, ...],
        "Fingerprints that count; empty: all. The isiXhosa paper knew gtranslate_comment alone.",
    ] = ()
    sites: Annotated[
        tuple[str, ...],
        "Hosts and domains that people found to be machine-translated: all their pages are.",
    ] = ()
    not_sites: Annotated[
        tuple[str, ...], "Hosts and domains that people found not to be, whatever fingerprints say."
    ] = ()

    def __call__(self, page: Page) -> Verdict:
        if self.policy == "drop" and (why := self._sign(page)):
            return drop("machine_translation", why)
        return KEEP

    def follows(self, page: Page) -> bool:
        """Whether the links of a page lead on: those of machine-translated pages only under `keep`."""
        return self.policy == "keep" or not self._sign(page)

    def _sign(self, page: Page) -> str:
        """What shows that a machine translated the page; empty where nothing does."""
        if self.sites or self.not_sites:
            for suffix in suffixes(host_of(page.url)):
                if suffix in self.not_sites:
                    return ""
                if suffix in self.sites:
                    return f"people said so of {suffix}"
        found = page.machine_translation
        return found if not self.fingerprints or found in self.fingerprints else ""
