"""Named subcorpora: lists of documents that somebody has chosen, saved in the corpus folder.

`subcorpora/NAME.json` says what was asked for, `NAME.parquet` has the ids of the documents that met it then.
So a subcorpus stays the same while the corpus grows, and can be cited; documents that leave the corpus leave
it. `subcorpora/NAME/` is laid out as a corpus folder, with copies of its documents and whatever is made of
them: it can be deleted at any time.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

import regex

from corpulyzer.corpus.without_copies import current_parts
from corpulyzer.engine import Source
from corpulyzer.engine.derived import made_of, orphans, stale
from corpulyzer.engine.derived.table import Table, bring_up_to_date
from corpulyzer.engine.workbench import run_copies
from corpulyzer.errors import UserError
from corpulyzer.records import Document
from corpulyzer.records.columns import schema_of
from corpulyzer.records.fingerprint import digest, fingerprint
from corpulyzer.storage import Storage, open_input
from corpulyzer.storage.content import digest_of_file
from corpulyzer.storage.lock import editing

if TYPE_CHECKING:
    import pyarrow as pa

    from corpulyzer.engine import Engine

FOLDER, DOCUMENTS = "subcorpora", "documents"
_NAME = regex.compile(r"[\w][\w.-]{0,59}")


@dataclass(frozen=True, slots=True)
class Subcorpus:
    """A subcorpus: its name, what was asked for and when, and how many documents met that."""

    name: str
    asked: Mapping[str, Any] = field(default_factory=dict)
    made: str = ""
    documents: int = 0
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        """The same as plain values."""
        return asdict(self)

    @property
    def words(self) -> str:
        """What was asked for, as people read it."""
        said = [f"{name.replace('_', ' ')} {value}" for name, value in self.asked.items()]
        return "; ".join(said) or "all documents"


@dataclass(frozen=True, slots=True)
class TakeMembers:
    """Map: documents in, those that are kept and members of a subcorpus out; `members` is its file of ids."""

    members: str
    version: str

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        return {DOCUMENTS: schema_of(Document)}

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        import pyarrow.compute as pc

        at(0)
        schema = schema_of(Document)
        kept = pc.struct_field(batch.column("verdict"), "kept")
        chosen = pc.is_in(batch.column("id"), _ids(self.members, self.version))
        return {DOCUMENTS: batch.filter(pc.and_(kept, chosen)).select(schema.names).cast(schema)}

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        raise RuntimeError(f"a row of the documents could not be copied: {why}")


def subcorpora(storage: Storage) -> dict[str, Subcorpus]:
    """The subcorpora of a corpus by their names."""
    files = (file for file in storage.list(FOLDER, ".json") if file.count("/") == 1)
    found = (Subcorpus(**json.loads(storage.read(file))) for file in sorted(files))
    return {each.name: each for each in found}


def subcorpus_named(storage: Storage, name: str) -> Subcorpus:
    """A subcorpus; UserError that names those there are if it is none of them."""
    known = subcorpora(storage)
    if name not in known:
        there = ", ".join(known) or "there are none yet"
        raise UserError(f"There is no subcorpus {name!r}.", f"`corpulyzer subcorpus` lists them: {there}.")
    return known[name]


def storage_of(storage: Storage, name: str) -> Storage:
    """The folder with the documents of a subcorpus."""
    return Storage(storage.path(f"{FOLDER}/{name}"))


def save(storage: Storage, subcorpus: Subcorpus, ids: Iterable[int]) -> None:
    """Write a subcorpus, in the place of one of the same name."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    must_be_name(subcorpus.name)
    file = io.BytesIO()
    pq.write_table(pa.table({"id": pa.array(sorted(ids), pa.int64())}), file)
    with editing(storage, "subcorpus"):
        storage.write(f"{FOLDER}/{subcorpus.name}.parquet", file.getvalue())
        text = json.dumps(subcorpus.to_json(), ensure_ascii=False, indent=1)
        storage.write(f"{FOLDER}/{subcorpus.name}.json", text.encode())


def must_be_name(name: str) -> None:
    """Guarantee that a name can be that of a folder and a part of an address."""
    if not _NAME.fullmatch(name) or name.endswith((".json", ".parquet")):  # files of others end so
        raise UserError(f"{name!r} cannot name a subcorpus.", "Use letters, digits, dots and hyphens.")


def forget(storage: Storage, name: str) -> None:
    """Delete a subcorpus and whatever was made of it; the documents of the corpus stay."""
    subcorpus_named(storage, name)
    with editing(storage, "subcorpus"):
        _empty(storage, name)
        for file in (f"{FOLDER}/{name}.json", f"{FOLDER}/{name}.parquet"):
            storage.delete(file)


def forget_copies(storage: Storage) -> None:
    """Delete all that was made of subcorpora, texts included; it is made again when it is asked for."""
    for name in with_copies(storage):
        _empty(storage, name)


def with_copies(storage: Storage) -> tuple[str, ...]:
    """The names under which there are copies of documents, whether or not such a subcorpus is still there."""
    return storage.folders(FOLDER)


def _empty(storage: Storage, name: str) -> None:
    for file in storage.list(f"{FOLDER}/{name}"):
        storage.delete(file)


def members(storage: Storage, name: str) -> frozenset[int]:
    """The ids of the documents of a subcorpus."""
    file, version = _members(storage, name)
    return frozenset(key for key in _ids(file, version).to_pylist() if key is not None)


def write_subcorpus(storage: Storage, engine: Engine, name: str) -> int:
    """Bring the documents of a subcorpus up to date; return how many parts changed."""
    file, version = _members(storage, name)
    sources = {part.name: storage.path(part.file) for part in current_parts(storage)}
    run = partial(run_copies, engine, TakeMembers(file, version))

    def source_of(part: str) -> Source:
        return Source(path=sources[part])

    table = Table(storage_of(storage, name), DOCUMENTS)
    return bring_up_to_date({DOCUMENTS: table}, _wanted(storage, version), source_of, run)


def is_behind(storage: Storage, name: str) -> bool:
    """Whether the documents of a subcorpus are not as they are in the corpus."""
    wanted = _wanted(storage, _members(storage, name)[1])
    made = Table(storage_of(storage, name), DOCUMENTS).made()
    return bool(stale(made, wanted) or orphans(made, wanted))


def _wanted(storage: Storage, version: str) -> dict[str, str]:
    mark = fingerprint("kept", {})
    return {part.name: made_of([part.version, version], mark) for part in current_parts(storage)}


def _members(storage: Storage, name: str) -> tuple[str, str]:
    """The file with the ids of a subcorpus, and what changes whenever it is saved anew.

    Who saves it may be killed between the ids and the rest, so both count.
    """
    subcorpus = subcorpus_named(storage, name)
    file = storage.path(f"{FOLDER}/{name}.parquet")
    return file, digest([subcorpus.to_json(), digest_of_file(file)])


@lru_cache(maxsize=4)
def _ids(file: str, version: str) -> pa.Int64Array:
    """The ids in a file; the version is there for the cache."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with open_input(file) as stored:
        found = pq.read_table(stored, columns=["id"]).column("id").to_pylist()
    return pa.array(found, pa.int64())
