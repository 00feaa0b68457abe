"""What is kept for the next export, without documents that are removed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import compress
from typing import TYPE_CHECKING, Any

from corpulyzer.export.follow import Tables, forget_replaced, tables_of
from corpulyzer.export.made_of_parts import follow_parts
from corpulyzer.export.published import published_ids
from corpulyzer.export.versions import FOLDER, MADE
from corpulyzer.records.fingerprint import digest
from corpulyzer.storage import ParquetSink
from corpulyzer.storage.content import open_parquet

if TYPE_CHECKING:
    from corpulyzer.engine.derived import Part
    from corpulyzer.storage import Storage

ROWS_AT_ONCE = 1_000
MOST_DOCUMENTS = 5_000_000


def keep_only(storage: Storage, kept: Sequence[Part], new: Mapping[str, str]) -> None:
    """Leave of what is kept for the next export the rows of the documents of these parts alone.

    So nothing stays of a page that was removed, in whatever form it was exported. `new` has the versions of
    the kept documents by those that they had. Of more than `MOST_DOCUMENTS` nothing is kept at all: their ids
    would take more memory than a removal may, and the next export makes all again.
    """
    if sum(part.rows for part in kept) > MOST_DOCUMENTS:
        for file in storage.list(f"{FOLDER}/{MADE}"):
            storage.delete(file)
        return
    there = Counter(key for part in kept for key in _published(storage.path(part.file)))
    rows = {part.version: part.rows for part in kept}
    for format in storage.folders(f"{FOLDER}/{MADE}"):
        tables = tables_of(storage, format)
        _forget_others(tables)
        names = sorted(tables["listed"].entries())
        listed = Counter(key for name in names for key in _listed(tables, name)["id"])
        # An id comes from outside where a document was published before. Of several documents with one id
        # nobody knows which is gone, so none of them stays.
        stay = {key for key, count in listed.items() if count <= there[key]}
        for name in names:
            _filter(tables, name, stay, new, rows)
        for table in tables.values():  # also where nothing was taken out: a kill may have come before this
            table.log.forget_past()


def _published(path: str) -> Iterator[str]:
    with open_parquet(path) as parquet:
        for batch in parquet.iter_batches(ROWS_AT_ONCE, columns=["id", "labels"], use_threads=False):
            yield from published_ids(batch)


def _listed(tables: Tables, name: str) -> dict[str, list[Any]]:
    with open_parquet(tables["listed"].path(name)) as parquet:
        found: dict[str, list[Any]] = parquet.read(["id", "left_out"], use_threads=False).to_pydict()
        return found


def _forget_others(tables: Tables) -> None:
    """Forget what a kill has left: files that no log knows, and shards whose tables are not in step."""
    forget_replaced(tables)
    rows, listed = (tables[name].made() for name in ("rows", "listed"))
    same = {name for name in rows if rows[name] and rows[name] == listed.get(name)}
    for table in tables.values():
        table.forget([name for name in {*table.files(), *table.made()} if name not in same])


def _filter(
    tables: Tables, name: str, stay: Collection[str], new: Mapping[str, str], documents: Mapping[str, int]
) -> None:
    """Write the rows of a shard that stay: its list has a row for each document, `rows` for those taken."""
    listed, said = tables["listed"], _listed(tables, name)
    kept = [key in stay for key in said["id"]]
    if all(kept):
        return
    taken = list(compress(kept, (not why for why in said["left_out"])))
    gone = [key for key, stays in zip(said["id"], kept, strict=True) if not stays]
    before, version = listed.made()[name], listed.entries()[name].version
    versions, _, rest = before.partition(".")
    # Another mark than before: after a kill between the two tables they are not taken for one state.
    mark = f"{digest([versions, gone])}.{rest}"
    for table, rows in ((tables["rows"], taken), (listed, kept)):
        table.set_aside([name])
        _write(table.path(name), rows, mark)
        table.note([name])
    follow_parts(listed, name, version, kept, new, documents)


def _write(path: str, kept: list[bool], made_of: str) -> None:
    import pyarrow as pa

    first = 0
    with open_parquet(path) as parquet:
        schema = parquet.schema_arrow.remove_metadata()
        with ParquetSink(path, schema, made_of) as sink:
            for batch in parquet.iter_batches(ROWS_AT_ONCE, use_threads=False):
                own = kept[first : first + batch.num_rows]
                sink.write(batch.filter(pa.array(own, pa.bool_())).cast(schema))
                first += batch.num_rows
