"""The DuckDB that queries of an engine share: to open one costs several times what a small query does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import zip_longest
from typing import TYPE_CHECKING

import regex

from corpulyzer.engine import Dataset
from corpulyzer.storage import filesystem_of, is_remote
from corpulyzer.storage.content import footer_of
from corpulyzer.storage.temporary import temporary_folder

if TYPE_CHECKING:
    import duckdb
    import pyarrow.dataset as ds


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


@contextmanager
def naming_damaged(tables: Mapping[str, Dataset]) -> Iterator[None]:
    """In place of an error of DuckDB, DamagedError if a file of the tables is missing or not whole."""
    import duckdb

    try:
        yield
    except duckdb.Error:
        for dataset in tables.values():
            for file in dataset.files:
                footer_of(file)
        raise


def register(session: duckdb.DuckDBPyConnection, name: str, dataset: Dataset) -> None:
    """Make a table visible to a query under its name, in the columns of its schema."""
    if not dataset.files:
        session.register(name, dataset.schema.empty_table() if dataset.rows is None else dataset.rows)
    elif any(map(is_remote, dataset.files)):  # DuckDB's own way to S3 is an extension to be downloaded
        session.register(name, _remote(dataset))
    else:
        files = ", ".join("'" + literal(file).replace("'", "''") + "'" for file in dataset.files)
        columns = ", ".join(f'"{column}"' for column in dataset.schema.names)
        session.execute(
            f'CREATE TEMP VIEW "{name}" AS SELECT {columns} '
            f"FROM read_parquet([{files}], hive_partitioning = false, union_by_name = false)"
        )


def _remote(dataset: Dataset) -> ds.FileSystemDataset:
    """A table in an object store, which is not asked for a size that is known."""
    import pyarrow.dataset as ds

    parquet, (filesystem, _) = ds.ParquetFileFormat(), filesystem_of(dataset.files[0])
    paths = [filesystem_of(file)[1] for file in dataset.files]
    fragments = [
        parquet.make_fragment(path, filesystem, file_size=size)
        for path, size in zip_longest(paths, dataset.sizes or ())
    ]
    return ds.FileSystemDataset(fragments, dataset.schema, parquet, filesystem)


def literal(file: str) -> str:
    """A path of which DuckDB takes no part for a pattern: it would read all files that match.

    >>> literal("/data/c[1]*/a.parquet")
    '/data/c[[]1][*]/a.parquet'
    """
    return regex.sub(r"([*?\[])", r"[\1]", file)
