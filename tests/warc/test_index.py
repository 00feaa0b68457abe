"""Archives of every form are indexed whole; damage costs its own records and is named."""

import gzip
import io
import zlib
from pathlib import Path

import lz4.frame
import pytest
import zstandard
from fastwarc.stream_io import GzipWriter, Lz4Writer
from fastwarc.warc import WarcRecord, WarcRecordType
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from corpulyzer.errors import UserError
from corpulyzer.warc import Entry, index, index_file

PAGES = 6


def page(number: int) -> bytes:
    """A body that does not compress to nothing, so that damage has somewhere to happen."""
    words = " ".join(f"{number}-{i * 7919 % 1009:x}" for i in range(2_000))
    return f"<html><body><p>{words}</p></body></html>".encode()


def written_by_warcio(pages: int = PAGES, *, packed: bool = True) -> bytes:
    sink = io.BytesIO()
    writer = WARCWriter(sink, gzip=packed, warc_version="1.1")
    writer.write_record(writer.create_warcinfo_record("t.warc.gz", {"software": "a test"}))
    for number in range(pages):
        head = StatusAndHeaders("200 OK", [("Content-Type", "text/html; charset=utf-8")], protocol="HTTP/1.1")
        url = f"http://a.pk/{number}"
        writer.write_record(
            writer.create_warc_record(url, "response", payload=io.BytesIO(page(number)), http_headers=head)
        )
    return sink.getvalue()


def plain_records() -> list[bytes]:
    """The records of an archive, bare."""
    whole = written_by_warcio(packed=False)
    starts = [i for i in range(len(whole)) if whole.startswith(b"WARC/1.1\r\n", i)]
    return [whole[a:b] for a, b in zip(starts, [*starts[1:], len(whole)], strict=True)]


def entries_of(archive: bytes, name: str = "t.warc.gz") -> list[Entry]:
    return list(index_file(io.BytesIO(archive), name))


def urls(entries: list[Entry]) -> list[str]:
    return [entry.uri for entry in entries if entry.kind == "response" and not entry.problem]


ALL = [f"http://a.pk/{number}" for number in range(PAGES)]


def test_every_record_of_a_gzip_archive_is_found_with_its_place_and_heads(tmp_path: Path) -> None:
    path = tmp_path / "t.warc.gz"
    path.write_bytes(written_by_warcio())
    entries = list(index(str(path)))
    assert [entry.kind for entry in entries] == ["warcinfo"] + ["response"] * PAGES
    first = entries[1]
    assert (first.uri, first.status, first.mime) == ("http://a.pk/0", 200, "text/html")
    assert first.payload_bytes == len(page(0))
    assert first.digest.startswith("sha1:") and first.record_id.startswith("<urn:uuid:")
    assert first.date.year >= 2024
    packed = path.read_bytes()
    for entry in entries:
        assert gzip.decompress(packed[entry.offset :][: entry.length]).startswith(b"WARC/1.1")
    assert sum(entry.length for entry in entries) == len(packed)


def test_plain_archives_are_read() -> None:
    entries = entries_of(written_by_warcio(packed=False), "t.warc")
    assert urls(entries) == ALL and not any(entry.problem for entry in entries)
    assert entries[1].payload_bytes == len(page(0))


@pytest.mark.parametrize("writer", [GzipWriter, Lz4Writer])
def test_archives_written_by_fastwarc_are_read(writer: type) -> None:
    sink = io.BytesIO()
    for number in range(3):
        record = WarcRecord()
        record.init_headers(record_type=WarcRecordType.response)
        record.headers["WARC-Target-URI"] = f"http://a.pk/{number}"
        record.set_bytes_content(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page(number))
        record.is_http = True
        stream = writer(sink)
        record.write(stream, checksum_data=True)
        stream.finish()
        stream.flush()
    entries = entries_of(sink.getvalue())
    assert urls(entries) == ALL[:3]
    assert [entry.payload_bytes for entry in entries] == [len(page(number)) for number in range(3)]


def test_records_that_share_an_id_are_two_records() -> None:
    twice = plain_records()[1] * 2
    entries = entries_of(twice, "t.warc")
    assert len(entries) == 2
    assert entries[0].record_id == entries[1].record_id and entries[0].offset != entries[1].offset


@pytest.mark.parametrize("checksum", [True, False])
def test_zstd_archives_are_read(checksum: bool) -> None:
    packer = zstandard.ZstdCompressor(write_checksum=checksum)
    entries = entries_of(b"".join(packer.compress(record) for record in plain_records()), "t.warc.zst")
    assert urls(entries) == ALL
    assert not any(entry.problem for entry in entries)


@pytest.mark.parametrize("packed", [True, False])
def test_a_zstd_archive_with_a_leading_dictionary_is_read(packed: bool) -> None:
    records = plain_records()
    dictionary = zstandard.train_dictionary(
        4096, [page(n)[i : i + 300] for n in range(9) for i in range(0, 9000, 300)]
    )
    content = dictionary.as_bytes()
    if packed:
        content = zstandard.ZstdCompressor().compress(content)
    packer = zstandard.ZstdCompressor(dict_data=dictionary)
    head = b"\x5d\x2a\x4d\x18" + len(content).to_bytes(4, "little") + content
    assert urls(entries_of(head + b"".join(map(packer.compress, records)), "t.warc.zst")) == ALL


@pytest.mark.smoke
def test_a_damaged_frame_of_an_lz4_archive_costs_one_record() -> None:
    records = [lz4.frame.compress(record, content_checksum=True) for record in plain_records()]
    damaged = bytearray(records[2])
    damaged[len(damaged) // 2] ^= 0x55
    entries = entries_of(b"".join([*records[:2], bytes(damaged), *records[3:]]), "t.warc.lz4")
    assert urls(entries) == [ALL[0], *ALL[2:]]
    assert [entry.problem for entry in entries if entry.problem] == ["corrupt"]


def test_a_wet_file_gives_conversions() -> None:
    sink = io.BytesIO()
    writer = WARCWriter(sink, gzip=True)
    text = "آداب عرض ہے".encode()
    headers = {"WARC-Refers-To": "<urn:uuid:1>", "WARC-Identified-Content-Language": "urd"}
    writer.write_record(
        writer.create_warc_record(
            "http://a.pk/",
            "conversion",
            io.BytesIO(text),
            warc_content_type="text/plain",
            warc_headers_dict=headers,
        )
    )
    (entry,) = entries_of(sink.getvalue())
    assert (entry.kind, entry.mime, entry.payload_bytes) == ("conversion", "text/plain", len(text))


@pytest.mark.parametrize("form", ["gzip", "zstd", "plain"])
@pytest.mark.parametrize("share", [0.0, 0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999])
def test_a_torn_last_record_is_named_and_costs_only_itself(form: str, share: float) -> None:
    records = _packed(form)
    kept = max(1, int(len(records[-1]) * share))
    entries = entries_of(b"".join(records[:-1]) + records[-1][:kept], _name(form))
    assert urls(entries) == ALL[:-1]
    assert entries[-1].problem and entries[-1].length == kept
    assert [entry for entry in entries[:-1] if entry.problem] == []


@pytest.mark.parametrize("cut", range(1, 12))
def test_the_last_bytes_of_a_member_are_checked_too(cut: int) -> None:
    archive = written_by_warcio()
    entries = entries_of(archive[:-cut])
    assert entries[-1].problem == "truncated"
    assert urls(entries) == ALL[:-1]


@pytest.mark.parametrize("form", ["gzip", "zstd"])
@pytest.mark.parametrize("share", [0.0, 0.02, 0.3, 0.6, 0.97])
def test_a_flipped_byte_costs_one_record(form: str, share: float) -> None:
    records = _packed(form)
    broken = bytearray(records[3])
    broken[int(len(broken) * share)] ^= 0x55
    entries = entries_of(b"".join([*records[:3], bytes(broken), *records[4:]]), _name(form))
    assert urls(entries) == [*ALL[:2], *ALL[3:]]
    (damage,) = [entry for entry in entries if entry.problem]
    assert (damage.offset, damage.length) == (sum(map(len, records[:3])), len(broken))


@pytest.mark.parametrize("form", ["gzip", "zstd", "plain"])
def test_a_record_torn_in_the_middle_of_a_file_does_not_hide_the_next(form: str) -> None:
    records = _packed(form)
    torn = records[3][: len(records[3]) // 2]
    entries = entries_of(b"".join([*records[:3], torn, *records[4:]]), _name(form))
    assert urls(entries) == [*ALL[:2], *ALL[3:]]
    assert [entry.length for entry in entries if entry.problem] == [len(torn)]


def test_a_damaged_first_record_does_not_make_it_another_format() -> None:
    records = _packed("gzip")
    entries = entries_of(b"\0" * 100 + b"".join(records[1:]))
    assert urls(entries) == ALL
    assert (entries[0].problem, entries[0].length) == ("corrupt", 100)


def test_a_content_length_that_lies_is_a_problem_of_that_record() -> None:
    good = plain_records()
    lie = good[2].replace(f"Content-Length: {_content_length(good[2])}".encode(), b"Content-Length: 99999")
    entries = entries_of(gzip.compress(good[1]) + gzip.compress(lie) + gzip.compress(good[3]))
    assert urls(entries) == [ALL[0], ALL[2]]
    assert entries[1].problem == "content_length" and "missing" in entries[1].detail


def test_an_archive_compressed_as_a_whole_is_refused_with_the_cure() -> None:
    with pytest.raises(UserError, match="compressed as a whole") as caught:
        entries_of(gzip.compress(written_by_warcio(packed=False)), "whole.warc.gz")
    assert "corpulyzer import" in caught.value.hint


@pytest.mark.parametrize(
    "content, words",
    [
        (b"", "is empty"),
        (b"<html>hello</html>", "no WARC file"),
        (gzip.compress(b'{"url": "http://a.pk/"}\n' * 9, mtime=0), "no WARC file"),
        (gzip.compress(b"filedesc://x.arc 0.0.0.0 20050101 text/plain 76\n", mtime=0), "ARC file"),
    ],
)
def test_what_is_no_archive_is_refused_by_name(content: bytes, words: str) -> None:
    with pytest.raises(UserError, match=words) as caught:
        entries_of(content, "odd.warc.gz")
    assert "odd.warc.gz" in caught.value.message and caught.value.hint


@pytest.mark.parametrize("form", ["gzip", "zstd"])
def test_a_bomb_in_a_record_is_counted_in_bounded_memory(form: str) -> None:
    import tracemalloc

    zeros = bytes(1 << 20)
    size = 150 << 20
    packer = (
        zlib.compressobj(1, zlib.DEFLATED, 31) if form == "gzip" else zstandard.ZstdCompressor().compressobj()
    )
    head = (
        f"WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a.pk/\r\nContent-Length: {size}\r\n\r\n"
    )
    parts = [packer.compress(head.encode())]
    parts += [packer.compress(zeros) for _ in range(size >> 20)]
    archive = b"".join([*parts, packer.compress(b"\r\n\r\n"), packer.flush()])
    assert len(archive) < 1 << 20
    tracemalloc.start()
    (entry,) = entries_of(archive, _name(form))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert entry.payload_bytes == size
    assert peak < 20 << 20


def test_failures_recorded_by_a_crawler_are_read_from_metadata() -> None:
    block = b"outcome: robots\r\ndetail: Disallow: /private\r\n"
    head = "WARC/1.1\r\nWARC-Type: metadata\r\nWARC-Target-URI: http://a.pk/private\r\n"
    head += f"Content-Type: application/warc-fields\r\nContent-Length: {len(block)}\r\n\r\n"
    (entry,) = entries_of(head.encode() + block + b"\r\n\r\n", "t.warc")
    assert (entry.outcome, entry.detail) == ("robots", "Disallow: /private")


def _packed(form: str) -> list[bytes]:
    if form == "zstd":
        return [zstandard.ZstdCompressor(write_checksum=True).compress(record) for record in plain_records()]
    return [gzip.compress(record) if form == "gzip" else record for record in plain_records()]


def _name(form: str) -> str:
    return {"gzip": "t.warc.gz", "zstd": "t.warc.zst", "plain": "t.warc"}[form]


def _content_length(record: bytes) -> int:
    return int(record.partition(b"Content-Length: ")[2].partition(b"\r\n")[0])
