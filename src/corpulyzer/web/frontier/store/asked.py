"""What is asked of a frontier that is not all front: one URL, one site, dead pages; no more is merged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corpulyzer.engine import Dataset
from corpulyzer.records.columns import schema_of
from corpulyzer.web.frontier.store.arrays import ints, positions, read
from corpulyzer.web.frontier.store.behind import stored_schema
from corpulyzer.web.frontier.store.wholes import whole
from corpulyzer.web.frontier.tables import Known

if TYPE_CHECKING:
    import pyarrow as pa

    from corpulyzer.engine import Engine
    from corpulyzer.web.frontier.store.versions import Frontier

URL_SQL = "select * from behind where id = {key}"
SITE_SQL = "select * from behind where site_id = {key}"
# The state of a URL is that of the last run in which it was fetched, unless it stands in front.
DEAD_SQL = """
select id, status, fetched from front where failures >= {dead_after} and status in (404, 410)
union all
select id, status, fetched
from (select b.id, b.status, b.failures, b.fetched,
             row_number() over (partition by b.id order by b.seq desc nulls last) as place
      from behind as b left join front as f on b.id = f.id
      where f.id is null and b.fetches > 0) as s
where place = 1 and failures >= {dead_after} and status in (404, 410)
"""
"""SQL for the URLs that answered 404 or 410 again and again, over the tables of `to_ask`."""


def to_ask(frontier: Frontier) -> dict[str, Dataset]:
    """The tables of a frontier: its front, and the rows behind it as they were written."""
    behind = frontier.behind() if frontier.is_deep else Dataset((), stored_schema())
    return {"front": frontier.at_hand(), "behind": behind}


def url_known(engine: Engine, frontier: Frontier, key: int) -> dict[str, Any] | None:
    """All that is known of a URL, by its id; None if it was never seen."""
    rows = _whole_rows(engine, frontier, frontier.behind, URL_SQL.format(key=key), "id", key).to_pylist()
    return rows[0] if rows else None


def site_known(engine: Engine, frontier: Frontier, site_id: int) -> pa.Table:
    """All that is known of the URLs of a site: what one part of the base says of it, and the runs."""
    sql = SITE_SQL.format(key=site_id)
    return _whole_rows(engine, frontier, lambda: frontier.behind(site_id), sql, "site_id", site_id)


def _whole_rows(engine: Engine, frontier: Frontier, behind: Any, sql: str, column: str, key: int) -> pa.Table:
    """The rows in front with this value, and those that stand only behind it, merged."""
    import pyarrow as pa

    front = read(frontier.at_hand(), schema_of(Known).names)
    front = front.filter(ints(front, column) == key)
    if not frontier.is_deep or (column == "id" and front.num_rows):
        return front
    found = engine.query(sql, {"behind": behind()}).select(stored_schema().names).cast(stored_schema())
    rows = whole(found.combine_chunks())
    return pa.concat_tables([front, rows.filter(positions(ints(rows, "id"), ints(front, "id")) < 0)])
