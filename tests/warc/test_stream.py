"""ARC files and archives compressed as a whole give every record, as warcio reads them, and a cut one in part."""

import io

import pytest
from warcio.archiveiterator import ArchiveIterator
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from corpulyzer.warc.scan import BrokenRecordError
from corpulyzer.warc.stream import Streamed, Unpacked, streamed

PAGES = {
    "http://a.pk/": b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>one\nhttp://b.pk/ 1 2 3\n</p>",
    "http://a.pk/a b?c=d e": b"HTTP/1.0 404 Not Found\nContent-Type: text/html\n\n<h1>gone</h1>",
    "dns:a.pk": b"20240506070809\na.pk. 60 IN A 127.0.0.1\n",
}


def arc(version: int = 1) -> list[bytes]:
    """The records of an ARC file, the first of which describes it."""
    names = "URL IP-address Archive-date Content-type Archive-length"
    about = f"{version} 0 A Test\n{names}\n".encode()
    middle = b"" if version == 1 else b" 200 A1B2 - 1234 x.arc"
    records = [
        b"filedesc://x.arc 0.0.0.0 20240506070809 text/plain%s %d\n%s" % (middle, len(about), about + b"\n")
    ]
    for url, block in PAGES.items():
        kind = b"text/dns" if url.startswith("dns") else b"text/html"
        line = b"%s 127.0.0.1 20240506070809 %s%s %d\n" % (url.encode(), kind, middle, len(block))
        records.append(line + block + b"\n")
    return records


def warc(count: int = 3) -> bytes:
    sink = io.BytesIO()
    writer = WARCWriter(sink, gzip=False)
    for number in range(count):
        head = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
        body = io.BytesIO(b"<p>%d</p>" % number * 50)
        url = f"http://a.pk/{number}"
        writer.write_record(writer.create_warc_record(url, "response", payload=body, http_headers=head))
    return sink.getvalue()


def told(records: list[Streamed]) -> list[tuple[str, str]]:
    return [(record.headers["warc-target-uri"], record.truncated) for record in records]


@pytest.mark.parametrize("version", [1, 2])
def test_an_arc_file_gives_its_records(version):
    found = list(streamed([b"".join(arc(version))]))
    assert {record.headers["warc-target-uri"]: record.block for record in found} == PAGES
    assert [record.headers["warc-type"] for record in found] == ["response", "response", "resource"]
    assert {record.truncated for record in found} == {""}
    assert found[0].headers["warc-ip-address"] == "127.0.0.1"


def test_warcio_finds_the_same_in_an_arc_file():
    whole = b"".join(arc())
    theirs = {}
    for record in ArchiveIterator(io.BytesIO(whole), no_record_parse=True):
        theirs[record.rec_headers.get_header("uri")] = record.raw_stream.read()
    del theirs["filedesc://x.arc"]
    assert {record.headers["warc-target-uri"]: record.block for record in streamed([whole])} == theirs


def test_a_length_that_is_wrong_costs_no_other_record():
    first, one, two, three = arc()
    line, _, rest = one.partition(b"\n")
    too_long = line[: -len(line.split(b" ")[-1])] + b"%d\n" % (len(rest) + 60) + rest
    assert told(list(streamed([first + too_long + two + three]))) == [
        ("http://a.pk/", "unspecified"),
        *((url, "") for url in list(PAGES)[1:]),
    ]
    records = warc().split(b"WARC/1.0\r\n")[1:]
    lie = records[0].replace(b"Content-Length: ", b"Content-Length: 9", 1)
    found = list(streamed([b"WARC/1.0\r\n" + b"WARC/1.0\r\n".join([lie, *records[1:]])]))
    assert told(found) == [("http://a.pk/0", "unspecified"), ("http://a.pk/1", ""), ("http://a.pk/2", "")]
    assert found[0].block.endswith(b"<p>0</p>")


@pytest.mark.parametrize("make", [lambda: b"".join(arc()[:-1]), warc])
def test_a_file_that_breaks_off_gives_what_it_has(make):
    whole = make()
    full = list(streamed([whole]))
    found = list(streamed([whole[:-30]]))
    assert told(found)[:-1] == told(full)[:-1]
    assert found[-1].truncated and full[-1].block.startswith(found[-1].block) and found[-1].block


def test_pieces_that_break_off_are_the_end_of_a_file_that_is_read_forward():
    def pieces():
        yield b"abc"
        yield b"def"
        raise BrokenRecordError("corrupt")

    file = Unpacked(pieces())
    assert (file.read(2), file.seek(4), file.read(9), file.read(1)) == (b"ab", 4, b"ef", b"")


def test_bytes_between_records_are_skipped():
    junk = b"\0WARC/ not a record\r\n\r\n"
    assert [url for url, _ in told(list(streamed([junk + warc(1) + junk + warc(2)])))] == [
        "http://a.pk/0", "http://a.pk/0", "http://a.pk/1",
    ]  # fmt: skip
