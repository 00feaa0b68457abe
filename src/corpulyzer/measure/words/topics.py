"""What a corpus is about: topics by latent Dirichlet allocation, sized by their words (HR-13, HR-14, HR-19).

hrWaC (2011), Table 3: 20 topics from a tenth of the documents, reduced to noun lemmas, named by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import ceil
from typing import Any

from corpulyzer.measure.bench import Bench
from corpulyzer.measure.figures import bars
from corpulyzer.measure.result import Result
from corpulyzer.measure.text.counts import text_counts, text_warnings
from corpulyzer.measure.typed_rows import table_of
from corpulyzer.measure.words.topic_fits import ALPHA_SUM, ETA, ITERATIONS, TOP_WORDS, Fitted, Topic, fits
from corpulyzer.measure.words.topic_words import TopicWords, topic_words
from corpulyzer.storage import open_input

SHARE = 0.10
# A tenth of a small corpus is too little for topics: at least this many documents are taken.
MIN_DOCUMENTS = 2_000
# Two topics are the same if they share at least this many of their ten words.
SAME_WORDS = 3


Likeness = Callable[[Topic, Topic], float]


def match_topics(
    first: Sequence[Topic], second: Sequence[Topic], alike: Likeness | None = None
) -> list[tuple[Topic, Topic, float]]:
    """Pairs of topics, one to one, with the largest sum of likeness; of `similarity`, if nothing is said."""
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    if not first or not second:
        return []
    values = np.array([[(alike or similarity)(one, other) for other in second] for one in first])
    rows, columns = linear_sum_assignment(-values)
    return [
        (first[row], second[column], float(values[row, column]))
        for row, column in zip(rows, columns, strict=True)
    ]


def similarity(one: Topic, other: Topic) -> float:
    """1 for the same name, else the Jaccard similarity of the words: for topics in one language.

    >>> similarity(Topic(1, 0.5, ("a", "b")), Topic(2, 0.5, ("b", "c")))
    0.3333333333333333
    """
    if same_name(one, other):
        return 1.0
    a, b = set(one.words), set(other.words)
    return len(a & b) / len(a | b) if a | b else 0.0


def same_name(one: Topic, other: Topic) -> float:
    """1 for the same name, 0 for all else: for topics in two languages, whose common words are fillers."""
    return float(bool(one.name) and one.name == other.name)


def is_same(value: float) -> bool:
    """Whether topics of this similarity are the same one."""
    return value >= SAME_WORDS / (2 * TOP_WORDS - SAME_WORDS)


def read_names(path: str) -> list[tuple[str, frozenset[str]]]:
    """Names that people gave: lines `name<tab>word word …`, with some words that tell the topic."""
    with open_input(path) as file:
        lines = bytes(file.read()).decode("utf-8").splitlines()
    pairs = (line.partition("\t") for line in lines if line.strip() and not line.startswith("#"))
    return [(name.strip(), frozenset(words.split())) for name, _, words in pairs]


def named(topics: Sequence[Topic], names: Sequence[tuple[str, frozenset[str]]]) -> list[Topic]:
    """The topics with the names whose words they share the most of, at least three; a name is given once."""
    left = list(names)
    found = []
    for topic in topics:
        best = max(left, key=lambda pair: len(pair[1] & set(topic.words)), default=None)
        if best is not None and len(best[1] & set(topic.words)) >= SAME_WORDS:
            left.remove(best)
            found.append(replace(topic, name=best[0]))
        else:
            found.append(topic)
    return found


def sample_size(documents: int, most: int, share: float = SHARE) -> int:
    """Documents to fit topics to: a share of all, at least `MIN_DOCUMENTS`, at most half of `most`.

    Half, since twice as many are needed to check that the topics are stable.
    """
    return min(documents, max(ceil(share * documents), MIN_DOCUMENTS), max(1, most // 2))


def topics_of(bench: Bench) -> tuple[list[Topic], TopicWords]:
    """The topics of a corpus, with the names of its file, and the words that they were made of."""
    counts = text_counts(bench)
    words = topic_words(bench, counts, sample_size(counts.documents, bench.sample))
    (fitted,) = fits(bench, words.documents, [len(words.documents)])
    return _named(bench, fitted), words


def measure(bench: Bench) -> list[Result]:
    """The topics, and whether half or twice the sample gives the same ones."""
    counts = text_counts(bench)
    size = sample_size(counts.documents, bench.sample)
    words = topic_words(bench, counts, 2 * size)
    there = len(words.documents)
    sizes = dict.fromkeys(min(each, there) for each in (size, size // 2, 2 * size))
    fitted, *others = fits(bench, words.documents, list(sizes))
    parameters = {
        "topics": bench.topics,
        "iterations": fitted.iterations,
        "most_iterations": ITERATIONS,
        "seed": bench.seed,
        "documents": min(size, there),
        "words": words.method,
        "alpha": ALPHA_SUM / bench.topics,
        "eta": ETA,
        "log_likelihood_halfway": round(fitted.halfway, 4),
        "log_likelihood": round(fitted.end, 4),
    }
    found = _named(bench, fitted)
    warnings = (*words.warnings, *_sampling(size, counts.documents), *_failure(fitted, parameters))
    pairs = [(number, other) for number, other in zip(list(sizes)[1:], others, strict=True) if number]
    return [
        _topics(found, parameters, (*warnings, *text_warnings(bench, counts))),
        _stability(found, pairs, counts.documents, parameters),
    ]


def _named(bench: Bench, fitted: Fitted) -> list[Topic]:
    found = list(fitted.topics)
    return named(found, read_names(bench.topic_names)) if bench.topic_names else found


def _failure(fitted: Fitted, parameters: dict[str, Any]) -> list[str]:
    if not fitted.failure:
        return []
    return [f"Topics of {parameters['documents']:,} documents could not be found: {fitted.failure}"]


def _sampling(size: int, documents: int) -> list[str]:
    some = (
        f"{size:,} documents ({size / documents:.0%} of {documents:,})"
        if size < documents
        else "all documents"
    )
    return [f"Topics are of {some}; with another seed or processor they differ."]


def _topics(found: list[Topic], parameters: dict[str, Any], warnings: tuple[str, ...]) -> Result:
    rows = [
        {
            "topic": topic.number,
            "name": topic.name,
            "label": topic.name or ", ".join(topic.words[:3]),
            "share": topic.share,
            "words": list(topic.words),
        }
        for topic in found
    ]
    kinds = {"topic": "int64", "name": "string", "label": "string", "share": "double", "words": "[string]"}
    return Result(
        name="topics",
        title="Topics",
        definition="Groups of words that occur in the same documents (latent Dirichlet allocation), with "
        "the share "
        "of words that each accounts for.",
        citation="Ljubešić & Erjavec 2011, Table 3 (HR-13, HR-14); Blei, Ng & Jordan 2003",
        rows=table_of(rows, kinds),
        summary=f"The largest of {len(found)} topics ({found[0].share:.0%} of words): "
        f"{', '.join(found[0].words)}."
        if found
        else "There is too little text for topics.",
        parameters=parameters,
        spec={
            **bars("label", "share", percent=True, titles={"share": "share of words"}),
            "usermeta": {"rows": parameters["topics"], "value": "share"},
        },
        warnings=(
            *warnings,
            "A model finds as many topics as it is asked for; names are for people to give.",
        ),
    )


def _stability(
    found: list[Topic], others: Sequence[tuple[int, Fitted]], documents: int, parameters: dict[str, Any]
) -> Result:
    rows = []
    for part, other in others:
        if found and not other.failure:
            pairs = match_topics(found, other.topics)
            alike = sum(1 for _, _, value in pairs if is_same(value))
            mean = sum(value for _, _, value in pairs) / len(pairs) if pairs else 0.0
            rows.append(
                {
                    "documents": part,
                    "share": part / documents,
                    "topics": len(other.topics),
                    "found_again": alike,
                    "mean_jaccard": mean,
                }
            )
    failures = [each for part, other in others for each in _failure(other, {"documents": part})]
    kinds = {"documents": "int64", "share": "double", "topics": "int64", "found_again": "int64"}
    again = ", ".join(f"{row['found_again']} with {row['documents']:,} documents" for row in rows)
    return Result(
        name="topic_stability",
        title="Stability of the topics",
        definition="Of the topics, how many are found again with half and with twice the documents: "
        "matched one to "
        f"one, the same if at least {SAME_WORDS} of their {TOP_WORDS} words are.",
        citation="After Ljubešić & Erjavec 2011 (HR-19)",
        rows=table_of(rows, {**kinds, "mean_jaccard": "double"}),
        summary=f"Of {len(found)} topics, found again: {again}."
        if rows
        else "There is too little text to say.",
        parameters=parameters,
        warnings=("The samples share documents: independent ones would agree less.", *failures),
    )
