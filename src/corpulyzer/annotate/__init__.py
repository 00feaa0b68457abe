"""Annotation: sentences, tokens, lemmas, tags and morphs of kept documents, in a table beside them (HR-10).

`annotations/` has a part for each part of the documents, and only documents that have changed are annotated
again.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from corpulyzer.annotate.backend import Backend
from corpulyzer.annotate.choose import backend_of, warnings_of
from corpulyzer.annotate.follow import remember, take_over
from corpulyzer.annotate.morphs import Morphs, count_words, train
from corpulyzer.annotate.parts import COLUMNS, wanted_of
from corpulyzer.annotate.plain import Plain, plain_sentences
from corpulyzer.annotate.settings import Annotate
from corpulyzer.engine import Dataset, Engine, Source, Unit
from corpulyzer.engine.derived import Part
from corpulyzer.engine.derived.table import Table, bring_up_to_date
from corpulyzer.engine.progress import Progress, silent
from corpulyzer.engine.workbench import FEW_DOCUMENTS, run_texts
from corpulyzer.errors import UserError
from corpulyzer.language import Language
from corpulyzer.records import UNDETERMINED
from corpulyzer.records.annotation import FAILED, TABLE, Annotation, Sentence
from corpulyzer.records.columns import batch_of, schema_of
from corpulyzer.records.fingerprint import digest
from corpulyzer.storage import Storage, is_remote
from corpulyzer.text import Learned

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Annotate", "AnnotateDocuments", "Annotated", "annotate", "backend_of"]

STATE = f"{TABLE}/state.json"
MORPHS = f"{TABLE}/morphs.txt"
SAMPLE_BYTES = 50_000_000
COUNTS_SQL = (
    "select method, count(*) as documents from annotations group by method order by method nulls last"
)


@dataclass(frozen=True, slots=True)
class Annotated:
    """What an annotation is: who made it, how much there is of it, and what it lacks."""

    method: str
    morphs: bool
    documents: int
    failed: int
    parts_made: int
    gives: tuple[str, ...]
    warnings: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The same as plain values."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class AnnotateDocuments:
    """Map: documents in, annotations of the kept ones out.

    A paragraph that is surely in another language gets tokens and nothing else: a tagger of one language has
    nothing true to say of another.
    """

    backend: Backend
    language: str
    morphs: Morphs | None = None

    def prepare(self) -> None:
        """Load the models before workers are forked."""
        self.backend.load()
        if self.morphs is not None:
            self.morphs.load()

    @property
    def outputs(self) -> Mapping[str, pa.Schema]:
        return {TABLE: schema_of(Annotation)}

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> Mapping[str, pa.RecordBatch]:
        found = []
        for number, row in enumerate(batch.to_pylist()):
            at(number)
            if row["verdict"]["kept"]:
                sentences = tuple(self._sentences(row))
                found.append(Annotation(row["id"], row["text_digest"], self.backend.name, sentences))
        return {TABLE: batch_of(found, Annotation)}

    def failed(self, batch: pa.RecordBatch, why: str) -> Mapping[str, pa.RecordBatch]:
        rows = [row for row in batch.to_pylist() if row["verdict"]["kept"]]
        lost = [Annotation(row["id"], row["text_digest"], f"{FAILED}{why}", ()) for row in rows]
        return {TABLE: batch_of(lost, Annotation)}

    def _sentences(self, row: Mapping[str, Any]) -> Iterator[Sentence]:
        target = Language.find(self.language).code
        for number, paragraph in enumerate(row["paragraphs"]):
            place = (row["text"], number, paragraph["start"], paragraph["end"])
            if paragraph["language"] not in (target, UNDETERMINED):
                yield from plain_sentences(*place, self.language)
                continue
            for sentence in self.backend(*place):
                yield self.morphs(sentence) if self.morphs is not None else sentence


def annotate(
    storage: Storage,
    documents: Sequence[Part],
    engine: Engine,
    asked: Annotate,
    language: str,
    *,
    learned: Learned | None = None,
    retrain: bool = False,
    progress: Progress = silent,
) -> Annotated:
    """Bring the annotations of documents up to date, and return what they are.

    The version of each part must be that of its kept documents; `learned` is what they show of full stops.
    """
    backend = backend_of(asked, language, learned)
    wants_morphs = asked.morphs == "always" or (asked.morphs == "auto" and "lemma" not in backend.gives)
    warnings = list(warnings_of(backend, language, morphs=wants_morphs))
    morphs = None
    if wants_morphs:
        try:
            morphs = _trained(storage, documents, language, retrain)
        except UserError as error:
            if asked.morphs == "always":
                raise
            warnings = [*warnings_of(backend, language, morphs=False), f"No morphs: {error.message}"]
    step = AnnotateDocuments(backend, language, morphs)
    made = _bring_up_to_date(storage, documents, engine, step, progress)
    done = _counted(storage, engine)
    annotated = Annotated(
        backend.name,
        morphs is not None,
        done["documents"],
        done["failed"],
        made,
        (*backend.gives, *(["morphs"] if morphs else [])),
        tuple(warnings),
    )
    noted = {**annotated.to_json(), "of": done["of"]}
    storage.write(STATE, json.dumps(noted, ensure_ascii=False, indent=1).encode())
    return annotated


def table_of(storage: Storage) -> Dataset:
    """The annotations of a corpus."""
    return Table(storage, TABLE).dataset(schema_of(Annotation))


def _trained(storage: Storage, documents: Sequence[Part], language: str, retrain: bool) -> Morphs:
    """The model of morphs in the corpus folder, learned from its first words where it is not there yet."""
    if is_remote(storage.root):
        raise UserError("Morphs are learned in a folder on this machine.", "Use --morphs never.")
    if retrain or not storage.exists(MORPHS):
        counts = count_words(_texts(storage, documents), Language.find(language))
        storage.write(MORPHS, train(counts).encode())
    return Morphs(storage.path(MORPHS))


def _texts(storage: Storage, documents: Sequence[Part]) -> Iterator[str]:
    """The texts of kept documents, until there is enough to learn from."""
    import pyarrow.parquet as pq

    read = 0
    for part in documents:
        with storage.open_input(part.file) as stored, pq.ParquetFile(stored) as parquet:
            for batch in parquet.iter_batches(200, columns=["text", "verdict"], use_threads=False):
                for row in batch.to_pylist():
                    if row["verdict"]["kept"]:
                        read += len(row["text"].encode("utf-8", "replace"))
                        yield row["text"]
                if read > SAMPLE_BYTES:
                    return


def _bring_up_to_date(
    storage: Storage,
    documents: Sequence[Part],
    engine: Engine,
    step: AnnotateDocuments,
    progress: Progress,
) -> int:
    """Annotate parts whose documents or settings have changed; return how many there were."""
    parts = {part.name: part for part in documents}
    made = done = total = 0

    def source_of(name: str) -> Source:
        nonlocal total
        total += parts[name].rows
        return Source(path=storage.path(parts[name].file), columns=COLUMNS)

    def run(units: list[Unit]) -> None:
        nonlocal made, total
        made += len(units)
        total += sum(unit.source.table.num_rows for unit in units if unit.source.table is not None)
        # Annotators of others may hang or crash, so they are never run without a guard.
        few = FEW_DOCUMENTS if isinstance(step.backend, Plain) else 0
        run_texts(engine, step, units, advance, few)

    def advance(rows: int) -> None:
        nonlocal done
        done += rows
        progress("annotating documents", done, total)

    wanted = wanted_of(step, documents)
    take_over(storage, documents, wanted, run)
    bring_up_to_date({TABLE: Table(storage, TABLE)}, wanted, source_of, run)
    remember(storage, engine, documents, wanted)
    return made


def _counted(storage: Storage, engine: Engine) -> dict[str, Any]:
    """How many documents are annotated and how many are not; `of` says in which parts.

    What was noted of the same parts holds, so that no part is read where none has changed.
    """
    of = digest(sorted(part.version for part in Table(storage, TABLE).parts()))
    try:
        noted: dict[str, Any] = json.loads(storage.read_if_there(STATE) or b"{}")
    except ValueError:
        noted = {}
    if noted.get("of") == of:
        return noted
    rows = engine.query(COUNTS_SQL, {TABLE: table_of(storage)}).to_pylist()
    counts: Counter[bool] = Counter()
    for row in rows:
        counts[row["method"].startswith(FAILED)] += row["documents"]
    return {"documents": counts[False], "failed": counts[True], "of": of}
