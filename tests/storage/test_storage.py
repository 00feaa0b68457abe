"""A folder behind a few verbs, whose files appear whole or not at all."""

import os
import pickle
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from corpulyzer.storage import AtomicFile, ParquetSink, Storage, exists, open_input
from corpulyzer.storage.content import digest_of_rows, footer_of
from corpulyzer.storage.temporary import temporary_folder

SCHEMA = pa.schema([("id", pa.int64())], metadata={"made_by": "test"})


def batch(*ids: int) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict({"id": list(ids)}, SCHEMA)


def files_below(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_a_file_is_written_read_listed_and_deleted(tmp_path: Path) -> None:
    storage = Storage(tmp_path / "corpus")
    assert storage.list() == []
    storage.write("a/b/c.txt", b"one")
    storage.write("a/b/c.txt", b"two")
    storage.write("a/d.json", b"{}")
    assert storage.read("a/b/c.txt") == b"two"
    assert storage.list() == ["a/b/c.txt", "a/d.json"]
    assert storage.list("a/b") == ["a/b/c.txt"]
    assert storage.list(suffix=".json") == ["a/d.json"]
    assert (storage.folders("a"), storage.folders("a/b"), storage.folders("nowhere")) == (("b",), (), ())
    assert storage.exists("a/d.json") and not storage.exists("a") and not storage.exists("a/e.json")
    storage.delete("a/d.json")
    storage.delete("a/d.json")
    assert storage.list("a") == ["a/b/c.txt"]


def test_a_folder_is_removed_with_hidden_files_and_empty_folders(tmp_path: Path) -> None:
    storage = Storage(tmp_path)
    for name in ("a/b/c.txt", "a/.c.lock", "ab/d.txt"):
        storage.write(name, b"one")
    (tmp_path / "a" / "empty").mkdir()
    storage.delete_folder("a")
    storage.delete_folder("a")
    assert files_below(tmp_path) == ["ab/d.txt"]
    assert storage.folders("") == ("ab",)


def test_a_missing_file_says_which(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"nowhere\.txt"):
        Storage(tmp_path).read("nowhere.txt")


def test_a_storage_goes_to_other_processes_and_other_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    storage = Storage("corpus")
    storage.write("a", b"1")
    monkeypatch.chdir("/")
    assert pickle.loads(pickle.dumps(storage)) == storage
    assert pickle.loads(pickle.dumps(storage)).read("a") == b"1"
    assert storage.path("a") == str(tmp_path / "corpus/a")
    assert Storage(f"file://{tmp_path}/corpus").read("a") == b"1"


def test_a_location_keeps_the_query_of_its_root_at_the_end() -> None:
    storage = Storage("s3://bucket/corpus/?region=here")
    assert storage.path("a/b.parquet") == "s3://bucket/corpus/a/b.parquet?region=here"


def test_a_file_can_be_read_at_any_offset(tmp_path: Path) -> None:
    Storage(tmp_path).write("a", b"0123456789")
    with open_input(str(tmp_path / "a")) as file:
        file.seek(4)
        assert file.read(3) == b"456"
        assert file.read_at(2, 8) == b"89"


def test_what_fails_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    storage = Storage(tmp_path)
    storage.write("a", b"old")
    with pytest.raises(TypeError), AtomicFile(storage.path("a")) as temporary:
        Path(temporary).write_bytes("no bytes")  # type: ignore[arg-type]
    assert storage.read("a") == b"old"
    assert files_below(tmp_path) == ["a"]


def test_a_file_being_written_is_not_listed(tmp_path: Path) -> None:
    storage = Storage(tmp_path)
    with AtomicFile(storage.path("a")) as temporary:
        Path(temporary).write_bytes(b"half")
        assert storage.list() == []
        assert not storage.exists("a")
    assert storage.list() == ["a"]


def test_what_a_killed_process_left_is_cleared_when_the_file_is_written_again(tmp_path: Path) -> None:
    machine = os.uname().nodename
    (tmp_path / f".a.{machine}.999999999.tmp").write_bytes(b"left by a process that is gone")
    (tmp_path / f".a.{machine}.1.tmp").write_bytes(b"being written by a process that lives")
    (tmp_path / ".a.elsewhere.999999999.tmp").write_bytes(b"being written by another machine")
    Storage(tmp_path).write("a", b"whole")
    assert set(files_below(tmp_path)) == {f".a.{machine}.1.tmp", ".a.elsewhere.999999999.tmp", "a"}


def test_a_name_may_be_as_long_as_the_disk_allows(tmp_path: Path) -> None:
    Storage(tmp_path).write("ا" * 120 + ".parquet", b"1")
    assert files_below(tmp_path) == ["ا" * 120 + ".parquet"]


def test_parquet_rows_appear_when_all_are_written(tmp_path: Path) -> None:
    path = str(tmp_path / "deep/a.parquet")
    with ParquetSink(path, SCHEMA) as sink:
        for number in range(1000):
            sink.write(batch(number, -number))
            assert not exists(path)
    table = pq.read_table(path)
    assert table.column("id").to_pylist() == [n * sign for n in range(1000) for sign in (1, -1)]
    assert table.schema.metadata[b"made_by"] == b"test"
    metadata = pq.read_metadata(path)
    assert metadata.num_row_groups == 1, "small batches share a row group"
    assert metadata.row_group(0).column(0).compression == "ZSTD"


def test_row_groups_bound_what_is_held_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("corpulyzer.storage.sink.ROW_GROUP_BYTES", 800)
    with ParquetSink(str(tmp_path / "a.parquet"), SCHEMA) as sink:
        for _ in range(10):
            sink.write(batch(*range(50)))
    assert pq.read_metadata(tmp_path / "a.parquet").num_row_groups == 5


def test_parquet_that_rests_keeps_no_file_open_and_is_told_later_what_it_is_made_of(tmp_path: Path) -> None:
    sink = ParquetSink(str(tmp_path / "a.parquet"), SCHEMA, "unsaid")
    sink.write(batch(1, 2))
    sink.rest()
    assert not [
        path for path in map(os.path.realpath, Path("/proc/self/fd").iterdir()) if str(tmp_path) in path
    ]
    sink.write(batch(1, 2))
    sink.made_of = "1f.aa"
    sink.finish()
    sink.commit()
    sink.discard()
    said = footer_of(str(tmp_path / "a.parquet"))
    assert (said.made_of, said.version, said.rows) == ("1f.aa", sink.version, 4)
    assert said.version == digest_of_rows(str(tmp_path / "a.parquet"))


def test_parquet_that_fails_leaves_nothing(tmp_path: Path) -> None:
    other = pa.RecordBatch.from_pydict({"other": ["x"]})
    with pytest.raises(ValueError, match="Schema"), ParquetSink(str(tmp_path / "a.parquet"), SCHEMA) as sink:
        sink.write(other)
    assert files_below(tmp_path) == []


def test_what_killed_processes_left_in_the_folder_for_temporary_things_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    here, ended = os.uname().nodename, 2**22 + 1  # Linux gives no process such a number
    (tmp_path / f"corpulyzer-a.{here}.{ended}.tmp").mkdir()
    (tmp_path / f"corpulyzer-a.{here}.{ended}.tmp" / "spilled").write_text("text")
    stays = {f"corpulyzer-b.{here}.{os.getpid()}.tmp", f"corpulyzer-c.elsewhere.{ended}.tmp", "other.tmp"}
    for name in stays:
        (tmp_path / name).write_text("text")
    with temporary_folder() as folder:
        assert set(os.listdir(tmp_path)) == {*stays, Path(folder).name}
    assert set(os.listdir(tmp_path)) == stays


def test_nothing_but_a_newline_ends_a_line(tmp_path: Path) -> None:
    storage = Storage(tmp_path)
    storage.write("lines", "one\u2028still one\x85and on\n\ntwo\n".encode())
    assert storage.read_lines("lines") == ("one\u2028still one\x85and on", "two")


class CopyingStore(BaseHTTPRequestHandler):
    """An object store that answers copies only when four of them are asked for together."""

    protocol_version = "HTTP/1.1"
    asked: set[str]
    another: threading.Condition

    def do_PUT(self) -> None:
        with self.another:
            self.asked.add(f"{self.headers['x-amz-copy-source']} to {self.path}")
            self.another.notify_all()
            together = self.another.wait_for(lambda: len(self.asked) >= 4, 60)
        answer = b'<CopyObjectResult><ETag>"1"</ETag></CopyObjectResult>' if together else b""
        self.send_response(200 if together else 403)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None:
        """Tests print nothing."""


def test_many_files_are_put_in_another_folder_by_several_requests_at_a_time() -> None:
    class Handler(CopyingStore):
        asked, another = set[str](), threading.Condition()

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        options = f"endpoint_override=127.0.0.1:{server.server_port}&scheme=http&region=here"
        keys = "access_key=someone&secret_key=secret"
        one, other = (Storage(f"s3://bucket/{name}?{options}&{keys}") for name in ("one", "other"))
        one.put_all_in(other, map(str, range(6)))
        server.shutdown()
    assert Handler.asked == {f"bucket/one/{name} to /bucket/other/{name}" for name in range(6)}
