"""What people said and decided about sites, as settings of filters and crawl (XH-27)."""

from __future__ import annotations

from typing import Any

from corpulyzer.audit.sites import decided, read_sites
from corpulyzer.corpus.folder import CorpusFolder, write_settings
from corpulyzer.jobs.analyze.inputs import site_labels
from corpulyzer.storage.lock import editing


def apply_decisions(corpus: CorpusFolder, *, only_allowed: bool = False) -> dict[str, Any]:
    """Write what is said of sites into the settings; return the keys that changed, with their values.

    A blocked site is left out of corpus and crawl; one that is allowed again comes off these lists. With
    `only_allowed`, the corpus is limited to the sites that are allowed. Whether a site is machine-translated
    goes to the filter of that name, before any fingerprint.
    """
    with editing(corpus.storage, "audit apply"):
        return _applied(corpus, only_allowed)


def _applied(corpus: CorpusFolder, only_allowed: bool) -> dict[str, Any]:
    config = CorpusFolder.open(corpus.storage.root).config
    labels = read_sites(corpus.storage).values()
    hosts, translated = config.filter.hosts, config.filter.machine_translation
    blocked, allowed = decided(labels, "block"), decided(labels, "allow")
    said = {site: facts.get("machine_translated") for site, facts in site_labels(corpus.storage).items()}
    yes, no = ([site for site in sorted(said) if said[site] == answer] for answer in ("yes", "no"))
    # Of each setting: what it is now, what comes on it, and what comes off.
    lists: dict[str, tuple[tuple[str, ...], list[str], list[str]]] = {
        "filter.hosts.block": (hosts.block, blocked, allowed),
        "scope.block": (config.scope.block, blocked, allowed),
        "filter.machine_translation.sites": (translated.sites, yes, no),
        "filter.machine_translation.not_sites": (translated.not_sites, no, yes),
    }
    if only_allowed:
        lists["filter.hosts.allow"] = (hosts.allow, allowed, blocked)
    wanted = {key: _merged(now, more, less) for key, (now, more, less) in lists.items()}
    changed = {key: value for key, value in wanted.items() if tuple(value) != lists[key][0]}
    if changed:
        write_settings(corpus.storage, changed)
    return changed


def _merged(now: tuple[str, ...], more: list[str], less: list[str]) -> list[str]:
    return [site for site in dict.fromkeys((*now, *more)) if site not in less]
