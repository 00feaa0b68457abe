"""A page comes out of an archive as a browser would see it, whatever was done to its bytes."""

import gzip
import io
import random
import zlib
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from corpulyzer.errors import UserError
from corpulyzer.records import int64_hash
from corpulyzer.url import url_id
from corpulyzer.warc import (
    ArchiveReader,
    BrokenRecordError,
    Entry,
    Record,
    fetch_of,
    index,
    index_file,
    page_of,
    read,
    read_many,
)
from corpulyzer.warc.heads import date_of, http_head

HTML = "<html><body><p>السلام علیکم، یہ ایک صفحہ ہے۔</p></body></html>".encode() * 20


def record(block: bytes, kind: str = "response", uri: str = "http://a.pk/", **headers: str) -> bytes:
    lines = {"WARC-Type": kind, "WARC-Target-URI": uri, "WARC-Record-ID": "<urn:uuid:1>"}
    lines |= {"WARC-Date": "2024-05-06T07:08:09Z"}
    if kind == "response":
        lines |= {"Content-Type": "application/http; msgtype=response"}
    lines |= {name.replace("_", "-"): value for name, value in headers.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"WARC/1.1\r\n{head}Content-Length: {len(block)}\r\n\r\n".encode() + block + b"\r\n\r\n"


def response(body: bytes, head: str = "Content-Type: text/html\r\n") -> bytes:
    return record(f"HTTP/1.1 200 OK\r\n{head}\r\n".encode() + body)


def read_back(raw: bytes, max_bytes: int = 10_000_000) -> Record:
    archive = gzip.compress(raw)
    return read(io.BytesIO(archive), 0, len(archive), max_bytes)


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def chunked(data: bytes, size: int = 100) -> bytes:
    chunks = [data[i : i + size] for i in range(0, len(data), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks) + b"0\r\n\r\n"


ENCODED = {
    "gzip": gzip.compress(HTML),
    "x-gzip": gzip.compress(HTML),
    "deflate": zlib.compress(HTML),
    " Deflate ": raw_deflate(HTML),
    "br": brotli.compress(HTML),
    "zstd": zstandard.ZstdCompressor().compress(HTML),
    "gzip, br": brotli.compress(gzip.compress(HTML)),
    "gzip,gzip": gzip.compress(gzip.compress(HTML)),
}


@pytest.mark.parametrize("encoding", ENCODED)
@pytest.mark.parametrize("in_chunks", [False, True])
def test_content_encodings_are_taken_off(encoding: str, in_chunks: bool) -> None:
    body = chunked(ENCODED[encoding]) if in_chunks else ENCODED[encoding]
    head = f"Content-Encoding: {encoding}\r\n" + ("Transfer-Encoding: chunked\r\n" if in_chunks else "")
    found = read_back(response(body, head))
    assert found.body == HTML and not found.truncated


@pytest.mark.parametrize(
    "body", [HTML, "سادہ متن بغیر نشان کے".encode(), b"plain text", b"x", "ł".encode() * 400]
)
@pytest.mark.parametrize("header", ["Content-Encoding", "X-Crawl-Content-Encoding"])
@pytest.mark.smoke
@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd", "gzip, br", "utf-8"])
def test_a_body_stored_decoded_under_its_old_headers_is_kept(header: str, encoding: str, body: bytes) -> None:
    found = read_back(response(body, f"{header}: {encoding}\r\nTransfer-Encoding: chunked\r\n"))
    assert found.body == body and not found.truncated


def test_a_page_in_a_legacy_charset_stored_decoded_is_kept() -> None:
    body = "<p>zażółć gęślą jaźń".encode("iso-8859-2")
    assert read_back(response(body, "Content-Encoding: br\r\n")).body == body


def test_a_gzipped_page_that_says_nothing_of_it_is_unpacked_and_a_gzip_file_is_not() -> None:
    packed = gzip.compress(HTML)
    assert read_back(response(packed, "Content-Type: text/html\r\n")).body == HTML
    assert read_back(response(packed, "Content-Type: application/gzip\r\n")).body == packed


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
def test_a_body_that_breaks_off_gives_what_it_has_and_says_so(encoding: str) -> None:
    text = b"<p>" + random.Random(1).randbytes(300_000).hex(" ").encode()
    pack = {
        "gzip": gzip.compress,
        "deflate": zlib.compress,
        "br": lambda data: brotli.compress(data, quality=4),
        "zstd": zstandard.ZstdCompressor().compress,
    }[encoding]
    packed = pack(text)
    found = read_back(response(packed[: len(packed) * 3 // 4], f"Content-Encoding: {encoding}\r\n"))
    assert found.truncated
    assert text.startswith(found.body) and len(found.body) > len(text) // 3


def test_a_corrupt_gzip_body_gives_the_part_before_the_damage() -> None:
    text = b"<p>" + random.Random(1).randbytes(9_000).hex(" ").encode()
    packed = bytearray(gzip.compress(text))
    packed[-4000:-3990] = b"\xff" * 10
    found = read_back(response(bytes(packed), "Content-Encoding: gzip\r\n"))
    assert found.truncated and found.body[:1000] == text[:1000]


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
def test_a_bomb_is_cut_at_the_cap_in_bounded_memory(encoding: str) -> None:
    import tracemalloc

    zeros = bytes(100 << 20)
    pack = {
        "gzip": lambda data: gzip.compress(data, 1),
        "deflate": lambda data: zlib.compress(data, 1),
        "br": lambda data: brotli.compress(data, quality=1),
        "zstd": zstandard.ZstdCompressor().compress,
    }[encoding]
    raw = response(pack(zeros), f"Content-Encoding: {encoding}\r\n")
    del zeros
    tracemalloc.start()
    found = read_back(raw, max_bytes=1_000_000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (len(found.body), found.truncated) == (1_000_000, True)
    assert peak < 20 << 20


def test_a_record_longer_than_the_cap_is_cut_and_says_so() -> None:
    found = read_back(record(b"a" * 2_000_000, "resource", Content_Type="text/plain"), max_bytes=1_000)
    assert (found.body, found.truncated) == (b"a" * 1_000, True)


@pytest.mark.parametrize("chunks", [b"5\r\nhello\r\n6\r\n wor", b"5\r\nhello\r\n4\r\n world\r\n0\r\n\r\n"])
def test_chunks_that_are_wrong_say_so(chunks: bytes) -> None:
    assert read_back(response(chunks, "Transfer-Encoding: chunked\r\n")).truncated
    assert not read_back(response(b"<p>never", "Transfer-Encoding: chunked\r\n")).truncated


def test_a_body_shorter_than_the_server_announced_is_cut() -> None:
    assert read_back(response(b"<p>half", "Content-Length: 14\r\n")).truncated
    assert not read_back(response(b"<p>half", "Content-Length: 7\r\n")).truncated
    assert not read_back(response(b"<p>unpacked before", "Content-Length: 7\r\n")).truncated


@pytest.mark.parametrize("encoding", ["br", "deflate"])
def test_a_damaged_stream_without_a_checksum_gives_the_part_before_the_damage(encoding: str) -> None:
    text = b"<p>" + b" ".join(b"%d" % (number * 7919 % 10_007) for number in range(20_000))
    packed = bytearray(brotli.compress(text, quality=5) if encoding == "br" else raw_deflate(text))
    packed[len(packed) // 2 :] = b"\xff" * (len(packed) // 2)
    found = read_back(response(bytes(packed), f"Content-Encoding: {encoding}\r\n"))
    assert found.truncated and found.body[:20_000] == text[:20_000]


@pytest.mark.parametrize("form", ["gzip", "plain"])
@pytest.mark.parametrize("damage", ["cut at the end", "torn in the middle", "length too long"])
def test_a_record_that_breaks_off_gives_what_it_has(form: str, damage: str, tmp_path: Path) -> None:
    pages = [random.Random(number).randbytes(9_000).hex().encode() for number in range(3)]
    raw = [response(page) for page in pages]
    if damage == "length too long":
        raw[1] = raw[1].replace(b"Content-Length: 18", b"Content-Length: 28")
    records = [gzip.compress(one) if form == "gzip" else one for one in raw]
    broken = 2 if damage == "cut at the end" else 1
    if damage != "length too long":
        records[broken] = records[broken][: len(records[broken]) * 3 // 4]
    path = tmp_path / "a.warc"
    path.write_bytes(b"".join(records))
    fetches = [fetch for entry in index(str(path)) if (fetch := fetch_of(entry, "a", 0))]
    assert [(fetch.outcome, fetch.truncated) for fetch in fetches] == [
        ("ok", number == broken) for number in range(3)
    ]
    assert fetches[broken].detail
    with ArchiveReader({"a": str(path)}) as reader:
        found = [page_of(fetch, reader.read(fetch)) for fetch in fetches]
    assert [page.truncated for page in found] == [number == broken for number in range(3)]
    assert [page.body for number, page in enumerate(found) if number != broken] == [
        page for number, page in enumerate(pages) if number != broken
    ]
    assert pages[broken].startswith(found[broken].body) and len(found[broken].body) > 9_000


def test_a_record_with_wrong_bytes_gives_nothing(tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(response(HTML)))
    packed[-6] ^= 1  # in its checksum
    (tmp_path / "a.warc.gz").write_bytes(bytes(packed) + gzip.compress(response(HTML)))
    entries = list(index(str(tmp_path / "a.warc.gz")))
    assert [fetch.outcome for entry in entries if (fetch := fetch_of(entry, "a", 0))] == ["damaged", "ok"]


def test_an_archive_that_says_truncated_is_believed() -> None:
    assert read_back(record(b"HTTP/1.1 200 OK\r\n\r\nhalf", WARC_Truncated="length")).truncated


@pytest.mark.parametrize(
    "body, expected",
    [
        (b"5\r\nhello\r\n0\r\n\r\n", b"hello"),
        (b"5;name=value\nhello\n0\n\n", b"hello"),
        (b"5\r\nhello\r\n6\r\n world\r\n0\r\nTrailer: x\r\n\r\n", b"hello world"),
        (b"ff\r\nhello", b"hello"),
        (b"5\r\nhello\r\n6\r\n wor", b"hello wor"),
        (b"5\r\nhello\r\n6\r\n world\r\nzz\r\n", b"hello world"),
        (b"5\r\nhello\r\n4\r\n world\r\n3\r\n and\r\n0\r\n\r\n", b"hello world and"),
        (b"3\r\nhello\r\n6\r\n world\r\n0\r\n\r\n", b"hello world"),
        (b"0\r\n\r\n", b""),
        (b"<p>5</p>", b"<p>5</p>"),
        (b"10\r\nis a number and no chunk", b"10\r\nis a number and no chunk"),
    ],
)
def test_chunks_are_joined_and_what_is_not_in_chunks_stays(body: bytes, expected: bytes) -> None:
    assert read_back(response(body, "Transfer-Encoding: chunked\r\n")).body == expected


@pytest.mark.parametrize(
    "block, status, body",
    [
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>a", 200, b"<p>a"),
        (b"HTTP/1.0 404\nContent-Type: text/html\n\n<p>a", 404, b"<p>a"),
        (b"HTTP/2 200\r\ncontent-type: text/html\r\n\r\n<p>a", 200, b"<p>a"),
        (b"HTTP/1.1 200 OK\r\nX Powered : php\r\nno colon\r\n\r\n<p>a", 200, b"<p>a"),
        (b"HTTP/1.1 200 OK\r\n\r\n\r\n<p>a", 200, b"\r\n<p>a"),
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n<p>no empty line\r\n\r\n</p>", 200, None),
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nplain words", 200, b"plain words"),
        (b"Content-Type: text/html\r\nServer: x\r\n\r\n<p>a", 0, b"<p>a"),
        (b"<p>no head at all\r\n\r\n</p>", 0, b"<p>no head at all\r\n\r\n</p>"),
        (b"Note: this is text\r\n\r\nand no head", 0, b"Note: this is text\r\n\r\nand no head"),
        (b"HTTP/1.1 nonsense\r\n\r\n<p>a", 0, b"<p>a"),
        (b"HTTP/1.1 200 OK", 200, b""),
        (b"", 0, b""),
    ],
)
def test_broken_http_heads_do_not_cost_the_page(block: bytes, status: int, body: bytes | None) -> None:
    found = read_back(record(block))
    assert found.status == status
    assert found.body == (block[block.index(b"<p>") :] if body is None else body)


def test_header_names_are_lower_case_repeated_ones_joined_and_latin_1_survives() -> None:
    head = "X-Title: caf\xe9\r\nVARY: a\r\nvary: b\r\nX-Fold: one\r\n\ttwo\r\n"
    found = read_back(record(b"HTTP/1.1 200 OK\r\n" + head.encode("latin-1") + b"\r\n<p>a"))
    assert found.http_headers == {"x-title": "café", "vary": "a, b", "x-fold": "one two"}
    assert found.headers["warc-target-uri"] == "http://a.pk/"


@given(st.binary(max_size=400))
def test_no_bytes_break_the_head_parser(block: bytes) -> None:
    for start in (b"", b"HTTP/1.1 200 OK\r\n", b"Content-Type: text/html\r\n"):
        head = http_head(start + block)
        assert 0 <= head.size <= len(start + block)


@given(st.binary(max_size=600), st.sampled_from(["gzip", "deflate", "br", "zstd", "br, gzip"]), st.booleans())
def test_no_bytes_break_the_decoders(body: bytes, encoding: str, in_chunks: bool) -> None:
    head = f"Content-Encoding: {encoding}\r\n" + ("Transfer-Encoding: chunked\r\n" if in_chunks else "")
    assert len(read_back(response(body, head), max_bytes=500).body) <= 500


@given(st.binary(max_size=300))
def test_no_bytes_between_records_hide_the_next_one(junk: bytes) -> None:
    good = gzip.compress(response(HTML))
    entries = list(index_file(io.BytesIO(good + junk + good), "t.warc.gz"))
    assert [entry.kind for entry in entries if not entry.problem] == ["response"] * 2
    assert sum(entry.length for entry in entries) == len(good + junk + good)


@pytest.mark.parametrize(
    "text, date",
    [
        ("2024-05-06T07:08:09Z", datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)),
        ("2024-05-06T07:08:09.123456789Z", datetime(2024, 5, 6, 7, 8, 9, 123456, tzinfo=UTC)),
        ("2024-05-06T09:08:09+02:00", datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)),
        ("2024-05", datetime(2024, 5, 1, tzinfo=UTC)),
        ("20240506070809", datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)),
        ("yesterday", datetime(1970, 1, 1, tzinfo=UTC)),
        ("9999-99-99", datetime(1970, 1, 1, tzinfo=UTC)),
    ],
)
def test_dates_of_any_precision_are_read(text: str, date: datetime) -> None:
    assert date_of(text) == date


def entry(**changes: object) -> Entry:
    return replace(
        Entry(7, 100, "response", "http://www.a.pk/x?utm_source=y", payload_bytes=5, status=200), **changes
    )


@pytest.mark.parametrize(
    "changes, outcome",
    [
        ({}, "ok"),
        ({"status": 0}, "ok"),
        ({"kind": "resource", "status": 0}, "ok"),
        ({"kind": "conversion", "status": 0}, "ok"),
        ({"status": 404}, "http_error"),
        ({"status": 301}, "http_error"),
        ({"payload_bytes": 0}, "empty"),
        ({"kind": "revisit"}, "revisit"),
        ({"kind": "metadata", "outcome": "robots"}, "robots"),
        ({"kind": "", "problem": "corrupt"}, "damaged"),
        ({"uri": ""}, "damaged"),
    ],
)
def test_the_fetch_of_an_entry_says_how_it_went(changes: dict[str, object], outcome: str) -> None:
    fetch = fetch_of(entry(**changes), "a", 3)
    assert fetch is not None
    assert (fetch.outcome, fetch.archive, fetch.round, fetch.offset) == (outcome, "a", 3, 7)


@pytest.mark.parametrize(
    "changes",
    [
        {"kind": "request"},
        {"kind": "warcinfo"},
        {"kind": "metadata"},
        {"uri": "dns:a.pk"},
        {"kind": "resource", "uri": "urn:pageinfo:http://a.pk/"},
    ],
)
def test_records_that_are_no_fetch_give_none(changes: dict[str, object]) -> None:
    assert fetch_of(entry(**changes), "a", 0) is None


def test_a_fetch_has_the_keys_of_its_place_and_of_its_canonical_url() -> None:
    fetch = fetch_of(entry(), "a", 0)
    assert fetch is not None
    assert fetch.id == int64_hash("a", "7")
    assert (fetch.url_id, fetch.site) == (url_id("http://www.a.pk/x"), "a.pk")
    assert fetch.url == "http://www.a.pk/x?utm_source=y"


def test_a_damaged_place_says_what_is_wrong() -> None:
    fetch = fetch_of(Entry(7, 100, problem="corrupt", detail="Incorrect checksum"), "a", 0)
    assert fetch is not None and fetch.detail == "corrupt: Incorrect checksum"


def test_pages_are_read_back_from_the_places_that_the_index_gives(tmp_path: Path) -> None:
    dictionary = zstandard.train_dictionary(1024, [HTML[i : i + 99] for i in range(0, 1800, 9)])
    packer = zstandard.ZstdCompressor(dict_data=dictionary)
    content = dictionary.as_bytes()
    start = b"\x5d\x2a\x4d\x18" + len(content).to_bytes(4, "little") + content
    records = [response(HTML + str(i).encode()) for i in range(5)]
    forms = {
        "gz": b"".join(map(gzip.compress, records)),
        "zst": start + b"".join(map(packer.compress, records)),
        "plain": b"".join(records),
    }
    places = {}
    for name, archive in forms.items():
        (tmp_path / name).write_bytes(archive)
        places[name] = str(tmp_path / name)
    with ArchiveReader(places) as reader:
        for name, path in places.items():
            fetches = [fetch for found in index(path) if (fetch := fetch_of(found, name, 0))]
            bodies = [page_of(fetch, reader.read(fetch)).body for fetch in fetches]
            assert bodies == [HTML + str(i).encode() for i in range(5)]
            assert [r.body for r in read_many(path, (f.offset for f in fetches))] == bodies


def test_a_page_knows_its_headers_type_and_kept_fields() -> None:
    fetch = fetch_of(entry(kind="resource", status=0), "a", 0)
    assert fetch is not None
    fields = '{"topic": "news", "likes": 3}'
    raw = record(HTML, "resource", Content_Type="text/html; charset=utf-8", WARC_Corpulyzer_Fields=fields)
    page = page_of(fetch, read_back(raw))
    assert (page.mime, page.headers["content-type"], page.status) == (
        "text/html",
        "text/html; charset=utf-8",
        200,
    )
    assert page.labels == {"source.topic": "news", "source.likes": "3"}
    assert page.fetch is fetch


def test_a_record_that_changed_under_the_index_is_an_error_that_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(gzip.compress(response(HTML)))
    fetch = fetch_of(next(iter(index(str(path)))), "a", 0)
    assert fetch is not None
    path.write_bytes(b"something else")
    with (
        ArchiveReader({"a": str(path)}) as reader,
        pytest.raises(BrokenRecordError, match=r"a\.warc\.gz at 0"),
    ):
        reader.read(fetch)
    path.unlink()
    with ArchiveReader({"a": str(path)}) as reader, pytest.raises(UserError, match="corpulyzer import"):
        reader.read(fetch)
