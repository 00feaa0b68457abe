"""Pages that are no longer on the web leave the corpus, and say so (CZ-9).

Nothing is deleted, and the documents stay as the archives make them: beside them, those of a page that
answered 404 or 410 again and again are dropped with the reason `gone`, whichever round they came from. If the
page comes back, they do too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any

from corpulyzer.corpus import rounds
from corpulyzer.corpus.without_copies import DOCUMENTS, GONE, forget_view, living_parts
from corpulyzer.engine.derived import Part, is_made_of, made_of
from corpulyzer.engine.derived.log import FOLDER as LOGS
from corpulyzer.engine.derived.table import Table
from corpulyzer.engine.workbench import Workbench
from corpulyzer.records.fingerprint import VERSIONS, digest, fingerprint
from corpulyzer.storage import Storage, open_input

if TYPE_CHECKING:
    import pyarrow as pa

    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine import Dataset, Engine

REASON = "gone"
# Earlier versions wrote the verdict into the documents themselves: there a page may live that is called gone.
FOUND_SQL = """
select d.id, d.archive, coalesce(g.status, 0) as status, coalesce(g.fetched, 0) as fetched
from documents as d
left join (<dead>) as g on d.url_id = g.id
where d.verdict.reason = 'gone' or (d.verdict.kept and g.id is not null)
order by d.archive nulls last, d.id nulls last
"""
WORK = "work/gone"
STATE = f"{LOGS}/{GONE}.state"

Verdicts = Mapping[int, dict[str, Any]]


def retire_gone(corpus: CorpusFolder, engine: Engine) -> int:
    """Drop the documents of dead pages, and take back those of pages that live again; return how many."""
    storage = corpus.storage
    if not rounds.rounds(storage):
        return 0
    from corpulyzer.web.frontier.store.asked import DEAD_SQL, to_ask

    frontier = rounds.frontier(storage)
    if not frontier.version:
        return 0
    dead_after = corpus.config.frontier.recrawl.dead_after
    of = _made_of(storage, frontier.version, dead_after)
    if (storage.read_if_there(STATE) or b"").decode() == of:
        return 0
    sql = FOUND_SQL.replace("<dead>", DEAD_SQL).format(dead_after=dead_after)
    tables = {"documents": corpus.stored("documents"), **to_ask(frontier)}
    bench = Workbench(engine, storage, WORK)
    documents = 0
    try:
        for change in _changes(storage, _by_archive(bench.spread("found", sql, **tables))):
            change.carry_out(storage)
            documents += change.documents
    finally:
        bench.clear()
    _forget_stale(storage)
    if documents:
        forget_view(storage)
    storage.write(STATE, _made_of(storage, frontier.version, dead_after).encode())
    return documents


def _made_of(storage: Storage, frontier: str, dead_after: int) -> str:
    """What dead pages are found in, and what was made of them: while both stay, no document is read."""
    parts = [part.version for name in (DOCUMENTS, GONE) for part in Table(storage, name).parts()]
    return digest([parts, frontier, dead_after, VERSIONS["gone"]])


def _by_archive(found: Dataset) -> Iterator[tuple[str, Verdicts]]:
    """The verdicts of each archive's documents, of which only one archive's are held at a time."""
    import pyarrow.parquet as pq

    def rows() -> Iterator[dict[str, Any]]:
        for path in found.files:
            with open_input(path) as file, pq.ParquetFile(file) as parquet:
                for batch in parquet.iter_batches(use_threads=False):
                    yield from batch.to_pylist()

    for archive, some in groupby(rows(), key=lambda row: str(row["archive"])):
        yield archive, {row["id"]: _verdict(row) for row in some}


@dataclass(frozen=True, slots=True)
class Change:
    """A part in which other documents are gone than before: the verdicts in it, and how many are new."""

    part: Part
    verdicts: Verdicts
    documents: int

    def carry_out(self, storage: Storage) -> None:
        """Write the part beside the documents, or have it there no longer."""
        beside = Table(storage, GONE)
        if not self.verdicts:
            beside.forget([self.part.name])
            return
        of = made_of([self.part.version], fingerprint("gone", sorted(self.verdicts)))
        beside.write(self.part.name, self.part.file, partial(_judged, self.verdicts), of)


def _changes(storage: Storage, found: Iterable[tuple[str, Verdicts]]) -> Iterator[Change]:
    """The parts whose files do not have the verdicts of the archives' documents that were found."""
    pairs: dict[str, list[tuple[Part, Part]]] = {}
    for stored, living in zip(Table(storage, DOCUMENTS).parts(), living_parts(storage), strict=True):
        archive = stored.name.rpartition("/")[2].rsplit(".", 2)[0]
        pairs.setdefault(archive, []).append((stored, living))
    for archive, verdicts in found:
        for stored, living in pairs.pop(archive, []):
            yield from _change(storage, stored, living, verdicts)
    for stored, living in [pair for some in pairs.values() for pair in some]:
        if living != stored:
            yield from _change(storage, stored, living, {})


def _change(storage: Storage, stored: Part, living: Part, of_archive: Verdicts) -> Iterator[Change]:
    """What is to be changed in a part, if anything is."""
    now = _read(storage, living.file, ["id", "verdict"]).to_pylist()
    verdicts = {row["id"]: of_archive[row["id"]] for row in now if row["id"] in of_archive}
    before = {row["id"] for row in now if row["verdict"]["reason"] == REASON}
    after = {key for key, verdict in verdicts.items() if verdict["reason"] == REASON}
    is_left_over = living != stored and not verdicts  # what was gone in it has been removed
    if before != after or is_left_over:
        yield Change(stored, verdicts, len(before ^ after))


def _forget_stale(storage: Storage) -> None:
    """Remove parts that hold no longer, because the documents are others now, and files that no log knows."""
    beside = Table(storage, GONE)
    versions = {part.name: part.version for part in Table(storage, DOCUMENTS).parts()}
    made = beside.made()
    beside.forget(
        [name for name in beside.files() if not is_made_of(made.get(name, "unknown"), versions.get(name, ""))]
    )


def _verdict(row: dict[str, Any]) -> dict[str, Any]:
    if not row["status"]:
        return {"kept": True, "reason": "", "detail": ""}
    day = datetime.fromtimestamp(row["fetched"], UTC).date().isoformat()
    return {"kept": False, "reason": REASON, "detail": f"status {row['status']} on {day}"}


def _judged(verdicts: Verdicts, batch: pa.RecordBatch) -> pa.RecordBatch:
    """A batch of documents with these verdicts."""
    import pyarrow as pa

    rows = batch.select(["id", "verdict"]).to_pylist()
    new = [{**row["verdict"], **verdicts.get(row["id"], {})} for row in rows]
    place = batch.schema.get_field_index("verdict")
    field = batch.schema.field(place)
    return batch.set_column(place, field, pa.array(new, field.type))


def _read(storage: Storage, file: str, columns: list[str] | None = None) -> pa.Table:
    import pyarrow.parquet as pq

    with storage.open_input(file) as stored:
        return pq.read_table(stored, columns=columns, partitioning=None)
