"""Tables by archive: a worker finds the rows of one archive, and opens few files for it."""

import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import given
from hypothesis import strategies as st

from corpulyzer.storage import by_archive
from corpulyzer.storage.by_archive import rows_of_archive

SCHEMA = pa.schema([("archive_id", pa.int64()), ("id", pa.int64())])


def written(folder, pieces):
    paths = []
    for number, rows in enumerate(pieces):
        paths.append(f"{folder}/t.part-{number:05d}.parquet")
        pq.write_table(pa.Table.from_pylist(rows, SCHEMA), paths[-1], row_group_size=3)
    return tuple(paths)


@given(
    archives=st.lists(st.sampled_from([-(1 << 63), -3, 0, 2, 7, 9, (1 << 63) - 1]), max_size=40),
    cuts=st.lists(st.integers(0, 40), max_size=5),
)
def test_the_rows_of_an_archive_are_found_wherever_the_files_are_cut(tmp_path_factory, archives, cuts):
    rows = [{"archive_id": archive, "id": number} for number, archive in enumerate(sorted(archives))]
    ends = sorted(min(cut, len(rows)) for cut in cuts)
    pieces = [rows[start:end] for start, end in zip([0, *ends], [*ends, len(rows)], strict=True)]
    paths = written(tmp_path_factory.mktemp("t"), pieces)  # earlier versions wrote files without rows too
    for asked in {-5, 1, 10, *archives}:
        wanted = [row for row in rows if row["archive_id"] == asked]
        assert rows_of_archive(paths, asked).to_pylist() == wanted


def test_of_many_files_few_are_opened(tmp_path, monkeypatch):
    paths = written(tmp_path, [[{"archive_id": number, "id": number}] for number in range(200)])
    opened = []
    monkeypatch.setattr(by_archive, "open_parquet", lambda path: opened.append(path) or pq.ParquetFile(path))
    assert rows_of_archive(paths, 150, "few").to_pylist() == [{"archive_id": 150, "id": 150}]
    assert len(set(opened)) < 12


def test_a_table_that_another_has_replaced_is_read_anew(tmp_path):
    paths = written(tmp_path, [[{"archive_id": 1, "id": 1}]])
    assert rows_of_archive(paths, 1, "a").num_rows == 1
    written(tmp_path, [[{"archive_id": 5, "id": 7}]])
    assert rows_of_archive(paths, 5, "b").to_pylist() == [{"archive_id": 5, "id": 7}]
