"""Labels of plug-ins: one fact of a page each, under the label's name."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from corpulyzer.plugins import LABEL, Plugin
from corpulyzer.plugins.registry import Registry
from corpulyzer.plugins.running import Called
from corpulyzer.records import Page
from corpulyzer.records.changed import changed

Label = Callable[[Page], str | float | None]
"""One fact of a page: a word or two, a number, or None where it cannot be told."""

# Names of settings, and of facts that stages of ours note.
RESERVED = (
    *("license", "more", "plugins", "opt_outs", "machine_translation", "no_text", "links_cut", "quality"),
    *("language_before", "other_paragraphs", "other_bytes", "sentences", "target_sentences"),
    *("needs_browser", "text_from", "content"),
)


def _is_fact(found: object, _page: Page) -> bool:
    return (
        found is None or isinstance(found, str) or (isinstance(found, int | float) and math.isfinite(found))
    )


LABELS = Registry(LABEL, {}, "a text, a finite number or None", _is_fact, RESERVED)


@dataclass(frozen=True, slots=True)
class OwnLabel:
    """Stage: a text becomes one of the page's labels, a number one of its scores; None and "" are no fact."""

    call: Called

    def __call__(self, page: Page) -> Page:
        found, name = self.call(page), self.call.plugin.name
        if found is None or found == "":
            return page
        if isinstance(found, str):
            return changed(page, labels={**page.labels, name: found})
        return changed(page, scores={**page.scores, name: float(found)})


def own_labels(names: tuple[str, ...], plugins: tuple[Plugin, ...]) -> tuple[OwnLabel, ...]:
    """The stages of these labels."""
    return tuple(OwnLabel(LABELS.called(LABELS.plugin(name, plugins))) for name in names)
