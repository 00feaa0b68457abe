"""An audit of a corpus: samples for human eyes, what their labels say, and what is said of whole sites."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from corpulyzer.audit.labels import all_labels
from corpulyzer.audit.sample import Sample, audits, draw, read_sample, write_sample
from corpulyzer.audit.sites import SiteLabel, read_sites, write_site
from corpulyzer.measure.quality.audit import agreement, kappas, score
from corpulyzer.measure.result import Result

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine import Engine


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two annotators agree, by Cohen's kappa; None where it is not defined."""

    annotators: tuple[str, str]
    kappa: float | None


@dataclass(frozen=True, slots=True)
class Score:
    """What the labels of an audit say of the corpus, and how far annotators agree (Krippendorff's alpha)."""

    result: Result
    alpha: float | None
    kappas: tuple[Agreement, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The same as plain values."""
        pairs = [{"annotators": list(pair.annotators), "kappa": pair.kappa} for pair in self.kappas]
        return {**self.result.to_json(), "alpha": self.alpha, "kappas": pairs}


def draw_sample(
    corpus: CorpusFolder, engine: Engine, size: int, name: str, *, seed: int = 0, rejects: bool = False
) -> Sample:
    """Draw a sample of the corpus, or of what the filters dropped, and keep it under a name."""
    corpus.one_at_a_time("`corpulyzer audit`")
    drawn = draw(engine, corpus.table("documents"), size, seed=seed, rejects=rejects)
    write_sample(corpus.storage, name, drawn)
    return drawn


def scores(corpus: CorpusFolder, names: Sequence[str] = ()) -> list[Score]:
    """What the labels of audits say of the whole corpus; of all audits without names."""
    found = []
    for name in names or audits(corpus.storage):
        labels = all_labels(corpus.storage, name)
        result = score(name, read_sample(corpus.storage, name), labels)
        pairs = tuple(Agreement(pair, value) for pair, value in kappas(labels).items())
        found.append(Score(result, agreement(labels), pairs))
    return found


def label_site(corpus: CorpusFolder, label: SiteLabel) -> SiteLabel:
    """Say something of a site; what the label leaves empty stays as it was said before."""
    known = read_sites(corpus.storage).get(label.site, SiteLabel(label.site))
    said = replace(known, **{name: value for name, value in asdict(label).items() if value})
    write_site(corpus.storage, said)
    return said
