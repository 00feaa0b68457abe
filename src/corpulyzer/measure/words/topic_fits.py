"""Topics fitted to documents, several fits side by side: each is a row of a map, in a process of its own.

A fit takes one thread, since with more the order of their work would change the topics; so the topics are the
same with any number of workers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from corpulyzer.engine import Limits, Source, Unit
from corpulyzer.engine.workbench import FEW_DOCUMENTS, Workbench
from corpulyzer.measure.bench import Bench
from corpulyzer.measure.words.topic_anchors import seed_words
from corpulyzer.records.columns import batch_of, record_of, schema_of
from corpulyzer.storage import ParquetSink, Storage, open_input

if TYPE_CHECKING:
    import pyarrow as pa

TOPICS = 20
# MALLET's defaults, which the paper used: 1,000 iterations (at most, here), fixed priors that sum to 5 over
# the topics and are 0.01 for each word.
ITERATIONS = 1_000
ALPHA_SUM, ETA = 5.0, 0.01
# A fit has converged when the log-likelihood of a word has risen by less than this in so many iterations.
LEAST_GAIN, IN_ITERATIONS = 0.002, 100
# The prior of a word in the topic that starts from it: enough to put it there at first, and as one occurrence
# among all that count later.
SEED_WEIGHT = 1.0
TOP_WORDS = 10
_STEP, _LOOKED_AT = 10, 50
_FITS = "fits"


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic: its share of all words that were assigned to topics, and its most probable words."""

    number: int
    share: float
    words: tuple[str, ...]
    name: str = ""


@dataclass(frozen=True, slots=True)
class Fitted:
    """Topics, and the log-likelihood of a word after each fifty iterations; or why there are none."""

    topics: tuple[Topic, ...] = ()
    likelihoods: tuple[float, ...] = ()
    iterations: int = 0
    failure: str = ""

    @property
    def halfway(self) -> float:
        """The log-likelihood of a word halfway through the iterations."""
        return self.likelihoods[(len(self.likelihoods) - 1) // 2] if self.likelihoods else 0.0

    @property
    def end(self) -> float:
        """The same at their end."""
        return self.likelihoods[-1] if self.likelihoods else 0.0


def lda(
    documents: Sequence[Sequence[str]], *, seed: int, topics: int = TOPICS, iterations: int = ITERATIONS
) -> list[Topic]:
    """The topics of documents, the largest first; fewer where there are not enough words."""
    return list(fit(documents, seed=seed, topics=topics, iterations=iterations).topics)


def fit(
    documents: Sequence[Sequence[str]],
    *,
    seed: int,
    topics: int = TOPICS,
    iterations: int = ITERATIONS,
    alive: Callable[[], None] = lambda: None,
) -> Fitted:
    """The topics of documents when the model has converged, or after so many iterations.

    `alive` is called every now and then.
    """
    if not _any_shared(documents):
        return Fitted()
    model = model_of(documents, seed, topics, alive)
    likelihoods: list[float] = []
    done = 0
    while len(model.docs) and done < iterations and not _has_converged(likelihoods):
        step = min(_STEP, iterations - done)
        model.train(step, workers=1)
        done += step
        alive()
        if done % _LOOKED_AT == 0 or done == iterations:  # it costs as much as an iteration
            likelihoods.append(model.ll_per_word)
    if not done or not int(model.get_count_by_topics().sum()):
        return Fitted()
    return Fitted(tuple(largest_first(model)), tuple(likelihoods), done)


def model_of(
    documents: Sequence[Sequence[str]], seed: int, topics: int, alive: Callable[[], None] = lambda: None
) -> Any:
    """A model of documents before its first iteration."""
    import tomotopy

    least = _least(documents)
    model = tomotopy.LDAModel(k=topics, seed=seed, min_df=least, alpha=ALPHA_SUM / topics, eta=ETA)
    model.optim_interval = 0
    for topic, seeds in enumerate(seed_words(documents, topics)):
        for word in seeds:
            model.set_word_prior(word, [SEED_WEIGHT if other == topic else ETA for other in range(topics)])
    alive()
    for words in documents:
        if words:
            model.add_doc(list(words))
    alive()
    return model


def _least(documents: Sequence[Sequence[str]]) -> int:
    """In how many documents a word must stand to be in the model."""
    return 2 if len(documents) < 1_000 else 5


def _any_shared(documents: Sequence[Sequence[str]]) -> bool:
    """Whether any word is in the model; tomotopy prints warnings of its own where none is."""
    least, seen = _least(documents), Counter[str]()
    for words in documents:
        for word in set(words):
            seen[word] += 1
            if seen[word] >= least:
                return True
    return False


def _has_converged(likelihoods: Sequence[float]) -> bool:
    steps = IN_ITERATIONS // _LOOKED_AT
    return len(likelihoods) > steps and likelihoods[-1] - likelihoods[-1 - steps] < LEAST_GAIN


def largest_first(model: Any) -> list[Topic]:
    """The topics of a model as they are now."""
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


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a document."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A fit to the first documents."""

    documents: int


@dataclass(frozen=True, slots=True)
class FitTopics:
    """Map: numbers of documents in, topics of the first so many out; their words stand in a Parquet file."""

    words: str
    seed: int
    topics: int

    @property
    def outputs(self) -> Mapping[str, pa.Schema]:
        return {_FITS: schema_of(Fitted)}

    def limits(self, usual: Limits) -> Limits:
        """Those of a page, or an hour of no news and room for the words of all documents."""
        seconds, megabytes = max(usual.page_seconds, 3600.0), max(usual.page_megabytes, 16 << 10)
        return replace(usual, page_seconds=seconds, page_megabytes=megabytes)

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> Mapping[str, pa.RecordBatch]:
        found = []
        for row, most in enumerate(batch.column("documents").to_numpy()):
            at(row)
            documents, alive = list(islice(_documents(self.words), int(most))), partial(at, row)
            found.append(fit(documents, seed=self.seed, topics=self.topics, alive=alive))
        return {_FITS: batch_of(found, Fitted)}

    def failed(self, batch: pa.RecordBatch, why: str) -> Mapping[str, pa.RecordBatch]:
        """No topics, and the reason."""
        return {_FITS: batch_of([Fitted(failure=why)], Fitted)}


def fits(bench: Bench, documents: Sequence[Sequence[str]], sizes: Sequence[int]) -> list[Fitted]:
    """The topics of the first documents, for each of some numbers of them."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    work = Workbench(bench.engine, Storage(bench.folder), "topics")
    words = work.storage.path(f"{work.folder}/words.parquet")
    with ParquetSink(words, schema_of(Words)) as sink:
        for start in range(0, len(documents), FEW_DOCUMENTS):
            rows = documents[start : start + FEW_DOCUMENTS]
            sink.write(batch_of([Words(tuple(each)) for each in rows], Words))
    targets = {size: work.storage.path(f"{work.folder}/{size}.parquet") for size in sizes}
    # The longest first, so that the others are done beside it.
    units = [
        Unit(Source(table=pa.Table.from_batches([batch_of([Wanted(size)], Wanted)])), {_FITS: targets[size]})
        for size in sorted(targets, reverse=True)
    ]
    run = bench.engine.map if len(documents) > FEW_DOCUMENTS else bench.engine.map_here
    run(FitTopics(words, bench.seed, bench.topics), units)
    found = []
    for size in sizes:
        with open_input(targets[size]) as file:
            (row,) = pq.read_table(file).to_pylist()
            found.append(record_of(Fitted, row))
    work.clear()
    return found


def _documents(path: str) -> Iterator[list[str]]:
    """The documents of a file; equal words are one object."""
    import pyarrow.parquet as pq

    known: dict[str, str] = {}
    with open_input(path) as file:
        for batch in pq.ParquetFile(file).iter_batches(FEW_DOCUMENTS, use_threads=False):
            for row in batch.to_pylist():
                yield [known.setdefault(word, word) for word in row["words"]]
