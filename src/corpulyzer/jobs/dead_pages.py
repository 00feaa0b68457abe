"""Pages that are no longer on the web leave the corpus, and say so (CZ-9).

Nothing is deleted: the documents of a page that answered 404 or 410 again and again are dropped with the
reason `gone`, whichever round they came from. If the page comes back, they do too.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from corpulyzer.corpus import rounds
from corpulyzer.corpus.without_copies import forget_view
from corpulyzer.records.fingerprint import digest
from corpulyzer.storage import ParquetSink

if TYPE_CHECKING:
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
        forget_view(corpus.storage)
        for file in corpus.storage.list("documents", ".parquet"):
            _rewrite(corpus, file, changed)
    return len(changed)


def _verdict(row: dict[str, Any]) -> dict[str, Any]:
    if not row["status"]:
        return {"kept": True, "reason": "", "detail": ""}
    day = datetime.fromtimestamp(row["fetched"], UTC).date().isoformat()
    return {"kept": False, "reason": REASON, "detail": f"status {row['status']} on {day}"}


def _rewrite(corpus: CorpusFolder, file: str, changed: dict[int, dict[str, Any]]) -> None:
    """Write a part again with other verdicts, if it holds any of these documents."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with corpus.storage.open_input(file) as stored:
        found = pq.read_table(stored, columns=["id"], partitioning=None).to_pylist()
    if changed.keys().isdisjoint(row["id"] for row in found):
        return
    with corpus.storage.open_input(file) as stored:
        table = pq.read_table(stored, partitioning=None)
    rows = table.select(["id", "verdict"]).to_pylist()
    new = [{**row["verdict"], **changed.get(row["id"], {})} for row in rows]
    place = table.schema.get_field_index("verdict")
    column = pa.array(new, table.schema.field(place).type)
    table = table.set_column(place, table.schema.field(place), column)
    # Tables made from the documents (duplicates, measures) must see that these have changed.
    gone = [row["id"] for row, verdict in zip(rows, new, strict=True) if verdict["reason"] == REASON]
    marks = {**(table.schema.metadata or {}), b"gone": digest(gone).encode()}
    table = table.replace_schema_metadata(marks)
    with ParquetSink(corpus.storage.path(file), table.schema) as sink:
        for batch in table.to_batches():
            sink.write(batch)
