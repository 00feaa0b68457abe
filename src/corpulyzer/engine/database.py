"""The DuckDB that queries of an engine share: to open one costs several times what a small query does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING, TypeVar

from corpulyzer.engine import Dataset
from corpulyzer.storage import filesystem_of, is_remote
from corpulyzer.storage.content import footer_of
from corpulyzer.storage.location import sizes_of
from corpulyzer.storage.temporary import temporary_folder

if TYPE_CHECKING:
    import duckdb
    import pyarrow.dataset as ds

T = TypeVar("T")
PATTERN = frozenset("*?[")
"""Characters that make a path a pattern. DuckDB cannot quote them in a path that has backslashes too."""


class Database:
    """A database without tables, and a folder for what does not fit in its memory."""

    def __init__(self, threads: int, memory_gigabytes: float) -> None:
        import duckdb

        self._folder = temporary_folder()
        settings: dict[str, str | bool | int | float | list[str]] = {
            "threads": threads,
            "memory_limit": f"{int(memory_gigabytes * 1000)}MB",
            "temp_directory": self._folder.name,
            # Files are made again under their names between queries.
            "enable_external_file_cache": False,
        }
        self._connection = duckdb.connect(config=settings)

    def session(self) -> duckdb.DuckDBPyConnection:
        """A connection for one query: the tables that it registers are its own and end with it."""
        session = self._connection.cursor()
        session.execute("SET TimeZone = 'UTC'")
        return session

    def close(self) -> None:
        self._connection.close()
        self._folder.cleanup()


def answered(tables: Mapping[str, Dataset], ask: Callable[[Mapping[str, Dataset]], T]) -> T:
    """What is asked of tables; once more, if files of theirs were replaced since their sizes were noted.

    In place of an error of DuckDB, DamagedError if a file is missing or not whole.
    """
    import duckdb

    with _naming_damaged(tables):
        try:
            return ask(tables)
        except duckdb.Error:
            today = {name: _resized(dataset) for name, dataset in tables.items()}
            if all(list(today[name].sizes or ()) == list(each.sizes or ()) for name, each in tables.items()):
                raise
        return ask(today)


@contextmanager
def _naming_damaged(tables: Mapping[str, Dataset]) -> Iterator[None]:
    import duckdb

    try:
        yield
    except duckdb.Error:
        for dataset in tables.values():
            for file in dataset.files:
                footer_of(file)
        raise


def _noted(dataset: Dataset) -> Sequence[int] | None:
    """The sizes by which files of an object store are read without asking for them, where they are known."""
    return dataset.sizes if dataset.files and is_remote(dataset.files[0]) else None


def _resized(dataset: Dataset) -> Dataset:
    """The table with the sizes that its files have now."""
    return dataset if _noted(dataset) is None else replace(dataset, sizes=sizes_of(dataset.files))


def register(session: duckdb.DuckDBPyConnection, name: str, dataset: Dataset) -> None:
    """Make a table visible to a query under its name, in the columns of its schema."""
    if not dataset.files:
        session.register(name, dataset.schema.empty_table() if dataset.rows is None else dataset.rows)
    elif any(is_remote(file) or is_pattern(file) for file in dataset.files):
        session.register(name, _by_arrow(dataset))
    else:
        files = ", ".join("'" + file.replace("'", "''") + "'" for file in dataset.files)
        columns = ", ".join(f'"{column}"' for column in dataset.schema.names)
        session.execute(
            f'CREATE TEMP VIEW "{name}" AS SELECT {columns} '
            f"FROM read_parquet([{files}], hive_partitioning = false, union_by_name = false)"
        )


def _by_arrow(dataset: Dataset) -> ds.FileSystemDataset:
    """A table that Arrow reads: DuckDB's own way to S3 is an extension to be downloaded.

    An object store is not asked for a size that is known.
    """
    import pyarrow.dataset as ds

    parquet, (filesystem, _) = ds.ParquetFileFormat(), filesystem_of(dataset.files[0])
    paths = [filesystem_of(file)[1] for file in dataset.files]
    fragments = [
        parquet.make_fragment(path, filesystem, file_size=size)
        for path, size in zip_longest(paths, _noted(dataset) or ())
    ]
    return ds.FileSystemDataset(fragments, dataset.schema, parquet, filesystem)


def is_pattern(file: str) -> bool:
    """Whether DuckDB would read all files that match, in place of the one of this name.

    >>> [is_pattern(f"/data/{folder}/a.parquet") for folder in ("c[1]", "c*", "b{x}")]
    [True, True, False]
    """
    return bool(PATTERN.intersection(file))
