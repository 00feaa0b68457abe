"""Exports follow the news: what was made of documents is kept, and the next export takes it over.

Documents are taken in shards, which are parts of the documents in their order. Below `exports/made/` stand
the rows that a format made of each shard and the list of its documents, as derived tables. Of a shard in
which documents have changed, only these are made again; the rows of the others are written as they were.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from typing import TYPE_CHECKING, Any

from corpulyzer.engine import Source, Unit
from corpulyzer.engine.derived import Entry, Part, stale
from corpulyzer.engine.derived.table import Table
from corpulyzer.engine.workbench import run_texts
from corpulyzer.export.made_of_parts import digests_by_version
from corpulyzer.export.render import BESIDE, CONTENT, FAILED, Render
from corpulyzer.export.versions import FOLDER, MADE
from corpulyzer.records import Document
from corpulyzer.records.columns import schema_of
from corpulyzer.storage import ParquetSink, Storage
from corpulyzer.storage.content import DamagedError, footer_of, open_parquet

if TYPE_CHECKING:
    import pyarrow as pa

    from corpulyzer.engine import Engine

PAGES = 10_000
"""A shard has at most so many pages, dropped ones too, unless a single part has more. A part always has as
many as at first, so that shards stay the same while their documents change."""
ROWS_AT_ONCE = 1_000
FEW_DOCUMENTS = 1_000
"""Up to so many documents are made in this process: workers take longer to start."""
MOST_HELD = 5_000
MOST_CHANGED = 0.5
"""Where more than this share of the documents of a shard has changed, all of them are made again."""

Tables = Mapping[str, Table]


@dataclass(frozen=True, slots=True)
class Change:
    """A shard as it is now: where each document stood in the list before, or -1; and those to be made."""

    places: list[int]
    again: pa.Table


def shards_of(parts: Sequence[Part]) -> dict[str, list[Part]]:
    """The parts of each shard, in their order.

    >>> parts = [Part(name, name, "", 4_000) for name in "abc"]
    >>> [[part.name for part in shard] for shard in shards_of(parts).values()]
    [['a', 'b'], ['c']]
    """
    found: list[list[Part]] = []
    for part in parts:
        if not found or sum(each.rows for each in found[-1]) + part.rows > PAGES:
            found.append([])
        found[-1].append(part)
    return {f"{number:05d}.parquet": shard for number, shard in enumerate(found)}


def tables_of(storage: Storage, format: str) -> dict[str, Table]:
    """The tables that a format keeps, by the outputs of the map; their log stands with them."""
    place = Storage(storage.path(f"{FOLDER}/{MADE}/{format}"))
    return {name: Table(place, name) for name in ("rows", "listed")}


def take_over(
    engine: Engine,
    tables: Tables,
    shards: Mapping[str, Sequence[Part]],
    wanted: Mapping[str, str],
    render: Render,
    scratch: Storage,
) -> None:
    """Make the shards of which there is an earlier state under the same settings, if not too much is new.

    Of documents that have to be made again, only some thousand are held at a time.
    """
    some: dict[str, Change] = {}
    for name, before in _before(tables, wanted).items():
        if _settings(before) != _settings(wanted[name]) or sum(part.rows for part in shards[name]) > PAGES:
            continue
        change = _change(tables["listed"], name, shards[name], render)
        some |= {} if change is None else {name: change}
        if sum(each.again.num_rows for each in some.values()) > MOST_HELD:
            _carry_out(engine, tables, some, wanted, render, scratch)
            some = {}
    _carry_out(engine, tables, some, wanted, render, scratch)


def _carry_out(
    engine: Engine,
    tables: Tables,
    changes: Mapping[str, Change],
    wanted: Mapping[str, str],
    render: Render,
    scratch: Storage,
) -> None:
    """Write the shards of which documents have changed, and note of the others what they are made of now."""
    same = [name for name, change in changes.items() if _is_same(tables["listed"], name, change)]
    for table in tables.values():
        known = table.entries()
        table.restate([known[name]._replace(made_of=wanted[name]) for name in same])
    others = {name: change for name, change in changes.items() if name not in same}
    made = _made_again(engine, render, scratch, others)
    for table in tables.values():
        table.set_aside(others)
    for name, change in others.items():
        _write(tables, name, change.places, made[name], wanted[name])
    for table in tables.values():
        table.note(others)


def forget_replaced(tables: Tables) -> None:
    """Forget files that are not those that the log tells of, such as old ones that somebody put back."""
    for table in tables.values():
        known = table.entries().values()
        table.forget([each.name for each in known if not _is_as_written(table.path(each.name), each)])


def _is_as_written(path: str, entry: Entry) -> bool:
    try:
        said = footer_of(path)
    except DamagedError:
        return False
    return (said.version, said.bytes) == (entry.version, entry.bytes)


def _before(tables: Tables, wanted: Mapping[str, str]) -> dict[str, str]:
    """The stale shards of which both tables have the same state, with what that was made of."""
    rows, listed = (tables[name].mend(wanted) for name in ("rows", "listed"))
    todo = {*stale(rows, wanted), *stale(listed, wanted)}
    return {name: rows[name] for name in wanted if name in todo and rows.get(name, "") == listed.get(name)}


def _settings(made_of: str) -> str:
    """The settings that a shard was made with; documents stand before them, what is known beside them behind.

    >>> _settings("1f.aa.bb")
    'aa'
    """
    return [*made_of.split("."), ""][1]


def _change(listed: Table, name: str, shard: Sequence[Part], render: Render) -> Change | None:
    """The documents of a shard compared with those that were listed; None where too many are others."""
    before = list(_listed(listed.path(name)))
    known = {content: place for place, (content, why) in enumerate(before) if not _failed(why)}
    digests = digests_by_version(listed, name, [content.partition(" ")[0] for content, _ in before])
    places = [
        [known.get(content, -1) for content in _contents(part.file, render, digests.get(part.version))]
        for part in shard
    ]
    places = _in_order(places)
    count = sum(map(len, places))
    if sum(own.count(-1) for own in places) > MOST_CHANGED * count:
        return None
    again = [_rows_of(part.file, own) for part, own in zip(shard, places, strict=True) if -1 in own]
    return Change([place for own in places for place in own], _joined(again))


def _in_order(places: list[list[int]]) -> list[list[int]]:
    """Places that ascend: a document that stands elsewhere than before counts as another.

    >>> _in_order([[0, 2], [1, 3]])
    [[0, 2], [-1, 3]]
    """
    found: list[list[int]] = []
    last = -1
    for own in places:
        found.append([])
        for place in own:
            found[-1].append(place if place > last else -1)
            last = max(last, place)
    return found


def _made_again(
    engine: Engine, render: Render, scratch: Storage, changes: Mapping[str, Change]
) -> dict[str, dict[str, pa.Table]]:
    """The rows of the documents that are new or others, and the list of them, by shard."""
    targets = {name: {each: scratch.path(f"{each}-{name}") for each in render.outputs} for name in changes}
    units = [
        Unit(Source(table=change.again), targets[name])
        for name, change in changes.items()
        if change.again.num_rows
    ]
    if units:
        run_texts(engine, render, units, few=FEW_DOCUMENTS)
    return {
        name: {
            each: _read(targets[name][each]) if change.again.num_rows else schema.empty_table()
            for each, schema in render.outputs.items()
        }
        for name, change in changes.items()
    }


def _is_same(listed: Table, name: str, change: Change) -> bool:
    """Whether a shard has the same documents as before, and no others."""
    return change.places == list(range(listed.entries()[name].rows))


def _write(
    tables: Tables, name: str, places: Sequence[int], new: Mapping[str, pa.Table], made_of: str
) -> None:
    """Write a shard of what there was and what was made: both tables have its documents in their order."""
    count = iter(range(new["listed"].num_rows))
    order = [place if place >= 0 else ~next(count) for place in places]
    old = [not why for _, why in _listed(tables["listed"].path(name))]
    fresh = [not why for why in new["listed"].column("left_out").to_pylist()]
    old_at, new_at = ([0, *accumulate(each)] for each in (old, fresh))
    of_rows = [
        old_at[place] if place >= 0 else ~new_at[~place]
        for place in order
        if (old[place] if place >= 0 else fresh[~place])
    ]
    for output, own in (("rows", of_rows), ("listed", order)):
        path = tables[output].path(name)
        with open_parquet(path) as parquet:
            schema = parquet.schema_arrow.remove_metadata()
            with ParquetSink(path, schema, made_of) as sink:
                for batch in _merged(parquet, new[output], own):
                    sink.write(batch)


def _merged(parquet: Any, new: pa.Table, order: Sequence[int]) -> Iterator[pa.RecordBatch]:
    """Rows of a file, in the order in which they stand there, with new ones (`~place`) between them."""
    import pyarrow as pa

    first = at = 0
    for batch in parquet.iter_batches(ROWS_AT_ONCE, use_threads=False):
        until, start = first + batch.num_rows, at
        while at < len(order) and order[at] < until:
            at += 1
        taken = [place - first if place >= 0 else batch.num_rows + ~place for place in order[start:at]]
        if taken == list(range(batch.num_rows)):  # most have nothing new in them
            yield batch.replace_schema_metadata()
            first = until
            continue
        both = pa.concat_tables([pa.Table.from_batches([batch]).replace_schema_metadata(), new])
        yield from both.take(pa.array(taken, pa.int64())).combine_chunks().to_batches()
        first = until
    rest = pa.array([~place for place in order[at:]], pa.int64())
    yield from new.take(rest).combine_chunks().to_batches()


def _contents(file: str, render: Render, digests: Sequence[str] | None) -> Iterator[str]:
    """What each document of a part follows from; `digests` are those of its rows, where they are known."""
    rest = None if digests is None else iter(digests)
    columns = CONTENT if digests is None else BESIDE
    with open_parquet(file) as parquet:
        for batch in parquet.iter_batches(ROWS_AT_ONCE, columns=columns, use_threads=False):
            yield from render.contents(batch, None if rest is None else list(islice(rest, batch.num_rows)))


def _rows_of(file: str, places: Sequence[int]) -> pa.Table:
    """The documents of a part that have no place."""
    import pyarrow as pa

    return _read(file).filter(pa.array([place < 0 for place in places], pa.bool_()))


def _joined(tables: Sequence[pa.Table]) -> pa.Table:
    import pyarrow as pa

    return pa.concat_tables([schema_of(Document).empty_table(), *tables])


def _listed(path: str) -> Iterator[tuple[str, str]]:
    """What each document that is listed follows from, and why it was left out, where it was."""
    names = ["content", "left_out"]
    with open_parquet(path) as parquet:
        for batch in parquet.iter_batches(ROWS_AT_ONCE, columns=names, use_threads=False):
            yield from zip(*(batch.column(name).to_pylist() for name in names), strict=True)


def _failed(left_out: str) -> bool:
    """Whether a document could not be worked on, which may go better the next time."""
    return left_out.startswith(FAILED)


def _read(path: str) -> pa.Table:
    with open_parquet(path) as parquet:
        return parquet.read(use_threads=False).replace_schema_metadata()
