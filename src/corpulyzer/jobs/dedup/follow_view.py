"""The view without copies follows the one before: documents of which nothing else is decided are taken over.

What was decided for a view, copies and repeated paragraphs that go, is kept beside it. A document has to be
judged again only where that differs. Parts whose documents have changed since are left to be made as a whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from corpulyzer.dedup import FOLDER
from corpulyzer.engine import Dataset, Source, Unit
from corpulyzer.engine.derived import FOLLOWED_ROWS, Part, is_made_of, stale
from corpulyzer.engine.derived.log import FOLDER as LOGS
from corpulyzer.engine.derived.table import Table
from corpulyzer.engine.workbench import Workbench, files_of, run_texts, stored
from corpulyzer.records import Document
from corpulyzer.records.columns import schema_of
from corpulyzer.storage import ParquetSink, Storage, open_input, put

if TYPE_CHECKING:
    import pyarrow as pa

    from corpulyzer.engine import Map

VIEWS = f"{FOLDER}/view"
DECIDED = f"{FOLDER}/decided"
MOST_CHANGED = 0.25
"""Where more than this share of the documents is decided otherwise, all of them are judged again."""
MANY_CHANGED = 1_000_000
"""And where more than so many are, since these are held in memory."""
CHANGED_SQL = """
select distinct id
from (select {columns}, sum(sign) as more
      from (select {columns}, 1 as sign from decided union all select {columns}, -1 as sign from earlier) as b
      group by {columns}) as c
where more <> 0 order by id nulls last limit {most}
"""


@dataclass(frozen=True, slots=True)
class Decided:
    """The copies that go, and the paragraphs, where any do."""

    copies: Dataset
    gone: Dataset | None = None

    def tables(self) -> list[Dataset]:
        return [self.copies] if self.gone is None else [self.copies, self.gone]


class Before(NamedTuple):
    """A view that there is, and what was decided for it."""

    decided: Decided
    view: Table


def view_before(storage: Storage, state: Mapping[str, str], judged_by: str) -> Before | None:
    """The view of a state, if the same filters judged it, and what was decided for it is there."""
    copies, gone = (_file(name, state.get("of", "")) for name in ("copies", "gone"))
    if not state.get("folder") or state.get("judged_by") != judged_by or not files_of(storage, copies):
        return None
    decided = Decided(stored(storage, copies), stored(storage, gone) if files_of(storage, gone) else None)
    return Before(decided, Table(storage, state["folder"]))


def forget_other_views(storage: Storage, state: Mapping[str, str]) -> None:
    """Remove all views but that of a state, and what was decided for them."""
    views = {"/".join(file.split("/")[:3]) for file in storage.list(VIEWS, ".parquet")}
    views |= {
        log.removeprefix(f"{LOGS}/").removesuffix(".jsonl")
        for log in storage.list(f"{LOGS}/{VIEWS}", ".jsonl")
    }
    for view in views - {state["folder"]}:
        Table(storage, view).delete()
    kept = {file for name in ("copies", "gone") for file in files_of(storage, _file(name, state["of"]))}
    for file in storage.list(DECIDED, ".parquet"):
        if file not in kept:
            storage.delete(file)


def _file(name: str, of: str) -> str:
    return f"{DECIDED}/{name}.{of}.parquet"


def take_over(
    bench: Workbench,
    step: Map,
    decided: Decided,
    before: Before,
    view: Table,
    parts: Mapping[str, Part],
    wanted: Mapping[str, str],
) -> None:
    """Make the parts of a view that have the same documents as in the one before."""
    earlier = before.view
    known = earlier.entries()
    names = [
        name
        for name in stale(view.mend(wanted), wanted)
        if name in known
        and is_made_of(known[name].made_of, parts[name].version)
        and parts[name].rows <= FOLLOWED_ROWS
    ]
    most = min(MANY_CHANGED, int(MOST_CHANGED * sum(part.rows for part in parts.values())))
    ids = _changed(bench, decided, before.decided, most)
    if len(ids) > most:
        return
    changed = {}
    for name in names:
        originals = _of(bench.storage.path(parts[name].file), ids)
        if originals.num_rows:
            changed[name] = originals
    view.set_aside(names)
    judged = _judged(bench, step, changed)
    for name in names:
        if name in changed:
            _write(view.path(name), _rows(earlier.path(name)), judged[name], wanted[name])
        else:
            put(earlier.path(name), view.path(name))
    view.note(changed)
    view.restate([known[name]._replace(made_of=wanted[name]) for name in names if name not in changed])


def _changed(bench: Workbench, now: Decided, earlier: Decided, most: int) -> list[int]:
    """The documents of which something else is decided, or more than `most` of them where they are more."""
    found: set[int] = set()
    for new, old in ((now.copies, earlier.copies), (now.gone, earlier.gone)):
        some = new or old
        if some is not None:
            none = Dataset((), some.schema)
            sql = CHANGED_SQL.format(columns=", ".join(some.schema.names), most=most + 1)
            found |= {row["id"] for row in bench.rows(sql, decided=new or none, earlier=old or none)}
    return sorted(found)


def _judged(bench: Workbench, step: Map, originals: Mapping[str, pa.Table]) -> dict[str, pa.Table]:
    """Documents judged again, by part."""
    paths = {name: bench.storage.path(f"{bench.folder}/judged/{name}") for name in originals}
    units = [Unit(Source(table=rows), {"documents": paths[name]}) for name, rows in originals.items()]
    run_texts(bench.engine, step, units)
    return {name: _rows(path) for name, path in paths.items()}


def _write(path: str, before: pa.Table, judged: pa.Table, made_of: str) -> None:
    """Write the rows of a part of the view before, in their order, with others in the place of some."""
    import pyarrow as pa

    places = {key: before.num_rows + place for place, key in enumerate(judged.column("id").to_pylist())}
    ids = before.column("id").to_pylist()
    order = [places.get(key, place) for place, key in enumerate(ids)]
    rows = pa.concat_tables([before, judged]).take(pa.array(order, pa.int64()))
    with ParquetSink(path, rows.schema, made_of) as sink:
        for batch in rows.combine_chunks().to_batches():
            sink.write(batch)


def _of(path: str, ids: Sequence[int]) -> pa.Table:
    """The documents of a part that have one of these ids; all columns are read only where there are some."""
    import pyarrow as pa
    import pyarrow.compute as pc

    wanted = pc.is_in(_rows(path, ["id"]).column("id"), pa.array(ids, pa.int64()))
    return _rows(path).filter(wanted) if pc.any(wanted).as_py() else schema_of(Document).empty_table()


def _rows(path: str, columns: Sequence[str] = ()) -> pa.Table:
    import pyarrow as pa
    import pyarrow.parquet as pq

    whole = schema_of(Document)
    schema = pa.schema([whole.field(name) for name in columns or whole.names])
    with open_input(path) as file, pq.ParquetFile(file) as parquet:
        return parquet.read(schema.names, use_threads=False).select(schema.names).cast(schema)
