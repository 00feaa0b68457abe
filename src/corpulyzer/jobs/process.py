"""Documents out of what is stored: every derived table brought up to date with archives and settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpulyzer.storage.lock import changing
from corpulyzer.tables import Progress, Tables, silent

if TYPE_CHECKING:
    from corpulyzer.corpus import Corpus
    from corpulyzer.engine import Engine
    from corpulyzer.imports import Registered


def import_paths(corpus: Corpus, paths: list[str], engine: Engine, progress: Progress = silent) -> Registered:
    """Take in files and folders, and make documents of them; what is in already stays as it is."""
    from corpulyzer.imports import register

    with changing(corpus.storage, "import"):
        registered = register(corpus.storage, paths, progress)
        process(corpus, engine, progress=progress)
    return registered


def process(corpus: Corpus, engine: Engine, start: str | None = None, progress: Progress = silent) -> int:
    """Bring every derived table up to date with the archives and the settings; return the parts made.

    A part is made again from the first group of stages whose settings have changed, or from `start`.
    """
    from corpulyzer import rounds
    from corpulyzer.archives import archives as imported
    from corpulyzer.gone import retire_gone
    from corpulyzer.kept import write_kept
    from corpulyzer.rebuild import is_stale, rebuild

    with changing(corpus.storage, "process"):
        archives = [*imported(corpus.storage), *rounds.archives(corpus.storage)]
        tables = Tables(corpus.storage, corpus.config, engine, progress, corpus.accepted)
        made = tables.bring_up_to_date(archives, start)
        made += rebuild(corpus, engine) if start or is_stale(corpus) else 0
        made += bool(retire_gone(corpus, engine))
        write_kept(corpus.storage, engine)
    return made
