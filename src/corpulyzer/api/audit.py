"""`corpus.audit`: samples for human eyes, what their labels say, and what is said of whole sites."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from corpulyzer.jobs import audit

if TYPE_CHECKING:
    from corpulyzer.api.corpus import Corpus
    from corpulyzer.audit.sample import Sample
    from corpulyzer.audit.sites import SiteLabel
    from corpulyzer.engine import Engine


@dataclass(frozen=True, slots=True)
class Audit:
    """The audits of a corpus. Documents are labelled in a terminal or browser: `corpulyzer audit label`."""

    corpus: Corpus

    def sample(
        self,
        size: int = 100,
        name: str = "first",
        *,
        seed: int = 0,
        rejects: bool = False,
        engine: Engine | None = None,
    ) -> Sample:
        """Draw a sample of the kept documents, or of `rejects`, and keep it under a name."""
        if engine is None:
            with self.corpus.engine() as own:
                return self.sample(size, name, seed=seed, rejects=rejects, engine=own)
        return audit.draw_sample(self.corpus, engine, size, name, seed=seed, rejects=rejects)

    def score(self, *names: str) -> list[audit.Score]:
        """What the labels of audits say of the corpus, and how far annotators agree; all without names."""
        return audit.scores(self.corpus, names)

    def sites(self) -> dict[str, SiteLabel]:
        """What was said of sites."""
        from corpulyzer.audit.sites import read_sites

        return read_sites(self.corpus.storage)

    def label_site(
        self,
        site: str,
        *,
        category: str = "",
        machine_translated: str = "",
        decision: str = "",
        note: str = "",
    ) -> SiteLabel:
        """Say something of a site; what is left empty stays as it was said before."""
        from corpulyzer.audit.sites import SiteLabel

        label = SiteLabel(site, category, machine_translated, decision, note)
        return audit.label_site(self.corpus, label)

    def apply(self, *, only_allowed: bool = False) -> dict[str, Any]:
        """Write what was said of sites into the settings; return the keys that changed, with their values."""
        from corpulyzer.jobs.site_decisions import apply_decisions

        return apply_decisions(self.corpus, only_allowed=only_allowed)
