"""Documents out of what is stored: every derived table brought up to date with archives and settings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from corpulyzer.corpus.archives import Archive, archives
from corpulyzer.corpus.settings.plugins import PAGE_KINDS, plugins_of
from corpulyzer.corpus.tables import Tables
from corpulyzer.engine.progress import Progress, silent
from corpulyzer.jobs.status.funnels import count_on_cluster
from corpulyzer.storage.lock import changing

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine import Engine
    from corpulyzer.jobs.importing import Registered


def import_paths(
    corpus: CorpusFolder,
    paths: Sequence[str],
    engine: Engine,
    progress: Progress = silent,
    *,
    lists: Sequence[str] = (),
    below: str = "",
) -> Registered:
    """Take in files and folders and the archives of lists, and make documents of them.

    What is in already stays as it is, except for archives that could not be read at all: those are tried
    again. `below` is the prefix of what a list names in part.
    """
    from corpulyzer.jobs.importing import register

    corpus.load_plugins(plugins_of(corpus.config, *PAGE_KINDS))
    with changing(corpus.storage, "import"):
        registered = register(corpus.storage, paths, progress, lists=lists, below=below)
        there = archives(corpus.storage)
        _bring_up_to_date(corpus, engine, there, None, progress, try_again=True)
        return registered.without(Tables(corpus.storage, corpus.config, engine).left_out(there))


def process(
    corpus: CorpusFolder, engine: Engine, start: str | None = None, progress: Progress = silent
) -> int:
    """Bring every derived table up to date with the archives and the settings; return the parts made.

    A part is made again from the first group of stages whose settings have changed, or from `start`.
    """
    corpus.load_plugins(plugins_of(corpus.config, *PAGE_KINDS))
    with changing(corpus.storage, "process"):
        return _bring_up_to_date(corpus, engine, archives(corpus.storage), start, progress)


def _bring_up_to_date(
    corpus: CorpusFolder,
    engine: Engine,
    there: list[Archive],
    start: str | None,
    progress: Progress,
    *,
    try_again: bool = False,
) -> int:
    from corpulyzer.corpus.kept_documents import write_kept
    from corpulyzer.jobs.crawl.rebuild import rebuild, why_stale
    from corpulyzer.jobs.dead_pages import retire_gone

    tables = Tables(corpus.storage, corpus.config, engine, progress)
    made = tables.bring_up_to_date(there, start, try_again=try_again)
    made += rebuild(corpus, engine) if start or why_stale(corpus) else 0
    made += bool(retire_gone(corpus, engine))
    write_kept(corpus.storage, engine)
    count_on_cluster(corpus, engine)
    return made
