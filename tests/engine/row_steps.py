"""Steps over rows that behave, and rows that do not; in a module that guards can import."""

import ctypes
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa

from corpulyzer.engine import Limits, Source, Unit
from corpulyzer.errors import UserError
from corpulyzer.storage import Storage

INPUT = pa.schema([("id", pa.int64()), ("deed", pa.string())])
PAGES = pa.schema([("id", pa.int64()), ("said", pa.string())])
WORDS = pa.schema([("id", pa.int64()), ("word", pa.string())])


def rows(*deeds: str, start: int = 0) -> pa.Table:
    """Rows with these deeds, numbered from `start`."""
    return pa.table({"id": range(start, start + len(deeds)), "deed": list(deeds)}, schema=INPUT)


def unit(folder: Path | str, name: str, source: Source) -> Unit:
    """A unit of `Echo` that writes its outputs in a folder, path or URI."""
    storage = Storage(folder)
    targets = {output: storage.path(f"{output}/{name}.parquet") for output in ("words", "pages")}
    return Unit(source, targets)


def misbehave(deed: str) -> None:
    """Do what a bad page does to a native library, or nothing."""
    kind, _, detail = deed.partition(" ")
    if kind == "loop":
        while True:
            pass
    elif kind == "sleep":
        time.sleep(float(detail))
    elif kind == "await":  # a file that the test makes
        while not os.path.exists(detail):
            time.sleep(0.01)
    elif kind == "touch":
        open(detail, "w").close()
    elif kind == "spin":
        end = time.process_time() + float(detail)
        while time.process_time() < end:
            pass
    elif kind == "crash":
        ctypes.string_at(0)
    elif kind == "abort":
        os.abort()
    elif kind == "eat":
        _ = bytearray(int(detail) << 20)
    elif kind == "raise":
        raise ValueError(f"cannot read {detail}\nsecond line")
    elif kind == "exit":
        os._exit(7)
    elif kind == "die-once":  # as if killed from outside: the second time it lives
        if not os.path.exists(detail):
            open(detail, "w").close()
            os.kill(os.getpid(), signal.SIGKILL)
    elif kind == "print":
        sys.stdout.write("noise on standard output")
        sys.stdout.flush()


@dataclass(frozen=True, slots=True)
class Echo:
    """Says each deed, and its words; a row costs `row_seconds` of CPU."""

    row_seconds: float = 0.0

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        return {"words": WORDS, "pages": PAGES}

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        for number, deed in enumerate(batch.column("deed").to_pylist()):
            at(number)
            misbehave(deed)
            if self.row_seconds:
                misbehave(f"spin {self.row_seconds}")
        return self._say(batch, "did")

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        if "stubborn" in batch.column("deed")[0].as_py():
            raise RuntimeError("cannot even fail")
        return self._say(batch, f"failed ({why})")

    def _say(self, batch: pa.RecordBatch, how: str) -> dict[str, pa.RecordBatch]:
        ids, deeds = batch.column("id").to_pylist(), batch.column("deed").to_pylist()
        pages = {"id": ids, "said": [f"{how}: {deed}" for deed in deeds]}
        words = [(i, word) for i, deed in zip(ids, deeds, strict=True) for word in deed.split()]
        pairs = {"id": [i for i, _ in words], "word": [word for _, word in words]}
        return {
            "pages": pa.RecordBatch.from_pydict(pages, PAGES),
            "words": pa.RecordBatch.from_pydict(pairs, WORDS),
        }


@dataclass(frozen=True, slots=True)
class Encode:
    """Touches all rows before it builds its output, where a bad one then stops it."""

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        return {"pages": PAGES}

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        for number in range(batch.num_rows):
            at(number)
        said = [chr(0xD800) if deed == "surrogate" else deed for deed in batch.column("deed").to_pylist()]
        # Columns in another order and a narrower type than declared.
        columns = {"said": pa.array(said, pa.string()), "id": batch.column("id").cast(pa.int32())}
        return {"pages": pa.RecordBatch.from_pydict(columns)}

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        return {"pages": pa.RecordBatch.from_pydict({"said": [why], "id": batch.column("id")})}


@dataclass(frozen=True, slots=True)
class LongRow:
    """One row that stands for `parts` parts of work, and says so as it gets on."""

    parts: int
    part_seconds: float

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        return {"pages": PAGES}

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        for number in range(batch.num_rows):
            for _ in range(self.parts):
                at(number)
                misbehave(f"spin {self.part_seconds}")
        return self.failed(batch, "whole")

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        return {"pages": pa.RecordBatch.from_pydict({"id": batch.column("id"), "said": [why]})}


@dataclass(frozen=True, slots=True)
class Patient(LongRow):
    """A row of it may take more than a page may."""

    def limits(self, usual: Limits) -> Limits:
        return replace(usual, page_seconds=600.0)


@dataclass(frozen=True, slots=True)
class Forgets:
    """Declares a column that it does not give."""

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        return {"pages": PAGES}

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        return {"pages": batch.select(["id"])}

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        return self(batch, lambda row: None)


@dataclass(frozen=True, slots=True)
class Unprepared(Forgets):
    """Cannot be prepared, for a reason that the user can mend."""

    def prepare(self) -> None:
        raise UserError('There is no model "ā]".', "Name one\nthat is there.")


@dataclass(frozen=True, slots=True)
class Marked:
    """Declares a schema with metadata."""

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        return {"pages": PAGES.with_metadata({"made_by": "Marked"})}

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        columns = {"id": batch.column("id"), "said": batch.column("deed")}
        return {"pages": pa.RecordBatch.from_pydict(columns, PAGES)}

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        return self(batch, lambda row: None)


@dataclass(frozen=True, slots=True)
class Letters:
    """Makes a page of text for each number."""

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        return {"pages": PAGES}

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        said = []
        for number, page in enumerate(batch.column("id").to_pylist()):
            at(number)
            said.append(f"{page} کتاب " * 1000)
        return {"pages": pa.RecordBatch.from_pydict({"id": batch.column("id"), "said": said}, PAGES)}

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        return {"pages": pa.RecordBatch.from_pydict({"id": batch.column("id"), "said": [why]}, PAGES)}


@dataclass(frozen=True, slots=True)
class ReadsArchive:
    """Reads a byte of a stored file at the offset that a row names."""

    storage: Storage

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        return {"pages": PAGES}

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        said = []
        with self.storage.open_input("archive") as archive:
            for number, deed in enumerate(batch.column("deed").to_pylist()):
                at(number)
                misbehave(deed)
                said.append(archive.read_at(1, int(deed)).decode())
        return {"pages": pa.RecordBatch.from_pydict({"id": batch.column("id"), "said": said}, PAGES)}

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        return {"pages": pa.RecordBatch.from_pydict({"id": batch.column("id"), "said": [why]}, PAGES)}


@dataclass(frozen=True, slots=True)
class Prepared:
    """Loads a model of some megabytes before any row is touched."""

    megabytes: int

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        return {"pages": PAGES}

    def prepare(self) -> None:
        _MODELS.append(bytearray(self.megabytes << 20))

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        for number, deed in enumerate(batch.column("deed").to_pylist()):
            at(number)
            misbehave(deed)
        return self._say(batch, "prepared once" if len(_MODELS) == 1 else f"{len(_MODELS)} models")

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        return self._say(batch, why)

    def _say(self, batch: pa.RecordBatch, words: str) -> dict[str, pa.RecordBatch]:
        columns = {"id": batch.column("id"), "said": [words] * batch.num_rows}
        return {"pages": pa.RecordBatch.from_pydict(columns, PAGES)}


_MODELS: list[bytearray] = []
