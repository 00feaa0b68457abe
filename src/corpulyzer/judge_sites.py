"""What people decided about sites, as settings: the block and allow lists of filters and crawl."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corpulyzer.audit.sites import decided, read_sites
from corpulyzer.corpus import open_corpus, write_settings

if TYPE_CHECKING:
    from corpulyzer.corpus import Corpus


def apply_decisions(corpus: Corpus, *, only_allowed: bool = False) -> dict[str, Any]:
    """Write the decisions about sites into the settings; return the keys that changed, with their values.

    A blocked site is left out of corpus and crawl; one that is allowed again comes off these lists. With
    `only_allowed`, the corpus is limited to the sites that are allowed.
    """
    config = open_corpus(corpus.storage.root).config
    labels = read_sites(corpus.storage).values()
    blocked, allowed = decided(labels, "block"), set(decided(labels, "allow"))
    wanted = {
        "filter.hosts.block": _merged(config.filter.hosts.block, blocked, allowed),
        "scope.block": _merged(config.scope.block, blocked, allowed),
    }
    if only_allowed:
        wanted["filter.hosts.allow"] = _merged(config.filter.hosts.allow, sorted(allowed), set(blocked))
    now = {
        "filter.hosts.block": config.filter.hosts.block,
        "scope.block": config.scope.block,
        "filter.hosts.allow": config.filter.hosts.allow,
    }
    changed = {key: value for key, value in wanted.items() if tuple(value) != tuple(now[key])}
    if changed:
        write_settings(corpus.storage, changed)
    return changed


def _merged(now: tuple[str, ...], more: list[str], less: set[str]) -> list[str]:
    return [site for site in dict.fromkeys((*now, *more)) if site not in less]
