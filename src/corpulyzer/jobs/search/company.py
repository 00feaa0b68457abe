"""Words by the company they keep in a corpus, and the words that tell it from others."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from corpulyzer.corpus.folder import CorpusFolder
from corpulyzer.corpus.settings.file import FILE
from corpulyzer.corpus.subcorpora import subcorpora
from corpulyzer.errors import UserError
from corpulyzer.jobs.languages import in_language
from corpulyzer.jobs.search.concordance import matches, matches_in, ready
from corpulyzer.jobs.search.refresh import refresh
from corpulyzer.jobs.search.subcorpora import in_subcorpus
from corpulyzer.search.company.contrast import Contrast, contrast
from corpulyzer.search.company.sketch import Sketch
from corpulyzer.search.company.thesaurus import Neighbour, neighbours
from corpulyzer.search.finding.only import Only
from corpulyzer.search.keywords import By, Keyword, counts_of, keywords, read_reference
from corpulyzer.search.matches import Found
from corpulyzer.search.measures import WINDOW
from corpulyzer.storage import Storage, is_remote

if TYPE_CHECKING:
    from corpulyzer.engine.progress import Progress
    from corpulyzer.search.index import Index

LISTS = "references"
"""The folder of a corpus for frequency lists that it is compared with."""


@dataclass(frozen=True, slots=True)
class Compared:
    """Two queries beside each other: what each found, and the company of either."""

    first: Found
    second: Found
    rows: list[Contrast]


def sketch_of(
    corpus: CorpusFolder, query: str, only: Only | None = None, progress: Progress | None = None
) -> Sketch:
    """The collocates of a query by their relation to it."""
    return matches(corpus, query, only, tokens=True, progress=progress).sketch()


def similar_words(
    corpus: CorpusFolder, word: str, limit: int = 50, progress: Progress | None = None
) -> list[Neighbour]:
    """The words that keep company similar to that of a word, the most similar first."""
    return neighbours(refresh(corpus, progress), word, limit)


def compared(
    corpus: CorpusFolder,
    first: str,
    second: str,
    *,
    window: int = WINDOW,
    only: Only | None = None,
    progress: Progress | None = None,
) -> Compared:
    """The company of two words, from what belongs to the first to what belongs to the second."""
    only = only or Only()
    return compared_in(ready(corpus, only, progress), first, second, window, only)


def compared_in(index: Index, first: str, second: str, window: int, only: Only) -> Compared:
    """The same in an index as it is."""
    one, other = (matches_in(index, query, only).found for query in (first, second))
    return Compared(one, other, contrast(index, one, other, window))


def keywords_against(
    corpus: CorpusFolder,
    reference: str | Path | CorpusFolder,
    *,
    by: By = "log_likelihood",
    progress: Progress | None = None,
) -> list[Keyword]:
    """The words that the corpus has more often than a reference, the strongest first.

    That is another corpus, the name of a subcorpus of this one, the folder of a corpus, or a frequency list.
    """
    return keywords(refresh(corpus, progress), reference_counts(corpus, reference, progress), by=by)


def references(corpus: CorpusFolder) -> dict[str, str | Path | CorpusFolder]:
    """What there is to compare a corpus with, by names for people: the corpus that a subcorpus is of, other
    subcorpora, corpora of the same language beside this one, and frequency lists in its folder `references/`.
    """
    whole = corpus.whole if corpus.subcorpus and corpus.whole is not None else corpus
    found: dict[str, str | Path | CorpusFolder] = {}
    if corpus.subcorpus:
        found["the whole corpus"] = whole
    found |= {f"subcorpus {name}": name for name in subcorpora(whole.storage) if name != corpus.subcorpus}
    if is_remote(corpus.home.root):
        return found
    here = Path(corpus.home.root).resolve()
    for other in sorted(here.parent.glob(f"*/{FILE}")):
        if other.parent != here and _is_of(other.parent, corpus.language.code):
            found[f"corpus {other.parent.name}"] = other.parent
    return found | {f"list {file.name}": file for file in sorted((here / LISTS).glob("*")) if file.is_file()}


def _is_of(folder: Path, code: str) -> bool:
    """Whether a folder is a corpus of one language, this one; one that cannot be opened is not."""
    try:
        only = CorpusFolder.open(folder).targets.only
    except UserError:
        return False
    return only is not None and only.code == code


def reference_counts(
    corpus: CorpusFolder, reference: str | Path | CorpusFolder, progress: Progress | None = None
) -> dict[str, int]:
    """How often each word comes in a reference."""
    if isinstance(reference, CorpusFolder):
        return counts_of(refresh(reference, progress))
    whole = corpus.whole if corpus.subcorpus and corpus.whole is not None else corpus
    if str(reference) in subcorpora(whole.storage):
        return counts_of(refresh(in_subcorpus(whole, str(reference), whole.engine), progress))
    if Storage(reference).exists(FILE):
        other = CorpusFolder.open(reference)
        return counts_of(refresh(in_language(other, corpus.language.code, other.engine), progress))
    return read_reference(Path(reference), corpus.language)
