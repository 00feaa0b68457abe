"""What is written is found valid by others, and survives a kill at any instant."""

import gzip
import io
import os
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator
from warcio.archiveiterator import ArchiveIterator as WarcioIterator

from corpulyzer.errors import UserError
from corpulyzer.warc import ArchiveWriter, Entry, fetch_of, index, read, repair
from corpulyzer.warc.compose import (
    Draft,
    conversion,
    failure,
    new_record_id,
    request,
    resource,
    response,
    revisit,
    stable_record_id,
)

DATE = datetime(2024, 5, 6, 7, 8, 9, 123456, tzinfo=UTC)
BODY = "<p>ایک صفحہ</p>".encode() * 50
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
URL = "http://a.pk/"


def every_kind() -> list[Draft]:
    answer = new_record_id()
    original = {
        "WARC-Refers-To": answer,
        "WARC-Refers-To-Target-URI": URL,
        "WARC-Refers-To-Date": "2024-05-06T07:08:09Z",
        "WARC-Payload-Digest": "sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    }
    return [
        request(URL, b"GET / HTTP/1.1\r\nHost: a.pk\r\n\r\n", date=DATE, concurrent_to=answer),
        response(URL, HEAD, BODY, date=DATE, record_id=answer),
        response(URL + "2", b"HTTP/2 200 \r\ncontent-type: text/html\r\n\r\n", BODY, date=DATE),
        response(URL + "3", b"HTTP/3 404\r\n\r\n", b"", date=DATE),
        revisit(URL, HEAD, original, date=DATE),
        failure(URL + "private", "robots", "Disallow: /private", date=DATE),
        resource(URL + "f.html", BODY, "text/html", date=DATE),
        conversion(URL + "t", "متن".encode(), date=DATE),
    ]


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    with ArchiveWriter(tmp_path, "a", info={"software": "test"}) as writer:
        for draft in every_kind():
            writer.write(draft)
    return tmp_path / "a-00000.warc.gz"


def entries(path: Path) -> list[Entry]:
    return list(index(str(path)))


def test_warcio_check_finds_no_fault(archive: Path) -> None:
    command = [str(Path(sys.executable).with_name("warcio")), "check", "-v", str(archive)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "digest pass" in done.stdout


def test_warcio_and_fastwarc_read_every_record(archive: Path) -> None:
    kinds = ["warcinfo", *(draft.kind for draft in every_kind())]
    with open(archive, "rb") as file:
        records = [(r.rec_type, r.content_stream().read()) for r in WarcioIterator(file)]
    assert [kind for kind, _ in records] == kinds
    assert records[2][1] == BODY
    with open(archive, "rb") as file:
        sound = [record.headers["WARC-Type"] for record in ArchiveIterator(file, verify_digests=True)]
    assert sound == kinds


def test_fastwarc_check_finds_no_fault(archive: Path) -> None:
    command = [str(Path(sys.executable).with_name("fastwarc")), "check", str(archive)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(every_kind()) + 1} records were verified" in done.stdout


def test_newer_protocols_are_written_as_http_1_and_named(archive: Path) -> None:
    found = [entry for entry in entries(archive) if entry.kind == "response"]
    assert [entry.status for entry in found] == [200, 200, 404]
    with open(archive, "rb") as file:
        second = read(file, found[1].offset, found[1].length)
        file.seek(found[1].offset)
        assert b"\r\n\r\nHTTP/1.1 200" in gzip.decompress(file.read(found[1].length))
    assert second.headers["warc-protocol"] == "h2"


def test_the_index_gives_the_fetches_that_were_written(archive: Path) -> None:
    fetches = [fetch for entry in entries(archive) if (fetch := fetch_of(entry, "a", 1))]
    outcomes = [(fetch.outcome, fetch.detail) for fetch in fetches]
    assert outcomes == [
        ("ok", ""),
        ("ok", ""),
        ("http_error", ""),
        ("revisit", ""),
        ("robots", "Disallow: /private"),
        ("ok", ""),
        ("ok", ""),
    ]
    assert {fetch.date for fetch in fetches} == {DATE}
    assert all(fetch.digest.startswith("sha1:") for fetch in fetches)


def test_write_says_where_each_record_went(tmp_path: Path) -> None:
    with ArchiveWriter(tmp_path, "a") as writer:
        places = writer.write(*every_kind()[:2])
    found = entries(tmp_path / places[0].archive)[1:]
    assert [(p.offset, p.length) for p in places] == [(e.offset, e.length) for e in found]


def test_the_same_draft_gives_the_same_bytes() -> None:
    drafts = [
        resource(URL, BODY, "text/html", date=DATE, record_id=stable_record_id("/pages/a.html", 0))
        for _ in range(2)
    ]
    assert drafts[0].packed() == drafts[1].packed()
    assert stable_record_id("a", 1) != stable_record_id("a", 2)


def test_no_value_can_smuggle_in_a_header(tmp_path: Path) -> None:
    with ArchiveWriter(tmp_path, "a") as writer:
        writer.write(
            resource("http://a.pk/\r\nContent-Length: 3\r\n\r\n", BODY, "text/html\nX: y", date=DATE)
        )
        writer.write(failure(URL, "failed", "reset\r\noutcome: ok", date=DATE))
    _, first, second = entries(tmp_path / "a-00000.warc.gz")
    assert first.payload_bytes == len(BODY)
    assert (second.outcome, second.detail) == ("failed", "reset outcome: ok")


def test_files_rotate_by_size_and_each_begins_with_warcinfo(tmp_path: Path) -> None:
    with ArchiveWriter(tmp_path, "a", max_bytes=2_000) as writer:
        for number in range(12):
            noise = os.urandom(400)
            writer.write(resource(f"{URL}{number}", noise, "text/plain"))
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == [f"a-{n:05d}.warc.gz" for n in range(len(files))]
    assert len(files) >= 3 and all(file.stat().st_size <= 2_000 for file in files)
    found = [entry for file in files for entry in entries(file)]
    assert [entry.uri for entry in found if entry.uri] == [f"{URL}{number}" for number in range(12)]
    assert all(entries(file)[0].kind == "warcinfo" for file in files)


def test_an_open_file_keeps_its_suffix_until_it_is_closed(tmp_path: Path) -> None:
    writer = ArchiveWriter(tmp_path, "a")
    writer.write(*every_kind())
    assert [file.name for file in tmp_path.iterdir()] == ["a-00000.warc.gz.open"]
    writer.close()
    assert [file.name for file in tmp_path.iterdir()] == ["a-00000.warc.gz"]


def test_a_writer_without_records_leaves_no_file(tmp_path: Path) -> None:
    ArchiveWriter(tmp_path, "a").close()
    assert list(tmp_path.iterdir()) == []


def test_two_writers_of_one_file_are_refused(tmp_path: Path) -> None:
    with ArchiveWriter(tmp_path, "a"), pytest.raises(UserError, match="Another process"):
        ArchiveWriter(tmp_path, "a")


@pytest.mark.parametrize("share", [0.0, 0.001, 0.2, 0.5, 0.9, 0.99, 1.0])
def test_a_torn_tail_is_cut_and_the_file_goes_on(tmp_path: Path, share: float) -> None:
    writer = ArchiveWriter(tmp_path, "a")
    writer.write(*every_kind())
    last = writer.write(response(URL + "torn", HEAD, os.urandom(3_000)))[0]
    open_file = tmp_path / "a-00000.warc.gz.open"
    whole = open_file.read_bytes()
    writer.close()
    (tmp_path / "a-00000.warc.gz").unlink()
    kept = last.offset + int(last.length * share)
    open_file.write_bytes(whole[:kept])
    with ArchiveWriter(tmp_path, "a") as again:
        again.write(response(URL + "next", HEAD, BODY))
    found = entries(tmp_path / "a-00000.warc.gz")
    assert not any(entry.problem for entry in found)
    assert [entry.uri for entry in found][-1] == URL + "next"
    assert len(found) == len(every_kind()) + (3 if share == 1.0 else 2)


def test_repair_says_what_it_kept_and_never_cuts_a_closed_file(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz.open"
    members = [draft.packed() for draft in every_kind()]
    path.write_bytes(b"".join(members) + members[1][:50])
    repaired = repair(path)
    assert (repaired.kept, repaired.cut) == (sum(map(len, members)), 50)
    assert repair(path).cut == 0
    (tmp_path / "b.warc.gz").write_bytes(b"short")
    with pytest.raises(ValueError, match="closed"):
        repair(tmp_path / "b.warc.gz")


def test_damage_in_the_middle_is_left_where_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz.open"
    members = [draft.packed() for draft in every_kind()]
    path.write_bytes(members[0] + members[1][:50] + members[2])
    assert repair(path).cut == 0


WRITE_FOR_EVER = """
import os, sys
from corpulyzer.warc import ArchiveWriter
from corpulyzer.warc.compose import response
writer = ArchiveWriter(sys.argv[1], "a", max_bytes=100_000)
number = int(sys.argv[2])
while True:
    writer.write(response(f"http://a.pk/{number}", b"HTTP/1.1 200 OK\\r\\n\\r\\n", os.urandom(5_000)))
    os.write(1, b"%d\\n" % number)
    number += 1
"""


def test_nothing_acknowledged_is_lost_to_kill_9(tmp_path: Path) -> None:
    acknowledged: list[int] = []
    for _ in range(4):
        start = acknowledged[-1] + 1 if acknowledged else 0
        command = [sys.executable, "-c", WRITE_FOR_EVER, str(tmp_path), str(start)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            acknowledged.append(int(process.stdout.readline()))
            time.sleep(0.03)
            process.send_signal(signal.SIGKILL)
            rest = process.stdout.read().split(b"\n")[:-1]
        acknowledged += map(int, rest)
    ArchiveWriter(tmp_path, "a").close()
    found = [entry for file in sorted(tmp_path.iterdir()) for entry in entries(file)]
    assert not any(entry.problem for entry in found)
    assert {f"http://a.pk/{number}" for number in acknowledged} <= {entry.uri for entry in found}


def test_a_full_disk_leaves_no_half_record(tmp_path: Path) -> None:
    import resource as limits

    writer = ArchiveWriter(tmp_path, "a")
    (place,) = writer.write(response(URL, HEAD, BODY))
    end = place.offset + place.length
    soft, hard = limits.getrlimit(limits.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        limits.setrlimit(limits.RLIMIT_FSIZE, (end + 1_000, hard))
        with pytest.raises(OSError, match="File too large"):
            writer.write(response(URL, HEAD, os.urandom(5_000)))
    finally:
        limits.setrlimit(limits.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, ignored)
    assert (tmp_path / "a-00000.warc.gz.open").stat().st_size == end
    writer.write(response(URL + "2", HEAD, BODY))
    writer.close()
    assert not any(entry.problem for entry in entries(tmp_path / "a-00000.warc.gz"))


def test_a_bytes_stream_reads_back_what_was_packed() -> None:
    member = response(URL, HEAD, BODY, date=DATE).packed()
    assert read(io.BytesIO(member), 0, len(member)).body == BODY
