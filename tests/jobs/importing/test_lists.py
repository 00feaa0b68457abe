"""Archives by the thousand: named by a list or a pattern, noted together, and tried again where a store fails."""

import gzip
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from command_line import run
from processes import wait_for
from s3_server import environment, make_bucket, requests

sys.path.append(str(Path(__file__).parents[2] / "web" / "seeds"))
from local_services import Asked, Reply, serve

from corpulyzer.api.corpus import Corpus, create
from corpulyzer.corpus.archives import archives as archives_of
from corpulyzer.corpus.imports import sources
from corpulyzer.engine.local import LocalEngine
from corpulyzer.errors import UserError
from corpulyzer.jobs import importing
from corpulyzer.jobs.importing import files
from corpulyzer.storage import Storage, temporary
from corpulyzer.warc.compose import resource, stable_record_id


def warc_bytes(count: int = 3) -> bytes:
    drafts = (
        resource(f"https://a.pk/{n}", f"<p>{n}".encode(), "text/html", record_id=stable_record_id("a", n))
        for n in range(count)
    )
    return b"".join(draft.packed() for draft in drafts)


@pytest.fixture
def storage(tmp_path: Path) -> Storage:
    return Storage(tmp_path / "corpus")


def list_of(place: Path, *names: str) -> str:
    place.write_bytes(gzip.compress("".join(f"{name}\n" for name in names).encode()))
    return str(place)


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    for name in ("a/1.warc.gz", "a/2.warc.gz", "b/3.warc.gz", "b/deep/4.warc.gz"):
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_bytes(warc_bytes())
    (tmp_path / "in" / "a" / "notes.jsonl").write_bytes(b'{"text": "x"}\n')
    return tmp_path / "in"


def names(storage: Storage) -> list[str]:
    return sorted(Path(archive.path).name for archive in archives_of(storage))


def test_a_list_names_archives_in_full_or_below_its_folder(storage: Storage, shelf: Path) -> None:
    given = list_of(shelf / "warc.paths.gz", "a/1.warc.gz", "", f"{shelf}/b/3.warc.gz", "a/1.warc.gz")
    taken = importing.register(storage, [], lists=[given])
    assert [source.path for source in taken.sources] == [f"{shelf}/a/1.warc.gz", f"{shelf}/b/3.warc.gz"]
    assert names(storage) == ["1.warc.gz", "3.warc.gz"]


def test_a_file_that_a_list_names_and_that_is_not_there_is_named_and_the_others_come_in(
    storage: Storage, shelf: Path
) -> None:
    given = list_of(shelf / "warc.paths.gz", "a/1.warc.gz", "a/none.warc.gz")
    taken = importing.register(storage, [], lists=[given])
    assert [refused.path for refused in taken.refused] == [f"{shelf}/a/none.warc.gz"]
    assert names(storage) == ["1.warc.gz"]


def test_objects_of_a_store_are_taken_as_a_list_names_them_and_stand_in_few_files(
    storage: Storage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "ARCHIVES_AT_ONCE", 40)
    paths = [f"crawl-data/CC-MAIN-2024-10/{number:03d}.warc.gz" for number in range(100)]
    given = list_of(tmp_path / "warc.paths.gz", *paths)
    taken = importing.register(storage, [], lists=[given])
    assert [source.path for source in taken.sources] == [f"s3://commoncrawl/{path}" for path in paths]
    assert len(storage.list("imports")) == 3 and len(archives_of(storage)) == 100
    again = importing.register(storage, [], lists=[given])
    assert all(source.known for source in again.sources) and len(storage.list("imports")) == 3
    elsewhere = importing.register(storage, [], lists=[given], below="s3://mirror/x?region=eu")
    assert elsewhere.sources[0].path == f"s3://mirror/x/{paths[0]}?region=eu"


def test_an_object_of_a_list_may_have_a_hash_sign_in_its_name(storage: Storage, tmp_path: Path) -> None:
    paths = ["s3://bucket/#1.warc.gz", "s3://bucket/in #2/3.warc.gz?region=eu"]
    taken = importing.register(storage, [], lists=[list_of(tmp_path / "warc.paths.gz", *paths)])
    assert [source.path for source in taken.sources] == paths and not taken.refused


@pytest.mark.parametrize(
    ("content", "said"), [(b"\n\n", "is empty"), (b"\xff\xfe\x00", "cannot be read"), (None, "no list")]
)
def test_what_is_no_list_is_an_error(
    storage: Storage, tmp_path: Path, content: bytes | None, said: str
) -> None:
    place = tmp_path / "warc.paths"
    if content is not None:
        place.write_bytes(content)
    with pytest.raises(UserError, match=said):
        importing.register(storage, [], lists=[str(place)])


def test_a_star_stands_for_a_part_of_a_name_and_two_for_folders(storage: Storage, shelf: Path) -> None:
    found = [file.relative for file in files.matching(f"{shelf}/a/*.warc.gz")]
    assert found == ["1.warc.gz", "2.warc.gz"]
    assert [file.relative for file in files.matching(f"{shelf}/*/3*")] == ["b/3.warc.gz"]
    importing.register(storage, [f"{shelf}/**.warc.gz"])
    assert names(storage) == [f"{number}.warc.gz" for number in (1, 2, 3, 4)]
    with pytest.raises(UserError, match="No file matches"):
        importing.register(storage, [f"{shelf}/*.arc"])


def test_what_was_noted_before_a_kill_is_not_looked_at_again(
    storage: Storage, shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []
    plan = sys.modules["corpulyzer.jobs.importing.plan"]  # its own room has a function of that name
    usual = plan._kind_of

    def watched(file: files.Found) -> object:
        if len(looked) == 3:
            raise KeyboardInterrupt
        looked.append(file.path)
        return usual(file)

    monkeypatch.setattr(importing, "ARCHIVES_AT_ONCE", 2)
    monkeypatch.setattr(plan, "_kind_of", watched)
    with pytest.raises(KeyboardInterrupt):
        importing.register(storage, [f"{shelf}/**.warc.gz"])
    assert names(storage) == ["1.warc.gz", "2.warc.gz"]
    looked.clear()
    importing.register(storage, [f"{shelf}/**.warc.gz"])
    assert [Path(path).name for path in looked] == ["3.warc.gz", "4.warc.gz"]


def test_an_archive_that_changed_after_it_was_listed_is_what_its_own_file_says(
    storage: Storage, shelf: Path
) -> None:
    importing.register(storage, [f"{shelf}/a/*.warc.gz"])
    (shelf / "a" / "1.warc.gz").write_bytes(warc_bytes(5))
    importing.register(storage, [f"{shelf}/a/*.warc.gz"])
    sizes = {Path(source.path).name: source.bytes for source in sources(storage)}
    assert sizes["1.warc.gz"] == (shelf / "a" / "1.warc.gz").stat().st_size and len(sizes) == 2
    assert len(storage.list("imports")) == 2


def test_a_folder_of_many_files_is_seldom_looked_through_and_then_for_all(
    storage: Storage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(temporary, "FEW", 4)
    storage.write("x/0", b"")
    left = (
        tmp_path
        / "corpus"
        / "x"
        / temporary.temporary_name("other").replace(f".{os.getpid()}.", ".999999999.")
    )
    left.write_bytes(b"half")
    for number in range(1, 7):
        storage.write(f"x/{number}", b"")
    assert left.exists(), "it is of another file, and the folder is not looked through"
    storage.write("x/7", b"")
    assert not left.exists()


@pytest.fixture
def bucket(object_store: Mapping[str, str]) -> Iterator[str]:
    with environment(object_store):
        yield make_bucket(object_store, "release")


def test_an_archive_that_a_store_does_not_give_is_named_and_left_out_and_tried_again(
    bucket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("corpulyzer.corpus.indexing.PAUSE_SECONDS", (0.0, 0.0))
    store = Storage(f"{bucket}/crawl")
    store.write("1.warc.gz", warc_bytes(2))
    given = list_of(tmp_path / "warc.paths.gz", "crawl/1.warc.gz", "crawl/2.warc.gz")
    corpus = Corpus.create("urd", tmp_path / "c")
    with LocalEngine(1) as engine:
        taken = corpus.import_(lists=[given], below=bucket, engine=engine)
        assert [source.path for source in taken.sources] == [f"{bucket}/crawl/1.warc.gz"]
        (refused,) = taken.refused
        assert refused.path == f"{bucket}/crawl/2.warc.gz" and "gone" in refused.why
        assert len(corpus.documents) == 2
        store.write("2.warc.gz", warc_bytes(3))
        corpus.process(engine=engine)
        assert len(corpus.documents) == 2, "only an import tries again"
        assert corpus.import_(lists=[given], below=bucket, engine=engine).refused == ()
        assert len(corpus.documents) == 5


def test_why_an_archive_was_left_out_is_said_without_the_name_of_a_class(bucket: str, tmp_path: Path) -> None:
    store = Storage(f"{bucket}/whole")
    store.write("1.warc.gz", warc_bytes(2))
    store.write("2.warc.gz", gzip.compress(gzip.decompress(warc_bytes(2))))
    given = list_of(tmp_path / "warc.paths.gz", "whole/1.warc.gz", "whole/2.warc.gz")
    corpus = Corpus.create("urd", tmp_path / "c")
    with LocalEngine(1) as engine:
        (refused,) = corpus.import_(lists=[given], below=bucket, engine=engine).refused
    assert refused.why.startswith(f"{bucket}/whole/2.warc.gz is compressed as a whole")


def test_archives_that_were_left_out_are_named_also_when_quiet_and_none_at_all_is_a_failure(
    bucket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("corpulyzer.corpus.indexing.PAUSE_SECONDS", (0.0, 0.0))
    Storage(bucket).write("some/1.warc.gz", warc_bytes(2))
    asked = ("--below", bucket, "--quiet", "--project", tmp_path / "c")
    create("urd", tmp_path / "c")
    some = list_of(tmp_path / "some.gz", "some/1.warc.gz", "some/2.warc.gz")
    said = run("import", "--paths", some, *asked)
    assert said.stderr.startswith(
        f"not imported: {bucket}/some/2.warc.gz: The archive {bucket}/some/2.warc.gz is gone. It was left out;"
    )
    assert said.stdout == ""
    none = run("import", "--paths", list_of(tmp_path / "none.gz", "some/2.warc.gz"), *asked, code=1)
    assert f"not imported: {bucket}/some/2.warc.gz" in none.stderr


def test_what_a_pattern_brought_in_is_not_taken_for_changed_when_a_list_names_it(
    bucket: str, storage: Storage, tmp_path: Path
) -> None:
    store = Storage(f"{bucket}/seen")
    for name in ("1", "2#a", "3"):
        store.write(f"{name}.warc.gz", warc_bytes(2))
    taken = importing.register(storage, [f"{bucket}/seen/*.warc.gz"])
    assert taken.refused == () and names(storage) == ["1.warc.gz", "2#a.warc.gz", "3.warc.gz"]
    before = archives_of(storage)
    given = list_of(tmp_path / "warc.paths.gz", "seen/1.warc.gz", "seen/2#a.warc.gz", "seen/3.warc.gz")
    again = importing.register(storage, [], lists=[given], below=bucket)
    assert all(source.known for source in again.sources) and archives_of(storage) == before


def note_moved(storage: Storage, by: timedelta) -> None:
    """As if the one list of the corpus had been noted earlier or later."""
    (noted,) = storage.list("imports")
    rows = [json.loads(line) for line in storage.read_lines(noted)]
    moved = [[*row[:-1], (datetime.fromisoformat(row[-1]) + by).isoformat()] for row in rows]
    storage.write(noted, "".join(f"{json.dumps(row)}\n" for row in moved).encode())


def test_what_a_list_named_is_not_taken_for_changed_when_a_pattern_finds_it(
    bucket: str, storage: Storage, tmp_path: Path, object_store: Mapping[str, str]
) -> None:
    store = Storage(f"{bucket}/named")
    for name in ("1", "2", "3"):
        store.write(f"{name}.warc.gz", warc_bytes(2))
    given = list_of(tmp_path / "warc.paths.gz", "named/1.warc.gz", "named/2.warc.gz")
    importing.register(storage, [], lists=[given], below=bucket)
    note_moved(storage, timedelta(minutes=6))
    before = archives_of(storage)
    with requests(object_store) as asked:
        again = importing.register(storage, [f"{bucket}/named/*.warc.gz"])
    assert [source.known for source in again.sources] == [True, True, False]
    assert [archive for archive in archives_of(storage) if "3.warc.gz" not in archive.path] == before
    assert [each for each in asked if "GET" in each and ("1.warc" in each or "2.warc" in each)] == []


@pytest.mark.parametrize("minutes", [4, 0, -60])
def test_an_archive_that_may_have_been_replaced_after_a_list_named_it_is_taken_for_changed(
    bucket: str, storage: Storage, tmp_path: Path, minutes: int
) -> None:
    """The clock of the store may be some minutes behind that of the machine."""
    store = Storage(f"{bucket}/later")
    store.write("1.warc.gz", warc_bytes(2))
    importing.register(storage, [], lists=[list_of(tmp_path / "warc.paths.gz", f"{bucket}/later/1.warc.gz")])
    note_moved(storage, timedelta(minutes=minutes))
    (source,) = importing.register(storage, [f"{bucket}/later/*.warc.gz"]).sources
    assert not source.known and source.bytes > 0


def test_pages_of_an_archive_that_was_replaced_are_not_taken_for_those_of_the_old_one(
    shelf: Path, tmp_path: Path
) -> None:
    corpus = Corpus.create("urd", tmp_path / "c")
    given = shelf / "a" / "1.warc.gz"
    with LocalEngine(1) as engine:
        corpus.import_(given, engine=engine)
        other = b"".join(
            resource(f"https://b.pk/{n}", f"<p>{n}".encode(), "text/html").packed() for n in range(3)
        )
        given.write_bytes(other)
        corpus.process("extract", engine=engine)
        found = {document.url: document.verdict for document in corpus.documents}
        assert [found[f"https://a.pk/{n}"].reason for n in range(3)] == ["damaged"] * 3
        assert "replaced" in found["https://a.pk/0"].detail
        corpus.import_(given, engine=engine)
        assert {document.url for document in corpus.documents} == {f"https://b.pk/{n}" for n in range(3)}


def test_a_path_may_have_separators_of_unicode_in_it(storage: Storage, shelf: Path) -> None:
    strange = shelf / "b" / "one\u2028two\x85three.warc.gz"
    strange.write_bytes(warc_bytes())
    given = list_of(shelf / "warc.paths.gz", str(strange), "a/1.warc.gz")
    importing.register(storage, [], lists=[given])
    assert names(storage) == ["1.warc.gz", strange.name]


@pytest.mark.parametrize("line", ["a\0b.warc.gz", "http://[::1/x.warc.gz", "s3://", "s3://bucket/"])
def test_a_line_that_can_name_nothing_is_refused_and_the_others_come_in(
    storage: Storage, shelf: Path, line: str
) -> None:
    taken = importing.register(storage, [], lists=[list_of(shelf / "warc.paths.gz", line, "a/1.warc.gz")])
    assert [refused.path.endswith(line) for refused in taken.refused] == [True]
    assert names(storage) == ["1.warc.gz"]


def test_a_list_may_stand_in_a_folder_with_a_question_mark_and_come_from_windows(
    storage: Storage, shelf: Path
) -> None:
    strange = shelf / "is it? yes"
    strange.mkdir()
    (strange / "5.warc.gz").write_bytes(warc_bytes())
    listed = f"\ufeff5.warc.gz\r\n\r\n{(shelf / 'b' / '3.warc.gz').as_uri()}\r\n./5.warc.gz\r\n"
    (strange / "warc.paths").write_bytes(listed.encode())
    taken = importing.register(storage, [], lists=[str(strange / "warc.paths")])
    assert taken.refused == () and names(storage) == ["3.warc.gz", "5.warc.gz"]
    assert [file.relative for file in files.find([f"{strange}/*.warc.gz"])[0].files] == ["5.warc.gz"]


@pytest.mark.parametrize("path", ["https://127.0.0.1:9/*.warc.gz", "https://127.0.0.1:9/x", "foo://a/b"])
def test_what_is_no_store_is_an_error_that_says_so(storage: Storage, path: str) -> None:
    with pytest.raises(UserError, match=r"cannot be read|does not say which files"):
        importing.register(storage, [path])


def test_nothing_is_imported_if_one_path_is_not_there(storage: Storage, shelf: Path) -> None:
    for paths, lists in (([f"{shelf}/a", f"{shelf}/none"], []), ([f"{shelf}/a"], [f"{shelf}/none"])):
        with pytest.raises(UserError, match="There is no"):
            importing.register(storage, paths, lists=lists)
        assert sources(storage) == []


def test_a_list_may_name_archives_on_a_web_server(tmp_path: Path) -> None:
    content = warc_bytes(2)

    def ranges(asked: Asked) -> Reply:
        if asked.path != "/1.warc.gz":
            return Reply(404)
        first, _, last = asked.headers["range"].removeprefix("bytes=").partition("-")
        start, stop = int(first), min(int(last) + 1, len(content))
        return Reply(206, content[start:stop], {"Content-Range": f"bytes {start}-{stop - 1}/{len(content)}"})

    corpus = Corpus.create("urd", tmp_path / "c")
    with serve(ranges) as server, LocalEngine(1) as engine:
        given = list_of(tmp_path / "warc.paths.gz", "1.warc.gz", f"{server.url}/2.warc.gz")
        taken = corpus.import_(lists=[given], below=server.url, engine=engine)
        assert [refused.path for refused in taken.refused] == [f"{server.url}/2.warc.gz"]
        assert len(corpus.documents) == 2


def test_an_import_of_a_list_that_was_killed_does_not_read_again_what_it_had_read(tmp_path: Path) -> None:
    asked, killed = list[str](), threading.Event()
    archives = {f"/{number}.warc.gz": warc_bytes(number) for number in range(1, 5)}

    def answer(request: Asked) -> Reply:
        asked.append(request.path)
        if request.path == "/3.warc.gz":
            killed.wait(60)
        content = archives[request.path]
        first, _, last = request.headers["range"].removeprefix("bytes=").partition("-")
        start, stop = int(first), min(int(last) + 1, len(content))
        return Reply(206, content[start:stop], {"Content-Range": f"bytes {start}-{stop - 1}/{len(content)}"})

    corpus = create("urd", tmp_path / "c")
    settings = tmp_path / "c" / "corpulyzer.toml"
    settings.write_text(f"{settings.read_text()}\n[engine]\nworkers = 1\n")
    with serve(answer) as server:
        given = list_of(tmp_path / "warc.paths.gz", *(f"{server.url}{path}" for path in archives))
        command = ["import", "--paths", given, "--quiet", "--project", str(tmp_path / "c")]
        with subprocess.Popen([sys.executable, "-m", "corpulyzer", *command]) as first:
            wait_for(lambda: "/3.warc.gz" in asked)
            first.kill()
        killed.set()
        assert len(corpus.storage.list("fetches", ".parquet")) == 2
        asked.clear()
        run(*command)
    assert {"/3.warc.gz", "/4.warc.gz"} == set(asked)
    assert len(Corpus.open(tmp_path / "c").documents) == 1 + 2 + 3 + 4
