"""`corpus.audit`: samples for human eyes, what their labels say, and what is said of whole sites."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from corpulyzer.api.engines import on
from corpulyzer.jobs import audit
from corpulyzer.jobs.audit import labelling

if TYPE_CHECKING:
    from corpulyzer.audit.labels import Label
    from corpulyzer.audit.sample import Sample
    from corpulyzer.audit.sites import SiteLabel
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine import Engine
    from corpulyzer.jobs.audit.labelling import Labelling
    from corpulyzer.jobs.audit.learned_lists import WrittenList


@dataclass(frozen=True, slots=True)
class Audit:
    """The audits of a corpus; people label with `corpulyzer audit label` or `corpulyzer serve`."""

    corpus: CorpusFolder

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
        with on(self.corpus, engine) as runner:
            return audit.draw_sample(self.corpus, runner, size, name, seed=seed, rejects=rejects)

    def labelling(self, name: str = "first", annotator: str = "me") -> Labelling:
        """The sample as one annotator sees it: `.items`, those `.waiting` for a label, and those `.given`."""
        return labelling.labelling(self.corpus, name, annotator)

    def label(
        self,
        document: int,
        code: str,
        flags: Iterable[str] = (),
        note: str = "",
        *,
        name: str = "first",
        annotator: str = "me",
    ) -> Label:
        """Label a document of a sample, such as `label(item.id, "CC")`; a later label takes its place."""
        return labelling.label(self.corpus, name, annotator, document, code, flags, note)

    def score(self, *names: str) -> list[audit.Score]:
        """What the labels of audits say of the corpus, and how far annotators agree; all without names."""
        return audit.scores(self.corpus, names)

    def learn(
        self, label: str, flag: str, *, seed: int = 0, engine: Engine | None = None
    ) -> list[WrittenList]:
        """Learn a list of words for a label from texts that people gave a flag: `learn("adult", "OF")`."""
        from corpulyzer.jobs.audit.learned_lists import learn_label

        with on(self.corpus, engine) as runner:
            return learn_label(self.corpus, runner, label, flag, seed)

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
        from corpulyzer.jobs.audit.site_decisions import apply_decisions

        return apply_decisions(self.corpus, only_allowed=only_allowed)
