"""Documents judged again with what is known of their copies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from corpulyzer.corpus.settings.config import Config
from corpulyzer.engine import Source
from corpulyzer.engine.derived import Part, made_of
from corpulyzer.engine.derived.table import Table, bring_up_to_date
from corpulyzer.engine.workbench import Workbench, run_texts
from corpulyzer.jobs.dedup.follow_view import Before, Decided, take_over
from corpulyzer.page.pipeline import judged_without
from corpulyzer.records import Document, drop, int64_hash
from corpulyzer.records.columns import batch_of, record_of, schema_of
from corpulyzer.storage.by_archive import rows_of_archive

if TYPE_CHECKING:
    import pyarrow as pa

REASON = "site_paragraphs"  # of a document that says nothing but what its site repeats
TOUCHED_SQL = "select distinct archive_id from copies"


@dataclass(frozen=True, slots=True)
class JudgeCopies:
    """Map: documents in, documents out; a copy is dropped, and repeated paragraphs are taken out.

    What is left of a document is judged by the filters again, and the verdict says so (HR-17). `copies` and
    `paragraphs` are files sorted by the hash of an archive's name, of which a worker reads one at a time.
    """

    config: Config
    copies: tuple[str, ...]
    paragraphs: tuple[str, ...] = ()

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        return {"documents": schema_of(Document)}

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        changed: dict[int, Document] = {}
        for number, row in enumerate(batch.select(["id", "archive"]).to_pylist()):
            at(number)
            archive_id = int64_hash(row["archive"])
            copy = _copies(self.copies, archive_id).get(row["id"])
            gone = _gone(self.paragraphs, archive_id, row["id"]) if self.paragraphs and not copy else {}
            if copy or gone:
                document: Document = record_of(Document, batch.slice(number, 1).to_pylist()[0])
                changed[number] = (
                    _dropped(document, copy) if copy else _shortened(document, gone, self.config)
                )
        return {"documents": _with_changes(batch, changed)}

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        lost = drop("extract_failed", why)
        documents = [replace(record_of(Document, row), verdict=lost) for row in batch.to_pylist()]
        return {"documents": batch_of(documents, Document)}


def write_view(
    bench: Workbench,
    config: Config,
    parts: Sequence[Part],
    view: Table,
    of: str,
    decided: Decided,
    before: Before | None = None,
) -> None:
    """Make the view, the parts of archives with copies or repeated paragraphs; `of` is what it is made of."""
    tables, gone = decided.tables(), decided.gone
    archives = {row["archive_id"] for table in tables for row in bench.rows(TOUCHED_SQL, copies=table)}
    touched = {part.name: part for part in parts if int64_hash(_archive_of(part)) in archives}
    step = JudgeCopies(config, tuple(decided.copies.files), tuple(gone.files) if gone else ())
    wanted = {name: made_of([part.version], of) for name, part in touched.items()}
    if before is not None:
        take_over(bench, step, decided, before, view, touched, wanted)

    def source_of(name: str) -> Source:
        return Source(path=bench.storage.path(touched[name].file))

    bring_up_to_date({"documents": view}, wanted, source_of, partial(run_texts, bench.engine, step))


def _archive_of(part: Part) -> str:
    """The archive whose documents a part has."""
    return part.name.rpartition("/")[2].rsplit(".", 2)[0]


def _dropped(document: Document, copy: dict[str, Any]) -> Document:
    return replace(document, verdict=drop(copy["reason"], f"copy of {copy['url']}", copies=copy["size"]))


def _shortened(document: Document, gone: Mapping[int, bool], config: Config) -> Document:
    """The document without these paragraphs; the verdict tells those apart that its whole site repeats."""
    left = judged_without(document, gone, config)
    of_site = sum(gone.values())
    if not of_site:
        return left
    verdict = left.verdict
    return replace(
        left,
        verdict=replace(
            verdict,
            reason=REASON if of_site == len(document.paragraphs) else verdict.reason,
            detail=f"{verdict.detail}, {of_site} of them on page after page of the site",
            facts={**verdict.facts, "site_paragraphs": of_site},
        ),
    )


def _with_changes(batch: pa.RecordBatch, changed: dict[int, Document]) -> pa.RecordBatch:
    """The batch with rows replaced, in its order; most rows are passed on as they are."""
    import pyarrow as pa

    schema = schema_of(Document)
    whole = pa.Table.from_batches([batch.select(schema.names).cast(schema)])
    if changed:
        new = pa.Table.from_batches([batch_of(changed.values(), Document)])
        places = {number: batch.num_rows + place for place, number in enumerate(changed)}
        order = [places.get(number, number) for number in range(batch.num_rows)]
        whole = pa.concat_tables([whole, new]).take(pa.array(order, pa.int64()))
    return whole.combine_chunks().to_batches()[0]


@lru_cache(maxsize=2)
def _copies(paths: tuple[str, ...], archive_id: int) -> dict[int, dict[str, Any]]:
    return {row["id"]: row for row in rows_of_archive(paths, archive_id).to_pylist()}


@lru_cache(maxsize=2)
def _paragraphs(paths: tuple[str, ...], archive_id: int) -> tuple[Any, Any, Any]:
    table = rows_of_archive(paths, archive_id)
    ids, numbers, of_site = (table.column(name).to_numpy() for name in ("id", "number", "of_site"))
    return ids, numbers, of_site


def _gone(paths: tuple[str, ...], archive_id: int, document: int) -> dict[int, bool]:
    """The numbers of the paragraphs of a document that go, and whether its whole site repeats them."""
    import numpy as np

    ids, numbers, of_site = _paragraphs(paths, archive_id)
    first, last = np.searchsorted(ids, [document, document + 1])
    return dict(zip(numbers[first:last].tolist(), (of_site[first:last] == 1).tolist(), strict=True))
