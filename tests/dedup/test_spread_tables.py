"""Tables that the tasks of a cluster write in parts are read as if they were one file."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from made_corpora import bench

from corpulyzer.engine import Dataset
from corpulyzer.engine.spark.tables import Write
from corpulyzer.engine.workbench import files_of, stored
from corpulyzer.jobs.dedup.judge import _copies, _gone
from corpulyzer.storage import Storage

ROWS = [
    {"archive_id": archive, "id": 10 * archive + number, "number": number, "of_site": number % 2}
    for archive in (-5, 0, 3, 4)
    for number in range(6)
]


@pytest.fixture(params=[(24,), (9, 15), (2, 4, 12, 6), (0, 24)])
def parts(request, tmp_path):
    """The same rows, cut at other places: an archive may be in two files, and a file without rows."""
    first, paths = 0, []
    schema = pa.Table.from_pylist(ROWS).schema
    for number, count in enumerate(request.param):
        paths.append(str(tmp_path / f"gone.part-{number:05d}.parquet"))
        pq.write_table(pa.Table.from_pylist(ROWS[first : first + count], schema), paths[-1], row_group_size=4)
        first += count
    return tuple(paths)


def test_the_rows_of_an_archive_are_found_in_whichever_files_they_are(parts):
    for archive in (-6, -5, 0, 3, 4, 9):
        expected = [row for row in ROWS if row["archive_id"] == archive]
        assert _copies(parts, archive) == {row["id"]: row for row in expected}
        for document in {row["id"] for row in expected} | {1}:
            own = {row["number"]: row["of_site"] == 1 for row in expected if row["id"] == document}
            assert _gone(parts, archive, document) == own


def test_a_table_with_fewer_parts_than_before_has_none_of_the_old(engine, tmp_path):
    storage = Storage(tmp_path)

    class Cluster:
        """Writes as many files as it is told to."""

        def __init__(self, tasks):
            self.tasks = tasks

        def spread(self, sql, tables, target):
            schema = pa.schema([("n", pa.int64())])
            files = [Write(target, schema, numbered=True).file(number) for number in range(self.tasks)]
            for number, file in enumerate(files):
                pq.write_table(pa.table({"n": [self.tasks * 10 + number]}, schema), file)
            return Dataset(tuple(files), schema)

    (tmp_path / "labels").mkdir()
    for tasks in (5, 2):
        made = bench(Cluster(tasks), tmp_path).spread_at("labels/near.parquet", "select 1 as n")
        assert stored(storage, "labels/near.parquet").files == made.files
    pq.write_table(pa.table({"n": [1]}), tmp_path / "labels/nearly.parquet")
    assert files_of(storage, "labels/near.parquet") == [f"labels/near.part-0000{n}.parquet" for n in (0, 1)]
    here = bench(engine, tmp_path).spread_at("labels/near.parquet", "select 7 as n")
    assert (
        stored(storage, "labels/near.parquet").files == here.files == (str(tmp_path / "labels/near.parquet"),)
    )
    with pytest.raises(FileNotFoundError):
        stored(storage, "labels/raw.parquet")
