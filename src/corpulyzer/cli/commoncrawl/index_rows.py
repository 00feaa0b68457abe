"""What the commands about Common Crawl share: where it is read from, its index rows, its records."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from corpulyzer.cli.options import engine_flags
from corpulyzer.engine.progress import Progress

if TYPE_CHECKING:
    import pyarrow as pa

    from corpulyzer.api.corpus import Corpus
    from corpulyzer.engine import Dataset, Engine
    from corpulyzer.web.commoncrawl.fetch import Fetched
    from corpulyzer.web.commoncrawl.mirror import Mirror
    from corpulyzer.web.commoncrawl.wanted import Wanted


def opened(project: str, mirror: str | None, engine: str | None = None, master: str | None = None) -> Corpus:
    from corpulyzer.api.corpus import open_corpus

    place = {"commoncrawl.mirror": mirror} if mirror else {}
    return open_corpus(project, place | engine_flags(engine, master))


def mirror_of(corpus: Corpus) -> Mirror:
    from corpulyzer.storage.http import Patience
    from corpulyzer.web.commoncrawl import DATA
    from corpulyzer.web.commoncrawl.mirror import Mirror

    settings = corpus.config.commoncrawl
    # The index server of Common Crawl knows nothing of another place's releases.
    api = settings.api if settings.mirror == DATA or "api" in _set(corpus) else ""
    return Mirror(settings.mirror, api, Patience(tries=8, longest_seconds=settings.longest_pause_seconds))


def _set(corpus: Corpus) -> set[str]:
    """The settings of `commoncrawl` that somebody has set."""
    own = (setting for setting in corpus.settings if setting.key.startswith("commoncrawl."))
    return {setting.key.partition(".")[2] for setting in own if setting.origin != "default"}


def wanted_of(
    corpus: Corpus, rank: str, host: list[str] | None, tld: list[str] | None, all_languages: bool
) -> Wanted:
    from corpulyzer.web.commoncrawl.wanted import wanted

    language = "" if all_languages else corpus.language.code
    return wanted(language, rank, tuple(host or ()), tuple(tld or ()))


def index_rows(
    corpus: Corpus, wanted: Wanted, releases: list[str] | None, cdx: bool, engine: Engine, quiet: bool
) -> tuple[Dataset, list[str]]:
    """The rows of the index that are wanted, of all releases together, and the names of the releases."""
    from corpulyzer.cli.output import progress
    from corpulyzer.engine import Dataset
    from corpulyzer.records.columns import schema_of
    from corpulyzer.storage.lock import changing
    from corpulyzer.web.commoncrawl import IndexRow
    from corpulyzer.web.commoncrawl.cdx import Cdx, filter_cdx
    from corpulyzer.web.commoncrawl.index import filter_index

    mirror = mirror_of(corpus)
    names = list(dict.fromkeys(releases or [_newest(mirror)]))
    files: list[str] = []
    with changing(corpus.storage, "commoncrawl"), progress(quiet) as show:
        for name in names:
            if cdx:
                asked = Cdx(corpus.config.commoncrawl.api, mirror.patience)
                files += filter_cdx(asked, name, wanted, corpus.storage, show).files
            else:
                files += filter_index(mirror, name, wanted, corpus.storage, engine, show).files
    return Dataset(tuple(files), schema_of(IndexRow)), names


def _newest(mirror: Mirror) -> str:
    from corpulyzer.errors import UserError

    known = mirror.releases()
    if not known:
        raise UserError(
            f"{mirror.root} has no release in Common Crawl's layout.",
            "Check --mirror: it must hold cc-index/table/cc-main/warc/crawl=….",
        )
    return known[0].id


def shares_of(
    corpus: Corpus, names: list[str], wanted: Wanted, engine: Engine, quiet: bool
) -> dict[str, dict[str, Any]]:
    from corpulyzer.cli.output import progress
    from corpulyzer.storage.lock import changing
    from corpulyzer.web.commoncrawl.estimate import share
    from corpulyzer.web.commoncrawl.index import language_counts

    mirror = mirror_of(corpus)
    with changing(corpus.storage, "commoncrawl"), progress(quiet) as show:
        counts = {name: language_counts(mirror, name, corpus.storage, engine, show) for name in names}
    return {name: share(engine, found, wanted.codes, wanted.rank) for name, found in counts.items()}


def fetched(corpus: Corpus, table: pa.Table, wanted: Wanted, quiet: bool) -> Fetched:
    """Fetch the records of a table into the corpus, and note the archives as an import."""
    from pathlib import Path

    from corpulyzer.cli.output import progress
    from corpulyzer.errors import UserError
    from corpulyzer.jobs.importing.fetched import note_fetched
    from corpulyzer.storage import is_remote
    from corpulyzer.storage.lock import changing
    from corpulyzer.web.commoncrawl.fetch import Fetched, Fetcher, wishes
    from corpulyzer.web.commoncrawl.gate import Gate

    storage, settings, mirror = corpus.storage, corpus.config.commoncrawl, mirror_of(corpus)
    if is_remote(storage.root):
        raise UserError(
            f"{storage.root} cannot be written record by record.",
            "Fetch into a folder on this machine; `corpulyzer process` can then run anywhere.",
        )
    name = f"commoncrawl-{wanted.key}"
    gate = Gate(settings.pause_seconds, settings.longest_pause_seconds)
    fetcher = Fetcher(mirror, settings.connections, gate, mirror.patience)
    done = Fetched()
    with changing(storage, "commoncrawl fetch"):
        try:
            with progress(quiet) as show:
                advance = _counter(show, table.num_rows)
                fetcher(wishes(table), done, Path(storage.path("imports")), name, advance)
        finally:
            note_fetched(storage, name, settings.mirror, done.missing)
    return done


def _counter(show: Progress, total: int) -> Callable[[int], None]:
    done = 0

    def advance(records: int) -> None:
        nonlocal done
        done += records
        show("fetching records", done, total)

    return advance
