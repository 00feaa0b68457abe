"""`corpus.seeds`: where the crawl begins, and the sources that more can be taken from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpulyzer.api.engines import on
from corpulyzer.engine.progress import Progress, silent
from corpulyzer.jobs import seeds as job
from corpulyzer.jobs.seeds import Limits, sources
from corpulyzer.jobs.seeds.wikipedia import DUMPS

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine import Engine
    from corpulyzer.jobs.seeds.search import Searched
    from corpulyzer.jobs.seeds.wikipedia import LinkedSites
    from corpulyzer.web.seeds import Added, Seed
    from corpulyzer.web.seeds.report import SeedReport
    from corpulyzer.web.seeds.search.provider import Provider


@dataclass(frozen=True, slots=True)
class Seeds:
    """The seeds of a corpus. Verbs that find many take `limits`, those of `corpulyzer.jobs.seeds.Limits`."""

    corpus: CorpusFolder

    def all(self) -> list[Seed]:
        """The seeds in the order in which they were added, with their sources and rounds."""
        from corpulyzer.web.seeds import read

        return read(self.corpus.storage)

    def add(self, *urls: str, homepages: bool = False) -> Added:
        """Add web addresses; with `homepages` the home page of each one's host."""
        return job.add_addresses(self.corpus, urls, homepages=homepages)

    def file(self, path: str | Path, **limits: Any) -> Added:
        """Add the seeds in a file, which is left as it is."""
        return sources.add_file(self.corpus, Path(path), Limits(**limits))

    def ranks(self, path: str, most: int = 1000, **limits: Any) -> Added:
        """Add the home pages of the highest ranked domains of a list; 0: all."""
        return sources.add_ranked(self.corpus, path, most, Limits(**limits))

    def sitemap(self, *sites: str, contact: str = "", allow_private: bool = False, **limits: Any) -> Added:
        """Add the pages that the sitemaps of sites list; robots.txt is asked first, and obeyed."""
        return sources.add_in_sitemaps(
            self.corpus, sites, contact, allow_private=allow_private, limits=Limits(**limits)
        )

    def links(self, to: str, graph: str = "", **limits: Any) -> Added:
        """Add the pages that link to addresses with `to` in them: of the corpus, or of a graph in a file."""
        return sources.add_linking(self.corpus, to, graph, Limits(**limits))

    def plugin(self, name: str, *, language: str = "", **limits: Any) -> Added:
        """Add the seeds that a plug-in of that name proposes, for one of several languages or for each."""
        return sources.add_from_plugin(self.corpus, name, Limits(**limits), language)

    def queries(
        self,
        words: str | Path | None = None,
        text: str | Path | None = None,
        *,
        from_corpus: bool = False,
        queries: int = 100,
        size: int = 2,
        ranks: str = "",
        seed: int = 0,
        language: str = "",
    ) -> list[str]:
        """Queries of random words: of a word list, of a text, or of the corpus so far, in each language."""
        from corpulyzer.jobs.seeds.search import Queries, queries_for

        listed, written = (None if file is None else Path(file) for file in (words, text))
        asked = Queries(listed, written, from_corpus, queries, size, ranks, seed, language)
        return queries_for(self.corpus, asked)

    def search(
        self,
        queries: Sequence[str],
        provider: str | Provider,
        endpoint: str = "",
        *,
        parameters: Sequence[str] = (),
        pages: int = 1,
        per_day: int = 0,
        check: str = "snippet",
        language: str = "",
        progress: Progress = silent,
        **limits: Any,
    ) -> Searched:
        """Send queries to a search engine, and add what is in the language, or in one of several."""
        from corpulyzer.jobs.seeds.search import search
        from corpulyzer.web.seeds.search.known import provider_of

        asked = provider_of(provider, endpoint, tuple(parameters)) if isinstance(provider, str) else provider
        return search(
            self.corpus,
            asked,
            queries,
            pages=pages,
            per_day=per_day,
            check=check,
            language=language,
            limits=Limits(**limits),
            progress=progress,
        )

    def wikipedia(
        self,
        dumps: str = DUMPS,
        *,
        wiki: str = "",
        xml: str = "",
        words_to: Path | None = None,
        per_site: int = 1,
        most: int = 0,
        language: str = "",
        **limits: Any,
    ) -> LinkedSites:
        """Add the sites that the language's Wikipedia links to, most linked first; of several, each one's."""
        from corpulyzer.jobs.seeds.wikipedia import Wiki, add_linked_sites

        return add_linked_sites(
            self.corpus,
            Wiki(dumps, wiki, xml),
            per_site=per_site,
            most=most,
            words_to=words_to,
            language=language,
            limits=Limits(**limits),
        )

    def boost(self, site: str, *, engine: Engine | None = None) -> int:
        """Put a site first: its best waiting URLs become seeds of the next round; return how many."""
        from corpulyzer.jobs.seeds.boost import boost

        with on(self.corpus, engine) as runner:
            return boost(self.corpus, runner, site)

    def report(self, most: int = 20, *, engine: Engine | None = None) -> SeedReport:
        """What each source was worth, and the sites that several sources agree on, `most` of them."""
        from corpulyzer.jobs.seeds.worth import worth

        with on(self.corpus, engine) as runner:
            return worth(self.corpus, runner, most)
