"""Partial counts that follow the documents: where few documents of a part have changed, only these are read.

A sum cannot forget by itself, so the counting remembers what it has read (the table `read`). The documents
that are gone from a part are counted once more and taken off, those that came are added. Both stand in a
further file of each sum, a link, which is named after the state that it starts from: the sums of a part are
those of its own file and of a chain of links. Tables with a row for each document are written anew, `read` as
the last, because it says which documents have been counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from corpulyzer.engine import Source, Unit
from corpulyzer.engine.derived import FOLLOWED_ROWS
from corpulyzer.engine.derived.table import Table, make
from corpulyzer.measure.text.count_records import NOT_TAKEN_OFF, READ, SIGN, SUMS, remembered
from corpulyzer.measure.text.target_text import COLUMNS
from corpulyzer.storage import ParquetSink, open_input

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

LINKS = "changes"
MOST_LINKS = 20
"""After so many changes a part is counted as a whole again."""
MOST_CHANGED = 0.25
"""The same, where more than this share of its documents has changed."""
ROWS_COMPARED = 64

Run = Callable[[list[Unit]], None]
Made = Mapping[str, Mapping[str, str]]
"""What each part of each table was made of."""


def bring_up_to_date(
    tables: Mapping[str, Table], files: Mapping[str, str], wanted: Mapping[str, str], run: Run
) -> None:
    """Count what is new of the documents in `files`, and take off what is gone."""
    made = {output: _mended(table, wanted) for output, table in tables.items()}
    states = {name: state_of(made, name) for name in wanted}
    behind = [name for name in wanted if states[name] != wanted[name]]
    changes = dict(_changes(tables, made, {name: states[name] for name in behind}, files, wanted))
    lost = _count_changes(tables, changes, states, wanted, run)
    whole = [name for name in behind if name not in changes or name in lost]
    units = {name: _unit(tables, name, Source(path=files[name], columns=COLUMNS), wanted) for name in whole}
    make(tables, units, run)
    for table in tables.values():
        found = table.made()
        counted = {link for name, state in wanted.items() for link in _chain(found, name, state)}
        table.forget([name for name in found if name not in counted])


def state_of(made: Made, name: str) -> str:
    """What the counts of a part are made of; empty if they are not whole, or their tables not in step."""
    (state, *others) = {parts.get(name, "") for output, parts in made.items() if output not in SUMS}
    if others or not state:
        return ""
    return state if all(_chain(made[output], name, state) for output in SUMS) else ""


def _chain(made: Mapping[str, str], name: str, state: str) -> list[str]:
    """The files that add up to the counts of a part in a state; none if they do not."""
    found, at = [name], made.get(name, "")
    while at != state:
        link = _link(name, at)
        if link not in made or link in found:
            return []
        found.append(link)
        at = made[link]
    return found if at else []


def _link(name: str, state: str) -> str:
    return f"{LINKS}/{state}/{name}"


def _mended(table: Table, wanted: Mapping[str, str]) -> dict[str, str]:
    """What the parts of a table are made of; those that the log does not know are asked."""
    known = table.entries()
    return table.mend({name: mark for name, mark in wanted.items() if name not in known})


def _unit(tables: Mapping[str, Table], target: str, source: Source, wanted: Mapping[str, str]) -> Unit:
    name = target.split("/", 2)[-1] if target.startswith(f"{LINKS}/") else target
    paths = {output: table.path(target) for output, table in tables.items()}
    return Unit(source, paths, dict.fromkeys(tables, wanted[name]))


def _changes(
    tables: Mapping[str, Table],
    made: Made,
    states: Mapping[str, str],
    files: Mapping[str, str],
    wanted: Mapping[str, str],
) -> Iterator[tuple[str, pa.Table]]:
    """The parts of which few documents have changed, each with those that are gone and those that came."""
    read = tables[READ].entries()
    for name, state in states.items():
        # The rules of counting are the same, and so is what remains.
        same_rules = state.partition(".")[2] == wanted[name].partition(".")[2]
        links = max(len(_chain(made[output], name, state)) for output in SUMS) if state else 0
        if state and same_rules and links <= MOST_LINKS and read[name].rows <= FOLLOWED_ROWS:
            change = difference(_rows(tables[READ].path(name)), remembered(_rows(files[name], COLUMNS)))
            if change is not None:
                yield name, change


def difference(old: pa.RecordBatch, new: pa.RecordBatch) -> pa.Table | None:
    """The rows of `old` that are gone (sign -1) and those of `new` that came (1); None if they are many."""
    import pyarrow as pa

    olds, news = (list(map(int, batch.column("id").to_numpy())) for batch in (old, new))
    places = {key: place for place, key in enumerate(olds)}
    if len(places) < len(olds) or len(set(news)) < len(news):
        return None
    come = [place for place in _candidates(old, new) if not _is_same(old, new, places, news[place], place)]
    left = set(news) - {news[place] for place in come}
    gone = [place for place, key in enumerate(olds) if key not in left]
    if len(come) + len(gone) > MOST_CHANGED * max(len(olds), len(news)):
        return None
    some = [(old.take(pa.array(gone, pa.int64())), -1), (new.take(pa.array(come, pa.int64())), 1)]
    signed = [
        pa.Table.from_batches([rows]).append_column(SIGN, pa.array([sign] * rows.num_rows, pa.int64()))
        for rows, sign in some
    ]
    return pa.concat_tables(signed)


def _candidates(old: pa.RecordBatch, new: pa.RecordBatch) -> Iterator[int]:
    """The rows of `new` that may differ: all but those in blocks that are equal."""
    for start in range(0, new.num_rows, ROWS_COMPARED):
        block = new.slice(start, ROWS_COMPARED)
        if not block.equals(old.slice(start, ROWS_COMPARED)):
            yield from range(start, start + block.num_rows)


def _is_same(
    old: pa.RecordBatch, new: pa.RecordBatch, places: Mapping[int, int], key: int, place: int
) -> bool:
    return key in places and bool(new.slice(place, 1).equals(old.slice(places[key], 1)))


def _count_changes(
    tables: Mapping[str, Table],
    changes: Mapping[str, pa.Table],
    states: Mapping[str, str],
    wanted: Mapping[str, str],
    run: Run,
) -> set[str]:
    """Count documents that came and went; return the parts of which some could not be taken off."""
    links = {name: _link(name, states[name]) for name in changes}
    units = {links[name]: _unit(tables, links[name], Source(table=changes[name]), wanted) for name in changes}
    make(tables, units, run)
    failures = {name: _rows(tables["failures"].path(links[name])) for name in changes}
    lost = {name for name, rows in failures.items() if NOT_TAKEN_OFF in rows.column("why").to_pylist()}
    done = [name for name in changes if name not in lost]
    for output in sorted(tables.keys() - SUMS, key=lambda output: output == READ):
        table = tables[output]
        table.set_aside(done)
        for name in done:
            _replace(table, name, links[name], changes[name].column("id").to_numpy(), wanted[name])
        table.note(done)
    return lost


def _replace(table: Table, name: str, link: str, ids: NDArray[np.int64], made_of: str) -> None:
    """Write the rows of a part anew, with those of a link in the place of the rows of some documents."""
    import pyarrow as pa
    import pyarrow.compute as pc

    old, new = _rows(table.path(name)), _rows(table.path(link))
    stays = pc.invert(pc.is_in(old.column("id"), pa.array(ids)))
    with ParquetSink(table.path(name), old.schema, made_of) as sink:
        sink.write(old.filter(stays))
        sink.write(new.cast(old.schema))


def _rows(path: str, columns: Sequence[str] | None = None) -> pa.RecordBatch:
    """The rows of a part, of which there are some thousands."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with open_input(path) as file, pq.ParquetFile(file) as parquet:
        table = parquet.read(list(columns) if columns else None, use_threads=False)
    table = table.replace_schema_metadata().combine_chunks()
    batches = table.to_batches()
    return batches[0] if batches else pa.RecordBatch.from_pylist([], schema=table.schema)
