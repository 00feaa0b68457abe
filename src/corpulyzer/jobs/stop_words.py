"""The stop words of a corpus, as its own texts show them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from corpulyzer.corpus.settings.plugins import plugins_of
from corpulyzer.measure.text.target_text import COLUMNS, texts_of
from corpulyzer.page.extract.published.justext import frequent_words
from corpulyzer.page.target_sentences import target_sentences
from corpulyzer.plugins import IDENTIFIER

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder


def stop_words(corpus: CorpusFolder, share: float = 0.5) -> list[str]:
    """The words that make up `share` of the kept documents' text in the language, in alphabetical order."""
    corpus.one_at_a_time("`corpulyzer stop-words`")
    return sorted(frequent_words(_target_texts(corpus), share))


def _target_texts(corpus: CorpusFolder) -> Iterator[str]:
    """What of each kept document is in the language, as the measures of text take it."""
    sentences = target_sentences(corpus.config)
    if sentences is not None:
        corpus.load_plugins(plugins_of(corpus.config, IDENTIFIER))
    for batch in corpus.documents.kept().batches(list(COLUMNS)):
        yield from (text.target for text in texts_of(batch, corpus.language.code, sentences))
