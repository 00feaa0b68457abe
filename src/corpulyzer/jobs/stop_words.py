"""The stop words of a corpus, as its own texts show them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpulyzer.page.extract.published.justext import frequent_words

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder


def stop_words(corpus: CorpusFolder, share: float = 0.5) -> list[str]:
    """The most frequent words of the kept documents, which make up `share` of all, in alphabetical order."""
    return sorted(frequent_words(corpus.documents.kept().texts(), share))
