"""The verbs that look at a corpus and take from it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from corpulyzer.api.engines import on
from corpulyzer.corpus.folder import CorpusFolder
from corpulyzer.engine.progress import Progress, silent

if TYPE_CHECKING:
    from corpulyzer.api.audit import Audit
    from corpulyzer.corpus.subcorpora import Subcorpus
    from corpulyzer.engine import Engine
    from corpulyzer.export import Exported
    from corpulyzer.jobs.compare import Comparison
    from corpulyzer.jobs.search.company import Compared
    from corpulyzer.jobs.search.concordance import Matches
    from corpulyzer.jobs.search.look_up import Match
    from corpulyzer.jobs.status.now import Status
    from corpulyzer.measure.licenses.vote import Licenses
    from corpulyzer.measure.pages.funnel import Funnel
    from corpulyzer.measure.pages.strictness import Strictness
    from corpulyzer.measure.result import Results
    from corpulyzer.records.settings import Setting
    from corpulyzer.search.company.sketch import Sketch
    from corpulyzer.search.company.thesaurus import Neighbour
    from corpulyzer.search.keywords import By, Keyword
    from corpulyzer.search.kwic import Kwic, Order
    from corpulyzer.search.lists import Items, Listed


class Looking(CorpusFolder):
    """What a corpus tells of itself: counts, measures, report, concordance, audit, exports."""

    def funnel(self, language: str = "", *, engine: Engine | None = None) -> Funnel:
        """How many pages each step kept, and why it dropped the others (HR-11); or that of one language."""
        from corpulyzer.jobs.status.funnels import funnel_of

        with on(self, engine) as runner:
            return funnel_of(self, runner.here, language)

    def status(self, *, engine: Engine | None = None) -> Status:
        """Where the corpus stands: its funnel, its crawl, and what has to be brought up to date."""
        from corpulyzer.jobs.status.now import status

        with on(self, engine) as runner:
            return status(self, runner.here)

    def as_of(self, when: str, *, progress: Progress = silent, engine: Engine | None = None) -> Self:
        """The corpus as it was at the end of a round (`"3"`) or at a time (`"2026-05-01"`), as a corpus."""
        from corpulyzer.jobs.as_of.run import as_of

        with on(self, engine) as runner:
            return as_of(self, when, runner, progress)

    def why(self, url: str, *, engine: Engine | None = None) -> list[dict[str, Any]]:
        """Everything that happened to a page: each fetch, what was learned, the verdict and its numbers."""
        from corpulyzer.jobs.why import history

        with on(self, engine) as runner:
            return history(self, url, runner)

    def explain(self, key: str) -> list[Setting]:
        """The setting of a key, or those of a table such as `filter`, each with its meaning and origin."""
        from corpulyzer.corpus.settings.explain import explained

        return explained(self.settings, key)

    def rejects(self, number: int = 5, seed: int = 0, *, engine: Engine | None = None) -> list[Strictness]:
        """What the thresholds in use throw away in each language, with some of it, drawn by the seed."""
        from corpulyzer.jobs.calibrate import rejects

        with on(self, engine) as runner:
            return rejects(self, runner, number, seed)

    def stop_words(self, share: float = 0.5) -> list[str]:
        """The most frequent words of the language in the kept documents, for `extract.stop_words`."""
        from corpulyzer.jobs.stop_words import stop_words

        return stop_words(self, share)

    def analyze(
        self,
        *names: str,
        again: bool = False,
        progress: Progress = silent,
        engine: Engine | None = None,
    ) -> Results:
        """The results that names of panels or of measures stand for; all without names.

        What is stored and still holds is not measured again, unless `again`.
        """
        from corpulyzer.jobs.analyze.run import analyze, chosen

        with on(self, engine) as runner:
            return chosen(analyze(self, runner, names, progress, again), names)

    def report(
        self,
        *,
        again: bool = False,
        interface: str = "en",
        progress: Progress = silent,
        engine: Engine | None = None,
    ) -> str:
        """Write the report, the data card and the manifest; return the path of the page.

        `interface` is the language that the page speaks: `en`, `de` or `ur`.
        """
        from corpulyzer.interface.catalogue import known_interface
        from corpulyzer.report import write_report

        with on(self, engine) as runner:
            return write_report(self, runner, progress, again, known_interface(interface))

    def compare(
        self, *others: CorpusFolder, progress: Progress = silent, engine: Engine | None = None
    ) -> Comparison:
        """What this corpus and others share: pages, sites, words and topics; and their numbers."""
        from corpulyzer.jobs.compare import compare

        return compare(self, *others, progress=progress, engine=engine)

    def licenses(self, *, engine: Engine | None = None) -> Licenses:
        """Which licenses the pages of each site have, and which of them stand after the site's vote."""
        from corpulyzer.measure.licenses.vote import licenses

        with on(self, engine) as runner:
            return licenses(runner, self.table("documents"))

    def search(
        self,
        query: str,
        width: int = 40,
        order: Order = "document",
        *,
        limit: int = 100,
        offset: int = 0,
        site: str = "",
        license: str = "",
        since: str = "",
        until: str = "",
        min_quality: float | None = None,
        seed: int = 0,
        progress: Progress = silent,
    ) -> Kwic:
        """The lines of the concordance that meet a query; the filters limit the documents.

        In the order `random`, they are a sample that the seed draws.
        """
        from corpulyzer.jobs.search.concordance import search
        from corpulyzer.search.finding.only import Only

        only = Only(site, license, since, until, min_quality)
        window = {"width": width, "limit": limit, "offset": offset, "seed": seed}
        return search(self, query, only, order=order, progress=progress, **window)

    def matches(self, query: str, *, progress: Progress = silent, **only: Any) -> Matches:
        """The matches of a query: their lines, collocations, clusters and sites; limited as in `search`."""
        from corpulyzer.jobs.search.concordance import matches
        from corpulyzer.search.finding.only import Only

        return matches(self, query, Only(**only), progress=progress)

    def words(
        self,
        stream: Listed = "words",
        n: int = 1,
        *,
        like: str = "",
        least: int = 1,
        limit: int = 100,
        progress: Progress = silent,
    ) -> Items:
        """Words, lemmas, tags or own tags (`xtags`), `n` in a row, by how often they come."""
        from corpulyzer.jobs.search.concordance import words
        from corpulyzer.search.lists import Wanted

        return words(self, Wanted(stream, n, like, least), limit=limit, progress=progress)

    def keywords(
        self,
        reference: str | Path | CorpusFolder,
        *,
        by: By = "log_likelihood",
        progress: Progress = silent,
    ) -> list[Keyword]:
        """The words that the corpus has more often than another, strongest first.

        That is a corpus, its folder, the name of a subcorpus, or a file with a frequency list.
        """
        from corpulyzer.jobs.search.company import keywords_against

        return keywords_against(self, reference, by=by, progress=progress)

    def sketch(self, query: str, *, progress: Progress = silent, **only: Any) -> Sketch:
        """The collocates of a query by their relation to it: by tags, or by position where there are none."""
        from corpulyzer.jobs.search.company import sketch_of
        from corpulyzer.search.finding.only import Only

        return sketch_of(self, query, Only(**only), progress)

    def thesaurus(self, word: str, limit: int = 50, *, progress: Progress = silent) -> list[Neighbour]:
        """The words that keep company similar to that of a word, the most similar first."""
        from corpulyzer.jobs.search.company import similar_words

        return similar_words(self, word, limit, progress)

    def compare_words(
        self, first: str, second: str, window: int = 5, *, progress: Progress = silent, **only: Any
    ) -> Compared:
        """The company of two words, from what belongs to the first to what belongs to the second."""
        from corpulyzer.jobs.search.company import compared
        from corpulyzer.search.finding.only import Only

        return compared(self, first, second, window=window, only=Only(**only), progress=progress)

    @property
    def subcorpora(self) -> dict[str, Subcorpus]:
        """The saved subcorpora by their names."""
        from corpulyzer.corpus.subcorpora import subcorpora

        return subcorpora(self.storage)

    def save_subcorpus(
        self, name: str, *, note: str = "", progress: Progress = silent, **choice: Any
    ) -> Subcorpus:
        """Save the documents that meet a choice: `query`, `site`, `license`, `since`, `until`,
        `min_quality`, `topic`, `label`; the list stays as it is while the corpus grows.
        """
        from corpulyzer.jobs.search.subcorpora import Choice, save_subcorpus

        return save_subcorpus(self, name, Choice(**choice), note, progress)

    def forget_subcorpus(self, name: str) -> None:
        """Delete a subcorpus; its documents stay in the corpus."""
        from corpulyzer.corpus.subcorpora import forget

        forget(self.storage, name)

    def in_subcorpus(self, name: str, *, engine: Engine | None = None) -> Looking:
        """A subcorpus as a corpus, to be searched, measured, reported and audited; an empty name is all."""
        if not name:
            return self
        from corpulyzer.jobs.search.subcorpora import in_subcorpus

        found = in_subcorpus(self, name, partial(on, self, engine))
        return Subset(
            found.storage, found.config, found.settings, found.accepted, found.whole, found.subcorpus
        )

    def similar(self, text: str, limit: int = 20, *, engine: Engine | None = None) -> list[Match]:
        """The documents that are like a text or share passages with it, best first; needs `dedup`."""
        from corpulyzer.jobs.search.look_up import look_up

        with on(self, engine) as runner:
            return look_up(self, runner, text, limit)

    def export(
        self,
        format: str,
        to: str | Path = "",
        *,
        language: str = "",
        license: Iterable[str] = (),
        site: Iterable[str] = (),
        without: Iterable[str] = (),
        subcorpus: str = "",
        min_quality: float | None = None,
        split: str = "train",
        seed: int = 0,
        unit: str = "document",
        content: str = "page",
        compress: str = "",
        mask: str = "",
        progress: Progress = silent,
        engine: Engine | None = None,
    ) -> Exported:
        """Write the kept documents for other tools, as a new version below `exports/`, or into `to`.

        `mask` names traces of people that tokens take the place of: `email,phone,ip,card`.
        """
        from corpulyzer.export import Options
        from corpulyzer.export.mask import mask_of
        from corpulyzer.export.select import Selection, splits_of
        from corpulyzer.jobs.export import export

        asked: dict[str, Any] = {
            "selection": Selection(
                tuple(license), tuple(site), min_quality, without=tuple(without), subcorpus=subcorpus
            ),
            "splits": splits_of(split, seed),
            "options": Options(compress=compress, unit=unit, content=content, seed=seed),
            "mask": mask_of(mask),
        }
        with on(self, engine) as runner:
            return export(self, runner, format, to=str(to), language=language, progress=progress, **asked)

    @property
    def audit(self) -> Audit:
        """Samples for human eyes, and what is said of sites: `corpus.audit.sample()`, `.score()` …"""
        from corpulyzer.api.audit import Audit

        return Audit(self)

    kwic = search


class Subset(Looking):
    """A subcorpus as a corpus: `corpus.in_subcorpus("poems")`."""

    def __repr__(self) -> str:
        return f"<Subset {self.name}: {self.language.name} ({self.language.code}), {self.storage.root}>"

    def export(self, format: str, *args: Any, **asked: Any) -> Exported:
        """Write the documents of the subcorpus for other tools, as the corpus does it."""
        return self._all.export(format, *args, **{**asked, "subcorpus": self.subcorpus})

    def why(self, url: str, *, engine: Engine | None = None) -> list[dict[str, Any]]:
        """Everything that happened to a page, whether or not it is in the subcorpus."""
        return self._all.why(url, engine=engine)

    @property
    def _all(self) -> Looking:
        whole = self.whole or self
        return Looking(whole.storage, whole.config, whole.settings, whole.accepted, whole.whole)
