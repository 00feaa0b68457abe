"""What to do with machine-translated pages (XH-5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from corpulyzer.record import KEEP, Page, Verdict, drop

GTRANSLATE_COMMENT = "gtranslate_comment"


@dataclass(frozen=True, slots=True)
class MachineTranslation:
    """Drop a page with a fingerprint of machine translation, or keep it, with or without following its links.

    The isiXhosa paper excludes such pages; its code saves them and does not follow their links.
    """

    policy: Annotated[
        Literal["drop", "keep", "keep_no_links"], "What becomes of machine-translated pages."
    ] = "drop"
    fingerprints: Annotated[
        tuple[str, ...],
        "Fingerprints that count; empty: all. The isiXhosa paper knew gtranslate_comment alone.",
    ] = ()

    def __call__(self, page: Page) -> Verdict:
        if self.policy == "drop" and self._counts(page):
            return drop("machine_translation", page.machine_translation)
        return KEEP

    def follows(self, page: Page) -> bool:
        """Whether the links of a page lead on: those of machine-translated pages only under `keep`."""
        return self.policy == "keep" or not self._counts(page)

    def _counts(self, page: Page) -> bool:
        found = page.machine_translation
        return bool(found) and (not self.fingerprints or found in self.fingerprints)
