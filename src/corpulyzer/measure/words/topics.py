"""What a corpus is about: topics by latent Dirichlet allocation, sized by their words (HR-13, HR-14, HR-19).

hrWaC (2011), Table 3: 20 topics from a tenth of the documents, reduced to noun lemmas, named by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

from corpulyzer.measure.bench import Bench
from corpulyzer.measure.figures import bars
from corpulyzer.measure.result import Result
from corpulyzer.measure.text.counts import text_counts, text_warnings
from corpulyzer.measure.typed_rows import table_of
from corpulyzer.measure.words.topic_anchors import seed_words
from corpulyzer.measure.words.topic_words import TopicWords, topic_words
from corpulyzer.storage import open_input

TOPICS = 20
SHARE = 0.10
# A tenth of a small corpus is too little for topics: at least this many documents are taken.
MIN_DOCUMENTS = 2_000
# MALLET's defaults, which the paper used: 1,000 iterations, fixed priors that sum to 5 over the topics and
# are 0.01 for each word.
ITERATIONS = 1_000
ALPHA_SUM, ETA = 5.0, 0.01
# The prior of a word in the topic that starts from it: enough to put it there at first, and as one occurrence
# among all that count later.
SEED_WEIGHT = 1.0
TOP_WORDS = 10
# Two topics are the same if they share at least this many of their ten words.
SAME_WORDS = 3


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic: its share of all words that were assigned to topics, and its most probable words."""

    number: int
    share: float
    words: tuple[str, ...]
    name: str = ""


Likeness = Callable[[Topic, Topic], float]


@dataclass(frozen=True, slots=True)
class Fitted:
    """Topics, and the log-likelihood of a word halfway through the iterations and at their end."""

    topics: tuple[Topic, ...] = ()
    halfway: float = 0.0
    end: float = 0.0


def lda(
    documents: Sequence[Sequence[str]], *, seed: int, topics: int = TOPICS, iterations: int = ITERATIONS
) -> list[Topic]:
    """The topics of documents, the largest first; fewer where there are not enough words."""
    return list(fit(documents, seed=seed, topics=topics, iterations=iterations).topics)


def fit(
    documents: Sequence[Sequence[str]], *, seed: int, topics: int = TOPICS, iterations: int = ITERATIONS
) -> Fitted:
    """The topics of documents, and how far the model still moved in the second half of its iterations."""
    import tomotopy

    least = 2 if len(documents) < 1_000 else 5
    model = tomotopy.LDAModel(k=topics, seed=seed, min_df=least, alpha=ALPHA_SUM / topics, eta=ETA)
    model.optim_interval = 0
    for topic, seeds in enumerate(seed_words(documents, topics)):
        for word in seeds:
            model.set_word_prior(word, [SEED_WEIGHT if other == topic else ETA for other in range(topics)])
    for words in documents:
        if words:
            model.add_doc(list(words))
    if not len(model.docs):
        return Fitted()
    # One worker: with more, the order of their work changes the topics.
    model.train(iterations // 2, workers=1)
    halfway = model.ll_per_word
    model.train(iterations - iterations // 2, workers=1)
    if not int(model.get_count_by_topics().sum()):
        return Fitted()
    return Fitted(tuple(_largest_first(model)), halfway, model.ll_per_word)


def _largest_first(model: Any) -> list[Topic]:
    sizes = model.get_count_by_topics()
    total = int(sizes.sum())
    order = sorted(range(model.k), key=lambda number: (-int(sizes[number]), number))
    return [
        Topic(
            place,
            int(sizes[number]) / total,
            tuple(word for word, _ in model.get_topic_words(number, TOP_WORDS)),
        )
        for place, number in enumerate(order, 1)
        if sizes[number]
    ]


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
    found = lda(words.documents, seed=bench.seed, topics=bench.topics)
    return (named(found, read_names(bench.topic_names)) if bench.topic_names else found), words


def measure(bench: Bench) -> list[Result]:
    """The topics, and whether half or twice the sample gives the same ones."""
    counts = text_counts(bench)
    size = sample_size(counts.documents, bench.sample)
    words = topic_words(bench, counts, 2 * size)
    fitted = fit(words.documents[:size], seed=bench.seed, topics=bench.topics)
    found = list(fitted.topics)
    if bench.topic_names:
        found = named(found, read_names(bench.topic_names))
    parameters = {
        "topics": bench.topics,
        "iterations": ITERATIONS,
        "seed": bench.seed,
        "documents": min(size, len(words.documents)),
        "words": words.method,
        "alpha": ALPHA_SUM / bench.topics,
        "eta": ETA,
        "log_likelihood_halfway": round(fitted.halfway, 4),
        "log_likelihood": round(fitted.end, 4),
    }
    warnings = (*words.warnings, *_sampling(size, counts.documents), *text_warnings(bench, counts))
    return [
        _topics(found, parameters, warnings),
        _stability(found, words, size, counts.documents, parameters),
    ]


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
    found: list[Topic], words: TopicWords, size: int, documents: int, parameters: dict[str, Any]
) -> Result:
    rows = []
    for part in (min(count, len(words.documents)) for count in (size // 2, 2 * size)):
        if part and found and part != size:
            other = lda(words.documents[:part], seed=parameters["seed"], topics=parameters["topics"])
            pairs = match_topics(found, other)
            alike = sum(1 for _, _, value in pairs if is_same(value))
            mean = sum(value for _, _, value in pairs) / len(pairs) if pairs else 0.0
            rows.append(
                {
                    "documents": part,
                    "share": part / documents,
                    "topics": len(other),
                    "found_again": alike,
                    "mean_jaccard": mean,
                }
            )
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
        warnings=("The samples share documents: independent ones would agree less.",),
    )
