"""What Common Crawl has of a corpus' languages: counted, as seeds, or the pages themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpulyzer.engine.progress import Progress, silent
from corpulyzer.errors import UserError
from corpulyzer.jobs.seeds import NO_LIMITS, Limits, add_within
from corpulyzer.storage.lock import changing

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine import Dataset, Engine
    from corpulyzer.engine.workbench import Workbench
    from corpulyzer.web.commoncrawl.estimate import Estimate
    from corpulyzer.web.commoncrawl.fetch import Fetched
    from corpulyzer.web.commoncrawl.mirror import Mirror, Release
    from corpulyzer.web.commoncrawl.wanted import Wanted
    from corpulyzer.web.seeds import Added

SOURCE = "commoncrawl"


@dataclass(frozen=True, slots=True)
class Looked:
    """Which pages are looked for: in which releases (the newest, if none), hosts and top-level domains.

    `rank` is where the language stands in the index's list: any, first or only; with `all_languages` none is
    asked for. In a corpus of several languages a page has any of them, or `language`. With `cdx` the index
    server is asked, which is quicker for a few hosts only.
    """

    releases: Sequence[str] = ()
    rank: str = "any"
    hosts: Sequence[str] = ()
    tlds: Sequence[str] = ()
    all_languages: bool = False
    language: str = ""
    cdx: bool = False

    def wanted(self, corpus: CorpusFolder) -> Wanted:
        """The filter of index rows that this stands for."""
        from corpulyzer.web.commoncrawl.wanted import wanted

        languages = () if self._takes_all(corpus) else corpus.looked_for(self.language)
        codes = [language.code for language in languages]
        return wanted(codes, self.rank, tuple(self.hosts), tuple(self.tlds))

    def _takes_all(self, corpus: CorpusFolder) -> bool:
        return self.all_languages or not (self.language or corpus.targets.languages)


@dataclass(frozen=True, slots=True)
class Counted:
    """How much there is: by release and in all.

    `shares` are the whole releases, where they were counted: of the hosts and top-level domains looked for.
    """

    releases: list[str]
    estimate: Estimate
    shares: Mapping[str, Mapping[str, Any]]


def releases(corpus: CorpusFolder) -> list[Release]:
    """The releases there are, newest first."""
    return _mirror(corpus).releases()


def count(
    corpus: CorpusFolder, engine: Engine, looked: Looked, *, totals: bool = False, progress: Progress = silent
) -> Counted:
    """How many pages, sites and bytes there are; nothing is fetched but the index.

    With `totals` the whole releases are counted too, for the share that the language has there, or on the
    hosts and top-level domains that are looked for.
    """
    from corpulyzer.web.commoncrawl.estimate import estimate

    wanted = looked.wanted(corpus)
    rows, names = _index_rows(corpus, looked, wanted, engine, progress)
    found = estimate(engine, rows)
    return Counted(names, found, _shares(corpus, names, wanted, engine, progress) if totals else {})


def add_as_seeds(
    corpus: CorpusFolder,
    engine: Engine,
    looked: Looked,
    *,
    per_site: int = 0,
    most: int = 0,
    limits: Limits = NO_LIMITS,
    progress: Progress = silent,
) -> Added:
    """Add the pages as seeds, the sites that have most of them first; 0 is no limit, of a site or in all."""
    from corpulyzer.web.seeds.rows import from_rows

    with _workbench(corpus, engine) as bench:
        pages = _chosen(corpus, bench, looked, per_site, most, progress)
        return add_within(corpus, from_rows(pages), SOURCE, limits)


def fetch(
    corpus: CorpusFolder,
    engine: Engine,
    looked: Looked,
    *,
    per_site: int = 0,
    most: int = 0,
    progress: Progress = silent,
) -> Fetched:
    """Read the records of the pages out of Common Crawl's archives into the corpus; again, it goes on."""
    from corpulyzer.web.commoncrawl.estimate import in_archives

    with _workbench(corpus, engine) as bench:
        pages = in_archives(bench, _chosen(corpus, bench, looked, per_site, most, progress))
        return _fetched(corpus, engine, pages, f"{SOURCE}-{looked.wanted(corpus).key}", progress)


def _mirror(corpus: CorpusFolder) -> Mirror:
    from corpulyzer.storage.http import Patience
    from corpulyzer.web.commoncrawl import DATA
    from corpulyzer.web.commoncrawl.mirror import Mirror

    settings = corpus.config.commoncrawl
    is_set = any(each.key == "commoncrawl.api" and each.origin != "default" for each in corpus.settings)
    # The index server of Common Crawl knows nothing of another place's releases.
    api = settings.api if settings.mirror == DATA or is_set else ""
    return Mirror(settings.mirror, api, Patience(tries=8, longest_seconds=settings.longest_pause_seconds))


def _index_rows(
    corpus: CorpusFolder, looked: Looked, wanted: Wanted, engine: Engine, progress: Progress
) -> tuple[Dataset, list[str]]:
    """The rows of the index that are wanted, of all releases together, and the names of the releases."""
    from corpulyzer.engine import Dataset
    from corpulyzer.records.columns import schema_of
    from corpulyzer.web.commoncrawl import IndexRow
    from corpulyzer.web.commoncrawl.cdx import Cdx, filter_cdx
    from corpulyzer.web.commoncrawl.index import filter_index

    mirror = _mirror(corpus)
    names = list(dict.fromkeys(looked.releases or [_newest(mirror)]))
    files: list[str] = []
    with changing(corpus.storage, "commoncrawl"):
        for name in names:
            if looked.cdx:
                asked = Cdx(corpus.config.commoncrawl.api, mirror.patience)
                files += filter_cdx(asked, name, wanted, corpus.storage, progress).files
            else:
                files += filter_index(mirror, name, wanted, corpus.storage, engine, progress).files
    return Dataset(tuple(files), schema_of(IndexRow)), names


def _newest(mirror: Mirror) -> str:
    known = mirror.releases()
    if not known:
        raise UserError(
            f"{mirror.root} has no release in Common Crawl's layout.",
            "Check --mirror: it must hold cc-index/table/cc-main/warc/crawl=….",
        )
    return known[0].id


def _shares(
    corpus: CorpusFolder, names: list[str], wanted: Wanted, engine: Engine, progress: Progress
) -> dict[str, dict[str, Any]]:
    from corpulyzer.web.commoncrawl.estimate import share
    from corpulyzer.web.commoncrawl.index import language_counts

    mirror, within = _mirror(corpus), replace(wanted, language="", rank="any")
    with changing(corpus.storage, "commoncrawl"):
        counts = {
            name: language_counts(mirror, name, corpus.storage, engine, progress, within) for name in names
        }
    return {name: share(engine, found, wanted.codes, wanted.rank) for name, found in counts.items()}


@contextmanager
def _workbench(corpus: CorpusFolder, engine: Engine) -> Iterator[Workbench]:
    """A folder for the list of pages, which may be as long as a release; what a kill left there goes."""
    from corpulyzer.engine.workbench import Workbench
    from corpulyzer.web.commoncrawl import FOLDER

    bench = Workbench(engine, corpus.storage, f"{FOLDER}-chosen")
    with changing(corpus.storage, "commoncrawl"):
        bench.clear()
        try:
            yield bench
        finally:
            bench.clear()


def _chosen(
    corpus: CorpusFolder, bench: Workbench, looked: Looked, per_site: int, most: int, progress: Progress
) -> Dataset:
    from corpulyzer.web.commoncrawl.estimate import chosen

    rows, _ = _index_rows(corpus, looked, looked.wanted(corpus), bench.engine, progress)
    return chosen(bench, rows, per_site, most)


def _fetched(corpus: CorpusFolder, engine: Engine, pages: Dataset, name: str, progress: Progress) -> Fetched:
    """Fetch the records of a table into the corpus, and note the archives as an import.

    An archive in a store cannot be written record by record: there tasks of the engine write many.
    """
    from corpulyzer.engine.workbench import rows_in
    from corpulyzer.jobs.importing.fetched import note_fetched
    from corpulyzer.storage import is_remote
    from corpulyzer.web.commoncrawl.fetch import Fetched, Fetcher, wishes
    from corpulyzer.web.commoncrawl.gate import Gate
    from corpulyzer.web.commoncrawl.slices import Slices

    storage, settings, mirror = corpus.storage, corpus.config.commoncrawl, _mirror(corpus)
    wished = rows_in(pages)
    done, advance = Fetched(wished=wished), _counter(progress, wished)
    with changing(storage, "commoncrawl fetch"):
        try:
            if is_remote(storage.root):
                Slices(storage, mirror, settings, name).fetch(engine, wishes(pages), done, advance)
            else:
                gate = Gate(settings.pause_seconds, settings.longest_pause_seconds)
                fetcher = Fetcher(mirror, settings.connections, gate, mirror.patience)
                fetcher(wishes(pages), done, Path(storage.path("imports")), name, advance)
        finally:
            note_fetched(storage, name, settings.mirror, done.missing)
    return done


def _counter(progress: Progress, total: int) -> Callable[[int], None]:
    done = 0

    def advance(records: int) -> None:
        nonlocal done
        done += records
        progress("fetching records", done, total)

    return advance
