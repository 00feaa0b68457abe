"""Seeds out of plug-ins: a source is asked with the language of the corpus, and proposes candidates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from corpulyzer.language import Language
from corpulyzer.plugins import SEEDS, Plugin, PluginError
from corpulyzer.plugins.registry import Registry
from corpulyzer.plugins.running import said
from corpulyzer.web.seeds import Candidate

SeedSource = Callable[[Language], Iterable[Candidate | str]]
"""Proposes seeds for a language: candidates, or web addresses alone."""


def _are_candidates(found: object, _language: Language) -> bool:
    return isinstance(found, Iterable) and not isinstance(found, str | bytes)


SOURCES = Registry(SEEDS, {}, "Candidates, one after the other", _are_candidates, ("plugins",))


def from_plugin(plugin: Plugin, language: Language) -> Iterator[Candidate]:
    """What a source proposes for a language: candidates, or web addresses alone."""
    call = SOURCES.called(plugin)
    try:
        for found in call(language):
            candidate = Candidate(found) if isinstance(found, str) else found
            if not isinstance(candidate, Candidate):
                raise PluginError(f"The {plugin} proposed {found!r:.60}, which is no Candidate.")
            yield candidate
    except (PluginError, MemoryError):
        raise
    except Exception as error:  # of an iterator that the plug-in gave
        raise PluginError(f"The {plugin} raised {said(error)}") from error
