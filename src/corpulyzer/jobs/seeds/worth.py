"""What each source of seeds was worth to a corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpulyzer.web.seeds import sightings
from corpulyzer.web.seeds.report import SeedReport, seed_report

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine import Engine


def worth(corpus: CorpusFolder, engine: Engine, most: int = 20) -> SeedReport:
    """Of each source its seeds, how many live and are in the language, and what its sites gave.

    `most` is how many sites are listed that several sources agree on.
    """
    tables = (corpus.stored("fetches"), corpus.table("documents"))
    languages = [language.code for language in corpus.targets.languages]
    return seed_report(engine, sightings(corpus.storage), tables, languages, most)
