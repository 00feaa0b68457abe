"""Archives that are read once give the rows, parts and versions of those that are indexed first."""

import os
import signal
import subprocess
import sys
import time

import pyarrow.parquet as pq
import pytest
import zstandard
from hurtful_pages import HurtfulPages
from isal import isal_zlib
from lasting import engine_of
from s3_server import environment, make_bucket, requests

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.corpus.archives import Archive, archives
from corpulyzer.corpus.one_pass import files
from corpulyzer.corpus.one_pass.files import evenly
from corpulyzer.corpus.tables import TABLES, Tables
from corpulyzer.engine.derived.table import Table
from corpulyzer.jobs.importing import register
from corpulyzer.jobs.process import process
from corpulyzer.lab.demo.archive import write_archive
from corpulyzer.page.settings import page_tables
from corpulyzer.storage import Storage
from corpulyzer.warc import compose, index
from corpulyzer.web.fetch.robots.rules import sitemaps_of

FLAGS = {"engine.workers": 1, "engine.page_seconds": 1.0, "engine.part_pages": 60}
HEAD = "HTTP/1.1 200 OK\r\nContent-Type: {}\r\n\r\n"
GONE = "https://hurt.example/gone"
NO_ARCHIVE = b"WARC/1.0\r\n" * 9


def response(path, body, mime="text/html"):
    return compose.response(f"https://hurt.example/{path}", HEAD.format(mime).encode(), body).packed()


@pytest.fixture(scope="module")
def inbox(tmp_path_factory):
    """Archives of every form, damaged and cut off, with records of every kind and pages that hurt."""
    folder = tmp_path_factory.mktemp("inbox")
    write_archive(folder / "web.warc.gz")
    content, entries = (folder / "web.warc.gz").read_bytes(), list(index(str(folder / "web.warc.gz")))
    records = [content[entry.offset : entry.offset + entry.length] for entry in entries][::3]
    plain = [isal_zlib.decompress(record, 31) for record in records]
    others = [
        response("robots.txt", b"User-agent: *\nSitemap: https://hurt.example/map.xml\n", "text/plain"),
        response("map.xml", b"<urlset><url><loc>https://hurt.example/a</loc></url></urlset>", "text/xml"),
        response("feed", b"<rss><channel><item><link>https://hurt.example/b</link></item></channel></rss>"),
        response("large", b"so many words " * 800_000, "application/zip"),
        *(response(path, b"<p>It does something to its worker.") for path in ("crash", "raise", "hang")),
        response("gone", b"<p>This page was removed."),
    ]
    middle = len(records) // 2
    torn = [*records[:middle], *others, bytes(700), *records[middle:-1], records[-1][:-30]]
    wrong = bytearray(records[1])
    wrong[len(wrong) // 2] ^= 255
    (folder / "web.warc.gz").write_bytes(b"".join([records[0], wrong, *torn[2:]]))
    (folder / "plain.warc").write_bytes(
        b"".join([*plain[:9], b"no record\r\n", *plain[9:30], plain[30][:-40]])
    )
    (folder / "packed.warc.zst").write_bytes(b"".join(map(zstandard.ZstdCompressor().compress, plain[30:60])))
    (folder / "bad.warc.gz").write_bytes(records[0])
    return folder


@pytest.fixture
def hurtful(monkeypatch):
    def pages(self, places):
        return HurtfulPages(page_tables(self.config), places, sitemaps_of)

    monkeypatch.setattr(Tables, "_pages", pages)


def made_from(inbox, folder):
    """A corpus of the archives, one of which became unreadable and one page of which was removed before.

    With it, how many archives were indexed first.
    """
    create("urd", folder)
    corpus = open_corpus(folder, FLAGS)
    corpus.storage.write("removed.jsonl", b'{"name": "hurt.example/gone"}\n')
    register(corpus.storage, [str(inbox)])
    bad, noted = inbox / "bad.warc.gz", (inbox / "bad.warc.gz").stat()
    content = bad.read_bytes()
    bad.write_bytes(NO_ARCHIVE)
    told = {}
    made = process(corpus, engine_of(corpus), progress=lambda what, _, total: told.update({what: total}))
    bad.write_bytes(content)
    os.utime(bad, ns=(noted.st_atime_ns, noted.st_mtime_ns))
    return corpus, told["indexing archives"], made


def state(corpus):
    """All that the logs of the tables say, and all rows."""
    found = {}
    for name in TABLES:
        table = Table(corpus.storage, name)
        entries = table.entries()
        assert sorted(entries) == table.files()
        rows = {part: pq.read_table(table.path(part)).to_pylist() for part in sorted(entries)}
        said = {part: (entry.made_of, entry.version, entry.rows) for part, entry in entries.items()}
        found[name] = (dict(sorted(said.items())), rows)
    return found


def test_both_ways_give_the_same(inbox, tmp_path, hurtful, monkeypatch):
    corpus, indexed, made = made_from(inbox, tmp_path / "once")
    assert indexed == 1, "the one that cannot be read"
    once = state(corpus)
    with monkeypatch.context() as patch:
        patch.setattr(files, "evenly", lambda _archives, _cores: [])
        other, *found = made_from(inbox, tmp_path / "first")
    first = state(other)
    assert found == [4, made]
    for name in TABLES:
        assert once[name][0] == first[name][0], name
        assert once[name][1] == first[name][1], name
    fetches = [row for rows in once["fetches"][1].values() for row in rows]
    outcomes = {row["outcome"] for row in fetches}
    assert {"ok", "damaged", "revisit", "http_error", "removed", "failed"} <= outcomes
    documents = {row["url"]: row for rows in once["documents"][1].values() for row in rows}
    failed = {url for url, row in documents.items() if row["verdict"]["reason"] == "extract_failed"}
    assert failed == {f"https://hurt.example/{deed}" for deed in ("crash", "raise", "hang")}
    assert GONE not in documents and documents["https://hurt.example/large"]["truncated"]
    assert len(once["documents"][0]) > len(once["fetches"][0]) == 4


IMPORT = "import sys; from corpulyzer.api.corpus import open_corpus as at"
IMPORT += f"; at(sys.argv[1], {FLAGS}).import_(*sys.argv[2:])"


def test_an_import_that_is_killed_and_repeated_is_as_if_unbroken(inbox, tmp_path):
    """It is killed while the parts of the first archive are open, and when its fetches are in their place."""
    for folder in "killed", "whole":
        create("urd", tmp_path / folder)
    given = [str(inbox / "web.warc.gz"), str(inbox / "plain.warc")]
    command = [sys.executable, "-c", IMPORT, str(tmp_path / "killed"), *given]
    for seen in "*/round=*/.*", "fetches/round=*/[!.]*.parquet":
        run = subprocess.Popen(command)
        while run.poll() is None and not list((tmp_path / "killed").glob(seen)):
            time.sleep(0.001)
        run.send_signal(signal.SIGKILL)
        assert run.wait() == -signal.SIGKILL
    killed, whole = open_corpus(tmp_path / "killed", FLAGS), open_corpus(tmp_path / "whole", FLAGS)
    for corpus in killed, whole:
        corpus.import_(*given, engine=engine_of(corpus))
    assert state(killed) == state(whole)
    assert not list(tmp_path.glob("*/*/round=*/.*"))


def test_an_archive_that_still_cannot_be_read_is_left_out_again(tmp_path, monkeypatch):
    """The import before was killed when it had said so of the archive, and had no documents of any."""
    bad = tmp_path / "bad.warc.gz"
    write_archive(bad)
    create("urd", tmp_path / "c")
    corpus = open_corpus(tmp_path / "c", FLAGS)
    register(corpus.storage, [str(bad)])
    bad.write_bytes(NO_ARCHIVE)
    with monkeypatch.context() as patch:
        patch.setattr(Tables, "_make_documents", interrupted)
        with pytest.raises(KeyboardInterrupt):
            corpus.process(engine=engine_of(corpus))
    tables = Tables(corpus.storage, corpus.config, engine_of(corpus))
    found = archives(corpus.storage)
    assert tables.bring_up_to_date(found, try_again=True) == 2
    assert list(tables.left_out(found)) == [str(bad)]


def interrupted(*_):
    raise KeyboardInterrupt


def test_an_archive_in_a_store_is_transferred_once(inbox, object_store, tmp_path):
    place = make_bucket(object_store, "once")
    with environment(object_store):
        Storage(place).write("in/web.warc.zst", (inbox / "packed.warc.zst").read_bytes())
        create("urd", tmp_path / "c")
        corpus = open_corpus(tmp_path / "c", FLAGS)
        register(corpus.storage, [f"{place}/in"])
        with requests(object_store) as asked:
            corpus.process(engine=engine_of(corpus))
    assert len([line for line in asked if "in/web" in line and "GET" in line]) == 1, asked
    assert len(corpus.documents) > 9


def test_what_would_leave_cores_idle_is_indexed_first():
    def chosen(cores, *sizes):
        archives = [Archive(str(number), "", bytes=size) for number, size in enumerate(sizes)]
        return [archive.bytes for archive in evenly(archives, cores)]

    assert chosen(1, 5, 9) == [9, 5]
    assert chosen(2, 5) == [] == chosen(8, 5, 5)
    assert chosen(2, 5, 5, 5) == [5, 5]
    assert chosen(2, 100, 1, 1) == [1, 1]
    assert chosen(2, 0, 0) == [0, 0], "of unknown size"
    assert chosen(1, 5 << 30, 1) == [1], "a kill would cost too much"
