"""Files of every kind come in, what cannot is named, and doing it twice changes nothing."""

import gzip
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import lz4.frame
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import regex
import zstandard
from s3_server import environment, make_bucket
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from corpulyzer.corpus.archives import archives as archives_of
from corpulyzer.corpus.archives import check
from corpulyzer.corpus.indexing import IndexArchives
from corpulyzer.errors import UserError
from corpulyzer.jobs import importing
from corpulyzer.jobs.importing.convert import convert
from corpulyzer.jobs.importing.drafts import fields_header
from corpulyzer.jobs.importing.plan import ARCHIVE, JSONL, PAGES, PARQUET, RECORDS, plan
from corpulyzer.records import Fetch, Page
from corpulyzer.records.columns import record_of
from corpulyzer.storage import Storage
from corpulyzer.warc import ArchiveReader, fetch_of, index, page_of

TEXT = "یہ اردو کا ایک جملہ ہے۔"


@pytest.fixture
def storage(tmp_path: Path) -> Storage:
    return Storage(tmp_path / "corpus")


@pytest.fixture
def inbox(tmp_path: Path) -> Path:
    folder = tmp_path / "inbox"
    folder.mkdir()
    return folder


def warc_bytes(count: int = 3, *, packed: bool = True) -> bytes:
    sink = io.BytesIO()
    writer = WARCWriter(sink, gzip=packed)
    for number in range(count):
        head = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
        body = io.BytesIO(f"<p>{number} {TEXT}</p>".encode())
        url = f"http://a.pk/{number}"
        writer.write_record(writer.create_warc_record(url, "response", payload=body, http_headers=head))
    return sink.getvalue()


def jsonl(*rows: Any) -> bytes:
    return "".join(row + "\n" if isinstance(row, str) else json.dumps(row) + "\n" for row in rows).encode()


def pages(storage: Storage) -> list[Page]:
    """Every page that the corpus' archives hold."""
    found = []
    archives = archives_of(storage)
    with ArchiveReader({archive.name: archive.path for archive in archives}) as reader:
        for archive in archives:
            for entry in index(archive.path):
                fetch = fetch_of(entry, archive.name, archive.round)
                if fetch and fetch.outcome == "ok":
                    found.append(page_of(fetch, reader.read(fetch)))
    return found


def test_files_are_known_by_their_content(inbox: Path) -> None:
    contents = {
        "a.warc.gz": warc_bytes(),
        "odd-name.bin": warc_bytes(packed=False),
        "b.warc.wet.gz": warc_bytes(),
        "c.jsonl": jsonl({"text": TEXT}),
        "d.jsonl.gz": gzip.compress(jsonl({"text": TEXT})),
        "e.ndjson.zst": zstandard.ZstdCompressor().compress(jsonl({"text": TEXT})),
        "f.html": b"<p>x",
        "g": b"\n<!DOCTYPE html><p>x",
        "h.txt": b"x",
    }
    for name, content in contents.items():
        (inbox / name).write_bytes(content)
    pq.write_table(pa.table({"text": [TEXT]}), inbox / "i.parquet")
    found = plan([str(inbox)])
    kinds = {Path(source.path).name: source.kind for source in found.sources if source.kind != PAGES}
    assert kinds == {
        "a.warc.gz": ARCHIVE,
        "odd-name.bin": ARCHIVE,
        "b.warc.wet.gz": ARCHIVE,
        "c.jsonl": JSONL,
        "d.jsonl.gz": JSONL,
        "e.ndjson.zst": JSONL,
        "i.parquet": PARQUET,
    }
    (folder,) = [source for source in found.sources if source.kind == PAGES]
    assert [file.relative for file in folder.files] == ["f.html", "g", "h.txt"]
    assert found.refused == ()


def test_an_archive_whose_first_checksum_is_wrong_is_known_by_what_it_holds(inbox: Path) -> None:
    packed = gzip.compress(warc_bytes(1, packed=False))
    (inbox / "a.warc.gz").write_bytes(packed[:-8] + bytes(4) + packed[-4:] + warc_bytes())
    (source,) = plan([str(inbox)]).sources
    assert source.kind == ARCHIVE


@pytest.mark.parametrize(
    "name, content, why",
    [
        ("x.bin", b"\x89PNG\r\n", "none of WARC"),
        ("x.warc.gz", b"", "empty"),
        ("x.html", b"", "empty"),
        ("x.json", b'[{"text": "a"}]', "one JSON array"),
    ],
)
def test_what_cannot_be_imported_is_named_with_the_reason(
    inbox: Path, name: str, content: bytes, why: str
) -> None:
    (inbox / name).write_bytes(content)
    (inbox / "good.txt").write_bytes(b"x")
    (refused,) = plan([str(inbox)]).refused
    assert refused.path.endswith(name) and why in refused.why


def test_odd_names_and_things_that_are_no_files_do_not_stop_an_import(storage: Storage, inbox: Path) -> None:
    for name in ("اردو صفحہ.html", "a?b#c.html"):
        (inbox / name).write_bytes(b"<p>" + name.encode())
    Path(os.fsdecode(os.fsencode(inbox) + b"/\xff.html")).write_bytes(b"<p>x")
    (inbox / "dead.html").symlink_to("/nowhere")
    (inbox / "loop").symlink_to(inbox)
    os.mkfifo(inbox / "fifo")
    registered = importing.register(storage, [str(inbox)])
    assert registered.sources[0].rows == 2
    whys = sorted(refused.why for refused in registered.refused)
    assert whys == ["it is no regular file, or a dead link"] * 2 + ["its name is not UTF-8"]
    assert {page.body for page in pages(storage)} == {"<p>اردو صفحہ.html".encode(), b"<p>a?b#c.html"}
    assert all("?" not in page.url and "#" not in page.url for page in pages(storage))


def test_nothing_readable_at_all_is_an_error_with_the_next_step(storage: Storage, inbox: Path) -> None:
    with pytest.raises(UserError, match="no file or folder"):
        importing.register(storage, [str(inbox / "nowhere")])
    with pytest.raises(UserError, match="no files in"):
        importing.register(storage, [str(inbox)])
    (inbox / "a.jsonl").write_bytes(jsonl({"title": "no text"}, "{broken"))
    with pytest.raises(UserError, match="neither text nor html") as caught:
        importing.register(storage, [str(inbox)])
    assert "a.jsonl" in caught.value.message and caught.value.hint
    assert archives_of(storage) == []


def test_archives_stay_where_they_are(storage: Storage, inbox: Path) -> None:
    (inbox / "a.warc.gz").write_bytes(warc_bytes())
    importing.register(storage, [str(inbox / "a.warc.gz")])
    (archive,) = archives_of(storage)
    assert (archive.path, archive.round) == (str(inbox / "a.warc.gz"), 0)
    (noted,) = storage.list("imports")
    assert noted.endswith(".jsonl")
    assert [page.url for page in pages(storage)] == [f"http://a.pk/{n}" for n in range(3)]


def test_a_moved_archive_is_an_error_that_says_what_to_do(storage: Storage, inbox: Path) -> None:
    path = inbox / "a.warc.gz"
    path.write_bytes(warc_bytes())
    importing.register(storage, [str(path)])
    check(archives_of(storage))
    path.rename(inbox / "b.warc.gz")
    with pytest.raises(UserError, match=r"a\.warc\.gz is no longer there"):
        check(archives_of(storage))


def test_rows_become_pages_with_their_address_date_and_other_fields(storage: Storage, inbox: Path) -> None:
    (inbox / "a.jsonl").write_bytes(
        jsonl(
            {
                "url": "http://a.pk/1",
                "text": TEXT,
                "date": "2021-03-04T05:06:07Z",
                "topic": "news",
                "likes": 3,
            },
            {"url": "http://a.pk/2", "html": f"<p>{TEXT}</p>", "timestamp": 1_600_000_000_000},
            {"text": TEXT, "date": "last week"},
            {"url": "no address", "text": TEXT},
        )
    )
    importing.register(storage, [str(inbox / "a.jsonl")])
    first, second, third, fourth = pages(storage)
    assert first.body.decode() == TEXT and first.headers["content-type"] == "text/plain; charset=utf-8"
    assert first.url == "http://a.pk/1"
    assert first.labels == {"source.topic": "news", "source.likes": "3"}
    assert first.fetch and first.fetch.date == datetime(2021, 3, 4, 5, 6, 7, tzinfo=UTC)
    assert first.fetch.kind == "conversion"
    assert second.mime == "text/html" and second.fetch and second.fetch.kind == "resource"
    assert second.fetch.date == datetime.fromtimestamp(1_600_000_000, UTC)
    assert third.url.startswith("https://a-") and third.url.endswith(".invalid/3")
    assert third.labels == {"source.date": "last week"}
    assert fourth.labels == {"source.url": "no address"}


def test_parquet_rows_become_pages_too(storage: Storage, inbox: Path) -> None:
    when = datetime(2020, 1, 2, 3, 4, 5, tzinfo=UTC)
    table = pa.table(
        {
            "url": ["http://a.pk/1", "http://a.pk/2", None],
            "html": pa.array([b"<p>\xe6", None, None], pa.binary()),
            "text": [None, TEXT, None],
            "crawl_date": [when] * 3,
            "scores": [[0.5, 1.5]] * 3,
        }
    )
    pq.write_table(table, inbox / "a.parquet")
    (source,) = importing.register(storage, [str(inbox / "a.parquet")]).sources
    assert (source.rows, source.refused) == (2, 1)
    first, second = pages(storage)
    assert (first.body, first.headers["content-type"]) == (b"<p>\xe6", "text/html")
    assert second.body.decode() == TEXT
    assert first.fetch and first.fetch.date == when
    assert first.labels == {"source.scores": "[0.5, 1.5]"}


def test_parquet_values_that_python_cannot_hold_do_not_cost_the_row(storage: Storage, inbox: Path) -> None:
    table = pa.table(
        {
            "text": [TEXT, TEXT],
            "date": pa.array([1_600_000_000_123_456_789, 0], pa.timestamp("ns")),
            "odd": pa.array([10**15, 0], pa.timestamp("s")),
        }
    )
    pq.write_table(table, inbox / "a.parquet", coerce_timestamps=None)
    (source,) = importing.register(storage, [str(inbox / "a.parquet")]).sources
    assert (source.rows, source.refused) == (2, 0)
    first = pages(storage)[0]
    assert first.fetch and first.fetch.date.year == 2020


def test_bad_rows_are_counted_and_named_and_the_others_come_in(storage: Storage, inbox: Path) -> None:
    content = jsonl({"text": "ok"}, "{broken", "[1]", {"text": " "}, "", {"text": 5}, {"text": "ok too"})
    lone = jsonl({"text": "\ud800 lone", "field": "\ud800"})
    (inbox / "a.jsonl").write_bytes(content + b'{"text": "\xff"}\n' + lone)
    (source,) = importing.register(storage, [str(inbox / "a.jsonl")]).sources
    assert (source.rows, source.refused) == (3, 5)
    assert source.reasons == {"no JSON": 1, "no JSON object": 1, "neither text nor html": 2, "not UTF-8": 1}
    assert source.examples[0]["line"] == 2 and str(source.examples[0]["file"]).endswith("a.jsonl")
    found = pages(storage)
    assert [page.body for page in found] == [b"ok", b"ok too", b"? lone"]
    assert found[2].labels == {"source.field": "?"}


def test_a_damaged_packed_file_gives_the_rows_before_the_damage(storage: Storage, inbox: Path) -> None:
    rows = [{"text": f"{n} {os.urandom(40).hex()}"} for n in range(20_000)]
    packed = gzip.compress(jsonl(*rows))
    (inbox / "a.jsonl.gz").write_bytes(packed[: len(packed) * 3 // 4])
    (source,) = importing.register(storage, [str(inbox / "a.jsonl.gz")]).sources
    assert 5_000 < source.rows < 20_000
    assert source.reasons == {"the file is damaged from here on": 1}


def test_saved_pages_keep_the_address_that_they_tell(storage: Storage, inbox: Path) -> None:
    contents = {
        "a.html": b"<!-- saved from url=(0015)http://a.pk/saved --><link rel=canonical href=http://a.pk/other>",
        "b.html": b"<html><head><link rel='alternate canonical' href='https://a.pk/b'>",
        "c.html": b"<html><meta property='og:url' content='https://a.pk/c'>",
        "d.html": b"<html><base href='https://a.pk/dir/'><p>x",
        "e.html": b"<html><!-- Mirrored from a.pk/e.html by HTTrack Website Copier/3.x --><p>x",
        "f.html": b"<html><link rel=canonical href='/relative'><p>x",
        "sub/g h.html": b"<p>x",
        "z.html": b"<html><head><link rel=canonical href='https://a.pk/b'><p>the same address again",
    }
    (inbox / "sub").mkdir()
    for name, content in contents.items():
        (inbox / name).write_bytes(content)
    (source,) = importing.register(storage, [str(inbox)]).sources
    assert (source.kind, source.files, source.rows) == (PAGES, 8, 8)
    found = {page.body: page for page in pages(storage)}
    urls = [found[content].url for content in contents.values()]
    host = f"https://{source.name}.invalid"
    assert urls == [
        "http://a.pk/saved",
        "https://a.pk/b",
        "https://a.pk/c",
        "https://a.pk/dir/d.html",
        "http://a.pk/e.html",
        f"{host}/f.html",
        f"{host}/sub/g%20h.html",
        f"{host}/z.html",
    ]
    assert found[contents["z.html"]].labels == {"source.told_url": "https://a.pk/b"}


def test_a_text_file_is_one_document_in_its_own_charset(storage: Storage, inbox: Path) -> None:
    (inbox / "a.txt").write_text(TEXT, "utf-8")
    (inbox / "b.txt").write_bytes("zażółć".encode("iso-8859-2"))
    importing.register(storage, [str(inbox / "a.txt"), str(inbox / "b.txt")])
    types = {page.body: page.headers["content-type"] for page in pages(storage)}
    assert types == {TEXT.encode(): "text/plain; charset=utf-8", "zażółć".encode("iso-8859-2"): "text/plain"}


def test_a_page_larger_than_any_page_is_cut_and_says_so(storage: Storage, inbox: Path) -> None:
    (inbox / "a.txt").write_bytes(b"a" * 12_000_000)
    importing.register(storage, [str(inbox / "a.txt")])
    (page,) = pages(storage)
    assert (len(page.body), page.truncated) == (10_000_000, True)


def test_importing_the_same_again_does_nothing_and_says_so(storage: Storage, inbox: Path) -> None:
    (inbox / "a.jsonl").write_bytes(jsonl({"text": TEXT}))
    first = importing.register(storage, [str(inbox / "a.jsonl")])
    before = {file: storage.read(file) for file in storage.list("imports")}
    again = importing.register(storage, [str(inbox / "a.jsonl")])
    assert [source.known for source in first.sources] == [False]
    assert [source.known for source in again.sources] == [True]
    assert "unchanged" in again.summary()
    assert {file: storage.read(file) for file in storage.list("imports")} == before


def test_a_changed_source_takes_the_place_of_its_older_self(storage: Storage, inbox: Path) -> None:
    path = inbox / "a.jsonl"
    path.write_bytes(jsonl({"text": "old"}))
    importing.register(storage, [str(path)])
    (old,) = archives_of(storage)
    path.write_bytes(jsonl({"text": "new text"}))
    importing.register(storage, [str(path)])
    (new,) = archives_of(storage)
    assert new.name != old.name
    assert [page.body for page in pages(storage)] == [b"new text"]
    assert not Path(old.path).exists()


def test_files_of_one_name_in_two_folders_are_two_sources(storage: Storage, inbox: Path) -> None:
    for folder in ("x", "y"):
        (inbox / folder).mkdir()
        (inbox / folder / "a.jsonl").write_bytes(jsonl({"text": folder}))
    registered = importing.register(storage, [str(inbox / "x" / "a.jsonl"), str(inbox)])
    assert len(registered.sources) == 2
    assert len({archive.name for archive in archives_of(storage)}) == 2
    assert len({page.url for page in pages(storage)}) == 2


def test_a_moved_corpus_finds_its_own_archives(storage: Storage, inbox: Path, tmp_path: Path) -> None:
    (inbox / "a.jsonl").write_bytes(jsonl({"text": TEXT}))
    importing.register(storage, [str(inbox / "a.jsonl")])
    shutil.move(storage.root, tmp_path / "elsewhere")
    assert [page.body.decode() for page in pages(Storage(tmp_path / "elsewhere"))] == [TEXT]


def test_a_conversion_is_split_and_its_bytes_are_always_the_same(storage: Storage, inbox: Path) -> None:
    (inbox / "a.jsonl").write_bytes(jsonl(*({"text": os.urandom(500).hex()} for _ in range(100))))
    (source,) = plan([str(inbox / "a.jsonl")]).sources
    places, tally = convert(source, storage, lambda *_: None, max_bytes=10_000)
    assert len(places) > 3 and tally.read == 100
    once = [storage.read(place) for place in places]
    assert all(len(content) <= 10_000 for content in once)
    again, _ = convert(source, storage, lambda *_: None, max_bytes=10_000)
    assert [storage.read(place) for place in again] == once


IMPORT = (
    "import sys; from corpulyzer.jobs import importing as imports; from corpulyzer.storage import Storage; "
)
IMPORT += "imports.register(Storage(sys.argv[1]), sys.argv[2:])"


@pytest.mark.scaled
def test_an_import_killed_in_the_middle_and_repeated_is_as_if_unbroken(
    storage: Storage, inbox: Path, tmp_path: Path, scale: Callable[..., Any]
) -> None:
    texts = ({"text": f"{n} " + TEXT * 40} for n in range(scale(4_000, 20_000, 20_000)))
    (inbox / "a.jsonl").write_bytes(jsonl(*texts))
    for pause in scale((0.1,), (0.05, 0.3), (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.8) * 5):
        with subprocess.Popen([sys.executable, "-c", IMPORT, storage.root, str(inbox)]) as process:
            deadline = time.monotonic() + 300
            while not _temporaries(storage) and process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.005)
            time.sleep(pause)
            process.send_signal(signal.SIGKILL)
    importing.register(storage, [str(inbox)])
    other = Storage(tmp_path / "other")
    importing.register(other, [str(inbox)])
    assert _contents(storage) == _contents(other)
    assert not _temporaries(storage)


def test_large_fields_are_named_instead_of_kept() -> None:
    kept = json.loads(fields_header({"a": 1, "embedding": [0.123456] * 1_000, "none": None, "b": "x\ny"}))
    assert kept == {"a": 1, "b": "x\ny", "omitted_fields": ["embedding"]}
    many = fields_header({f"field{n}": "x" * 1_500 for n in range(100)})
    assert len(many) < 10_000 and len(json.loads(many)["omitted_fields"]) == 50
    assert fields_header({}) == ""


def test_other_readers_take_a_header_full_of_fields(storage: Storage, inbox: Path) -> None:
    from fastwarc.warc import ArchiveIterator
    from warcio.archiveiterator import ArchiveIterator as WarcioIterator

    fields = {f"field{n}": "ہ" * 150 for n in range(9)}
    (inbox / "a.jsonl").write_bytes(jsonl({"text": TEXT, **fields}))
    importing.register(storage, [str(inbox / "a.jsonl")])
    (archive,) = archives_of(storage)
    with open(archive.path, "rb") as file:
        assert [r.content_stream().read() for r in WarcioIterator(file)][1].decode() == TEXT
    with open(archive.path, "rb") as file:
        assert [r.reader.read() for r in ArchiveIterator(file)][1].decode() == TEXT


def test_the_summary_says_what_came_in_and_what_did_not(storage: Storage, inbox: Path) -> None:
    (inbox / "a.warc.gz").write_bytes(warc_bytes())
    (inbox / "b.jsonl").write_bytes(jsonl({"text": "x"}, "{"))
    (inbox / "c.png").write_bytes(b"\x89PNG")
    registered = importing.register(storage, [str(inbox)])
    summary = registered.summary()
    assert "a.warc.gz: archive" in summary
    assert "1 records from 1 file; 1 refused: 1 no JSON" in summary
    assert "c.png" not in summary
    assert "not imported" in registered.refusal() and "c.png" in registered.refusal()
    json.dumps(registered.to_json())


ARC = (
    b"filedesc://x.arc 0.0.0.0 20240506070809 text/plain 20\n1 0 A Test\nURL etc.\n\n"
    b"http://a.pk/0 127.0.0.1 20240506070809 text/html 57\n"
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>a sentence\n"
)


def unfinished(content: bytes) -> bytes:
    """A gzip file that breaks off after this content."""
    compressor = zlib.compressobj(wbits=31)
    return compressor.compress(content) + compressor.flush(zlib.Z_SYNC_FLUSH)


AS_A_WHOLE = {
    "x.arc": ARC,
    "x.arc.gz": gzip.compress(ARC[: ARC.index(b"http:")]) + gzip.compress(ARC[ARC.index(b"http:") :]),
    "x.warc.gz": gzip.compress(warc_bytes(packed=False)),
    "x.warc.zst": zstandard.ZstdCompressor().compress(warc_bytes(packed=False)),
    "x.warc.lz4": lz4.frame.compress(warc_bytes(packed=False)),
    "cut.warc.gz": unfinished(warc_bytes(packed=False)[:-30]),
}


@pytest.mark.parametrize("name", AS_A_WHOLE)
def test_arc_and_what_is_compressed_as_a_whole_becomes_an_archive_of_the_corpus(
    storage: Storage, inbox: Path, name: str
) -> None:
    (inbox / name).write_bytes(AS_A_WHOLE[name])
    (imported,) = importing.register(storage, [str(inbox / name)]).sources
    assert imported.kind == RECORDS and all(place.startswith("imports/") for place in imported.archives)
    found = pages(storage)
    wanted = ["http://a.pk/0"] if name.startswith("x.arc") else [f"http://a.pk/{n}" for n in range(3)]
    assert [page.url for page in found] == wanted
    assert [page.truncated for page in found] == [False] * (len(wanted) - 1) + [name.startswith("cut")]
    assert found[0].mime == "text/html" and found[0].body.startswith(b"<p>")
    assert importing.register(storage, [str(inbox / name)]).sources[0].known


def test_an_archive_without_a_record_says_so_in_one_sentence(storage: Storage, inbox: Path) -> None:
    (inbox / "x.arc").write_bytes(ARC[: ARC.index(b"http:")])
    (inbox / "x.warc").write_bytes(b"WARC/1.0\r\nbroken")
    with pytest.raises(UserError) as caught:
        importing.register(storage, [str(inbox)])
    assert ".." not in caught.value.message.replace(str(inbox), "")


def test_indexing_gives_a_row_for_each_fetch_and_ticks_as_it_goes(inbox: Path) -> None:
    paths = [inbox / "a.warc.gz", inbox / "b.warc"]
    paths[0].write_bytes(warc_bytes(3))
    paths[1].write_bytes(warc_bytes(2, packed=False)[:-20])
    batch = pa.RecordBatch.from_pydict(
        {"archive": ["a", "b"], "path": [str(path) for path in paths], "round": pa.array([0, 4], pa.int64())}
    )
    ticks: list[int] = []
    fetches = IndexArchives()(batch, ticks.append)["fetches"]
    found: list[Fetch] = [record_of(Fetch, row) for row in fetches.to_pylist()]
    assert [(f.archive, f.round, f.outcome) for f in found] == [("a", 0, "ok")] * 3 + [
        ("b", 4, "ok"),
        ("b", 4, "ok"),
    ]
    assert [f.truncated for f in found] == [False] * 4 + [True]
    assert set(ticks) == {0, 1} and len(ticks) > 2
    assert fetches.schema == IndexArchives().outputs["fetches"]


def test_an_archive_that_cannot_be_indexed_is_one_damaged_fetch() -> None:
    batch = pa.RecordBatch.from_pydict(
        {"archive": ["a"], "path": ["/gone"], "round": pa.array([0], pa.int64())}
    )
    (row,) = IndexArchives().failed(batch, "the archive is gone")["fetches"].to_pylist()
    assert (row["outcome"], row["detail"], row["archive"]) == ("damaged", "the archive is gone", "a")


def _temporaries(storage: Storage) -> list[str]:
    folder = Path(storage.path("imports"))
    return [file.name for file in folder.iterdir() if file.name.startswith(".")] if folder.exists() else []


def _contents(storage: Storage) -> dict[str, bytes]:
    """What is in the folder, but for when it was noted."""
    times = rb'"noted": "[^"]+"'
    return {file: regex.sub(times, b"", storage.read(file)) for file in storage.list("imports")}


def test_a_corpus_and_its_sources_may_be_in_an_object_store(object_store: Mapping[str, str]) -> None:
    make_bucket(object_store, "shelf")
    with environment(object_store):
        source, storage = Storage("s3://shelf/in"), Storage("s3://shelf/corpus")
        source.write("a.warc.gz", warc_bytes())
        source.write("b.jsonl", jsonl({"text": TEXT}))
        source.write("pages/c.html", b"<p>c")
        registered = importing.register(storage, ["s3://shelf/in"])
        assert {found.kind for found in registered.sources} == {ARCHIVE, JSONL, PAGES}
        check(archives_of(storage))
        bodies = {page.body for page in pages(storage)}
        assert bodies == {*(f"<p>{n} {TEXT}</p>".encode() for n in range(3)), TEXT.encode(), b"<p>c"}
        again = importing.register(storage, ["s3://shelf/in"])
        assert all(found.known for found in again.sources)
