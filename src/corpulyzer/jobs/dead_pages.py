"""Pages that are no longer on the web leave the corpus, and say so (CZ-9).

Nothing is deleted: the documents of a page that answered 404 or 410 again and again are dropped with the
reason `gone`, whichever round they came from. If the page comes back, they do too.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from corpulyzer.corpus import rounds
from corpulyzer.corpus.without_copies import forget_view
from corpulyzer.engine.derived.table import Table

if TYPE_CHECKING:
    import pyarrow as pa

    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine import Engine

REASON = "gone"
CHANGED_SQL = """
select d.id, case when g.id is null then 0 else g.status end as status, coalesce(g.fetched, 0) as fetched
from documents as d
left join (select id, status, fetched from frontier
           where failures >= {dead_after} and status in (404, 410)) as g on d.url_id = g.id
where (g.id is not null and d.verdict.kept) or (g.id is null and d.verdict.reason = 'gone')
order by d.id nulls last
"""


def retire_gone(corpus: CorpusFolder, engine: Engine) -> int:
    """Drop the documents of dead pages, and take back those of pages that live again; return how many."""
    frontier = rounds.frontier(corpus.storage).table("frontier")
    if not frontier.files:
        return 0
    sql = CHANGED_SQL.format(dead_after=corpus.config.frontier.recrawl.dead_after)
    tables = {"documents": corpus.stored("documents"), "frontier": frontier}
    changed = {row["id"]: _verdict(row) for row in engine.query(sql, tables).to_pylist()}
    if changed:
        table = Table(corpus.storage, "documents")
        for part in table.parts():
            if not changed.keys().isdisjoint(_ids(corpus, part.file)):
                table.rewrite(part.name, partial(_judged, changed))
        forget_view(corpus.storage)
    return len(changed)


def _verdict(row: dict[str, Any]) -> dict[str, Any]:
    if not row["status"]:
        return {"kept": True, "reason": "", "detail": ""}
    day = datetime.fromtimestamp(row["fetched"], UTC).date().isoformat()
    return {"kept": False, "reason": REASON, "detail": f"status {row['status']} on {day}"}


def _ids(corpus: CorpusFolder, file: str) -> list[Any]:
    import pyarrow.parquet as pq

    with corpus.storage.open_input(file) as stored:
        found: list[Any] = pq.read_table(stored, columns=["id"], partitioning=None).column("id").to_pylist()
        return found


def _judged(changed: dict[int, dict[str, Any]], batch: pa.RecordBatch) -> pa.RecordBatch:
    """A batch of documents with other verdicts."""
    import pyarrow as pa

    rows = batch.select(["id", "verdict"]).to_pylist()
    new = [{**row["verdict"], **changed.get(row["id"], {})} for row in rows]
    place = batch.schema.get_field_index("verdict")
    field = batch.schema.field(place)
    return batch.set_column(place, field, pa.array(new, field.type))
