"""The words that topics are made of: noun lemmas where a tagger has been, and a stated fallback where not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from corpulyzer.engine.workbench import Workbench
from corpulyzer.language import Language
from corpulyzer.measure.bench import Bench
from corpulyzer.measure.text.counts import TextCounts, sampled, sampled_texts
from corpulyzer.measure.text.passage import words_of
from corpulyzer.measure.text.target_text import fold
from corpulyzer.measure.words.word_class import classify
from corpulyzer.storage import Storage, open_input
from corpulyzer.text import spaceless

if TYPE_CHECKING:
    from simplemma import Lemmatizer

MOST_FREQUENT = 100
MIN_CHARACTERS = 4
NOUNS = frozenset({"NOUN", "PROPN"})
ANNOTATED_SQL = """
select s.key, s.id, a.sentences from sampled as s join annotations as a on s.id = a.id
order by s.key nulls last, s.id nulls last
"""
# Languages whose dictionary goes by another code.
_SHARED_DICTIONARIES = {"hrv": "hbs", "bos": "hbs", "cnr": "hbs", "nob": "nb", "nno": "nn"}


@dataclass(frozen=True, slots=True)
class TopicWords:
    """Documents as lists of words, what kind of words these are, and what to know of that."""

    documents: list[list[str]]
    method: str
    warnings: tuple[str, ...] = ()


def topic_words(bench: Bench, counts: TextCounts, most: int) -> TopicWords:
    """The first `most` documents of the sample, reduced to the words that carry topics."""
    if bench.annotations is not None and bench.annotations.files:
        documents = list(_nouns(bench, counts, most))
        if any(documents):
            return TopicWords(documents, "noun lemmas")
    texts = sampled_texts(bench, counts, most)
    words = [words_of(fold(text, bench.language), bench.language) for text in texts]
    dictionary = dictionary_of(bench.language)
    if dictionary:
        words = [[lemma_of(word, dictionary) for word in each] for each in words]
    what = "lemmas" if dictionary else "words"
    return TopicWords(
        without_function_words(words, bench.language),
        f"{what} without the frequent and the short",
        (
            f"No tagger has been here: instead of noun lemmas, these are {what} in small letters without the "
            f"{MOST_FREQUENT} most frequent, those of fewer than {MIN_CHARACTERS} letters, and numbers.",
        ),
    )


def without_function_words(documents: list[list[str]], language: Language) -> list[list[str]]:
    """Documents without their most frequent words, short words, and what is no word of the language."""
    counted = Counter(word for words in documents for word in words)
    frequent = sorted(counted, key=lambda word: (-counted[word], word))[:MOST_FREQUENT]
    least = 1 if spaceless(language.script) else MIN_CHARACTERS
    keep = {
        word
        for word in counted.keys() - set(frequent)
        if len(word) >= least and (not (kind := classify(word, language).kind) or _unknown(kind, language))
    }
    return [[word for word in words if word in keep] for words in documents]


def _unknown(kind: str, language: Language) -> bool:
    """Whether a word counts as foreign only because the letters of the language are not known."""
    return kind == "foreign_letters" and not language.script


def dictionary_of(language: Language) -> str:
    """The name of the language among those that have a dictionary of lemmas; empty where there is none."""
    from simplemma.strategies.dictionaries.dictionary_factory import SUPPORTED_LANGUAGES

    if language.code == "srp":
        return "hbs" if language.script == "Latn" else ""
    names = (_SHARED_DICTIONARIES.get(language.code, ""), language.iso639_1, language.code)
    return next((name for name in names if name in SUPPORTED_LANGUAGES), "")


@lru_cache(maxsize=1 << 18)
def lemma_of(word: str, dictionary: str) -> str:
    """The lemma of a word in small letters, by a dictionary."""
    return str(lemmatizer(dictionary).lemmatize(word, lang=dictionary)).lower()


@lru_cache(maxsize=1)
def lemmatizer(_dictionary: str) -> Lemmatizer:
    """The lemmatizer of a dictionary, which holds that one alone.

    A dictionary takes up to 350 MB, and simplemma keeps eight; reports on many languages need one at a time.
    """
    from simplemma import Lemmatizer
    from simplemma.strategies import DefaultStrategy
    from simplemma.strategies.dictionaries.dictionary_factory import DefaultDictionaryFactory

    strategy = DefaultStrategy(dictionary_factory=DefaultDictionaryFactory(cache_max_size=1))
    return Lemmatizer(lemmatization_strategy=strategy)


def _nouns(bench: Bench, counts: TextCounts, most: int) -> Iterator[list[str]]:
    """The noun lemmas of each sampled document that is annotated, read a few documents at a time."""
    import pyarrow.parquet as pq

    assert bench.annotations is not None
    work = Workbench(bench.engine, Storage(bench.folder), "topics")
    tables = {"sampled": sampled(bench, counts), "annotations": bench.annotations}
    joined = work.make("annotated", ANNOTATED_SQL, **tables)
    given = 0
    with open_input(joined.files[0]) as file:
        for batch in pq.ParquetFile(file).iter_batches(200, columns=["sentences"]):
            for sentences in batch.column("sentences").to_pylist()[: most - given]:
                given += 1
                yield list(nouns_of(sentences or ()))
            if given >= most:
                break
    work.clear()


def nouns_of(sentences: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The lemmas of nouns, in small letters."""
    for sentence in sentences:
        for token in sentence["tokens"]:
            if token["upos"] in NOUNS and (token["lemma"] or token["form"]):
                yield (token["lemma"] or token["form"]).lower()
