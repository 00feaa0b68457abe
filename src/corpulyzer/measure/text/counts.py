"""The counts of a corpus' text: made once for a state of the corpus, and shared by every measure of text.

Partial counts are tables in a folder of the bench, and follow the documents that have changed; what they add
up to is made by queries, which spill to disk, and lies beside them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from corpulyzer.engine import Dataset
from corpulyzer.engine.derived import made_of
from corpulyzer.engine.derived.table import Table, said_by
from corpulyzer.engine.workbench import run_texts
from corpulyzer.measure.bench import Bench
from corpulyzer.measure.lasting import part_of
from corpulyzer.records.fingerprint import fingerprint
from corpulyzer.storage import Storage, exists, open_input
from corpulyzer.text import spaceless

if TYPE_CHECKING:
    from corpulyzer.measure.text.one_reading import CountText

FOLDER = "text"
# In a corpus of more words than this, only a sample of the distinct word pairs and triples is counted.
MOST_RUNS = 20_000_000
MOST_SAMPLED_CHARACTERS = 30_000_000
# Keys of documents spread evenly over all signed 64-bit numbers.
LOWEST_KEY = -(1 << 63)

SIZE_SQL = """
select count(*) as documents, sum(tokens) as tokens from documents where verdict.kept
"""
SAMPLE_SQL = """
select key, id, site, text from sampled order by key nulls last, id nulls last
"""
TOTALS_SQL = """
select count(*) as documents, sum(words) as words, sum(sentences) as sentences, sum(characters) as characters
from facts
"""
FAILURES_SQL = """
select count(*) as documents from failures
"""


@dataclass(frozen=True, slots=True)
class TextCounts:
    """The partial counts as tables, and those that have been added up.

    Counts of what is gone are negative in the parts, so that a sum may be 0. The pooled `words` are sorted by
    tokens. `sample` is a file for the sample in its order, made when it is first asked for, of documents
    whose key is below `sample_below`.
    """

    parts: dict[str, Dataset]
    pooled: dict[str, Dataset]
    sample: str
    one_in: int
    sample_below: int
    documents: int
    words: int
    sentences: int
    characters: int
    failures: int

    def __getitem__(self, name: str) -> Dataset:
        return self.pooled[name] if name in self.pooled else self.parts[name]


def text_counts(bench: Bench) -> TextCounts:
    """The counts of the corpus on the bench, made now if it has changed since they were."""
    if FOLDER not in bench.made:
        bench.made[FOLDER] = _counted(bench)
    counts: TextCounts = bench.made[FOLDER]
    return counts


def _counted(bench: Bench) -> TextCounts:
    # `status` asks for names of this module alone, and the reading has patterns that take long to compile.
    from corpulyzer.measure.text.one_reading import CountText
    from corpulyzer.measure.text.pooled_counts import pooled

    size = bench.engine.query(SIZE_SQL, {"documents": bench.documents}).to_pylist()[0]
    documents, tokens = size["documents"] or 0, size["tokens"] or 0
    step = CountText(
        language=tag_of(bench),
        seed=bench.seed,
        one_in=_power_of_two(tokens / MOST_RUNS),
        sample_below=_sample_below(documents, bench.sample),
        sentences=bench.sentences,
        learned=bench.learned,
    )
    storage = Storage(Storage(bench.lasting or bench.folder).path(FOLDER))
    tables = _up_to_date(bench, storage, step)
    parts = {output: table.dataset(step.outputs[output]) for output, table in tables.items()}
    found, folder = pooled(bench.engine, storage, tables, step.outputs)
    totals = bench.engine.query(TOTALS_SQL, {"facts": parts["facts"]}).to_pylist()[0]
    failures = bench.engine.query(FAILURES_SQL, {"failures": parts["failures"]}).to_pylist()[0]
    numbers = {name: value or 0 for name, value in totals.items()}
    sample = storage.path(f"{folder}/sampled.parquet")
    return TextCounts(
        parts, found, sample, step.one_in, step.sample_below, **numbers, failures=failures["documents"]
    )


def sampled(bench: Bench, counts: TextCounts) -> Dataset:
    """The sample in its seeded order, so that its first rows are a sample too."""
    import pyarrow.parquet as pq

    if not exists(counts.sample):
        bench.engine.query(SAMPLE_SQL, {"sampled": counts.parts["sampled"]}, counts.sample)
    with open_input(counts.sample) as stored:
        return Dataset((counts.sample,), pq.read_schema(stored))


def sampled_texts(bench: Bench, counts: TextCounts, most: int | None = None) -> list[str]:
    """The target texts of the sample, in its seeded order, at most as many as the bench or `most` allows.

    Fewer where documents are long: a sample has to fit into memory as words.
    """
    import pyarrow.parquet as pq

    wanted = min(bench.sample, bench.sample if most is None else most)
    found: list[str] = []
    characters = 0
    with open_input(sampled(bench, counts).files[0]) as file:
        for batch in pq.ParquetFile(file).iter_batches(100, columns=["text"]):
            for text in map(str, batch.column("text").to_pylist()):
                characters += len(text)
                if len(found) == wanted or (found and characters > MOST_SAMPLED_CHARACTERS):
                    return found
                found.append(text)
    return found


def text_warnings(bench: Bench, counts: TextCounts) -> tuple[str, ...]:
    """What holds for every measure of this corpus' text."""
    found = []
    if not counts.documents:
        found.append("No kept document has a paragraph in the target language, so there is nothing to count.")
    if spaceless(bench.language.script):
        found.append("The script writes no spaces between words: words here are runs of text between spaces.")
    if counts.failures:
        found.append(f"{counts.failures:,} documents could not be counted.")
    return tuple(found)


def tag_of(bench: Bench) -> str:
    """The language tag, with the script, by which workers find the language again."""
    language = bench.language
    return f"{language.code}-{language.script}" if language.script else language.code


def _power_of_two(least: float) -> int:
    """The smallest power of two from `least` up: it seldom changes as a corpus grows, so counts are kept."""
    power = 1
    while power < least:
        power *= 2
    return power


def _sample_below(documents: int, sample: int) -> int:
    """The key below which documents are sampled: all, or at least about 1.5 times as many as asked for."""
    share = _power_of_two(documents / (3 * sample)) if sample else 0
    return LOWEST_KEY + ((1 << 64) // share if share > 1 else (1 << 64) - 1)


def _up_to_date(bench: Bench, storage: Storage, step: CountText) -> dict[str, Table]:
    """The partial counts of each file of documents."""
    from corpulyzer.measure.text.partial_counts import bring_up_to_date

    files = {part_of(file): file for file in bench.documents.files}
    mark = fingerprint("text_counts", step)
    wanted = {name: made_of([_version(bench, file)], mark) for name, file in sorted(files.items())}
    tables = {output: Table(storage, output) for output in step.outputs}
    bring_up_to_date(tables, files, wanted, partial(run_texts, bench.engine, step))
    return tables


def _version(bench: Bench, file: str) -> str:
    """The version of the kept documents in a file."""
    return bench.versions.get(file) or said_by(file, file).version
