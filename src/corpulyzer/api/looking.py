"""The verbs that look at a corpus and take from it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpulyzer.api.engines import on
from corpulyzer.corpus.folder import CorpusFolder
from corpulyzer.engine.progress import Progress, silent

if TYPE_CHECKING:
    from corpulyzer.api.audit import Audit
    from corpulyzer.engine import Engine
    from corpulyzer.export import Exported
    from corpulyzer.jobs.compare import Comparison
    from corpulyzer.jobs.search.concordance import Matches
    from corpulyzer.jobs.search.look_up import Match
    from corpulyzer.jobs.status import Status
    from corpulyzer.measure.licenses.vote import Licenses
    from corpulyzer.measure.pages.funnel import Funnel
    from corpulyzer.measure.pages.strictness import Strictness
    from corpulyzer.measure.result import Results
    from corpulyzer.records.settings import Setting
    from corpulyzer.search.kwic import Kwic, Order
    from corpulyzer.search.lists import Items, Listed
    from corpulyzer.search.measures import Keyword


class Looking(CorpusFolder):
    """What a corpus tells of itself: counts, measures, report, concordance, audit, exports."""

    def funnel(self, language: str = "", *, engine: Engine | None = None) -> Funnel:
        """How many pages each step kept, and why it dropped the others (HR-11); or that of one language."""
        from corpulyzer.jobs.status import funnel_of

        with on(self, engine) as runner:
            return funnel_of(self, runner, language)

    def status(self, *, engine: Engine | None = None) -> Status:
        """Where the corpus stands: its funnel, its crawl, and what has to be brought up to date."""
        from corpulyzer.jobs.status import status

        with on(self, engine) as runner:
            return status(self, runner)

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
        self, *, again: bool = False, progress: Progress = silent, engine: Engine | None = None
    ) -> str:
        """Write the report, the data card and the manifest; return the path of the page."""
        from corpulyzer.report import write_report

        with on(self, engine) as runner:
            return write_report(self, runner, progress, again)

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
        progress: Progress = silent,
    ) -> Kwic:
        """The lines of the concordance that meet a query; the filters limit the documents."""
        from corpulyzer.jobs.search.concordance import search
        from corpulyzer.search.matches import Only

        only = Only(site, license, since, until, min_quality)
        window = {"width": width, "limit": limit, "offset": offset}
        return search(self, query, only, order=order, progress=progress, **window)

    def matches(self, query: str, *, progress: Progress = silent, **only: Any) -> Matches:
        """The matches of a query: their lines, collocations, clusters and sites; limited as in `search`."""
        from corpulyzer.jobs.search.concordance import matches
        from corpulyzer.search.matches import Only

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

    def keywords(self, reference: str | Path, *, progress: Progress = silent) -> list[Keyword]:
        """The words that the corpus has more often than the frequency list in a file, strongest first."""
        from corpulyzer.jobs.search.concordance import keywords

        return keywords(self, Path(reference), progress)

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
            "selection": Selection(tuple(license), tuple(site), min_quality, without=tuple(without)),
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
