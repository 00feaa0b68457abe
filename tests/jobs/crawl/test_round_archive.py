"""The rows of a round's archives: those that an index finds, whether noted while fetching or read after a kill."""

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from in_archives import fetches_in

from corpulyzer.corpus.archives import archives, crawled, left_open
from corpulyzer.corpus.folder import CorpusFolder
from corpulyzer.corpus.rounds import Round
from corpulyzer.errors import UserError
from corpulyzer.jobs.crawl.round_archive import RoundArchive, recorded, take_up
from corpulyzer.records import Fetch
from corpulyzer.records.columns import record_of
from corpulyzer.warc.write import ArchiveWriter
from corpulyzer.web.fetch.http.exchange import Exchange
from corpulyzer.web.fetch.recorder import Log, Request

DATE = datetime(2026, 3, 1, 12, 30, 15, 250_000, UTC)


@pytest.fixture
def corpus(tmp_path):
    return CorpusFolder.create("ur", tmp_path / "c")


def record(archive, *urls):
    """Record a page at each address; return the rows."""
    found = []
    for url in urls:
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
        exchange = Exchange(url, DATE, 12, b"GET / HTTP/1.1\r\n\r\n", head, b"<p>text", 200, "127.0.0.1", "")
        found.append(Log(archive, 1).exchange(Request.of(url), exchange).fetch)
    return found


def table_of(corpus):
    files = corpus.storage.list("fetches", ".parquet")
    rows = [row for file in files for row in pq.read_table(corpus.storage.path(file)).to_pylist()]
    return [record_of(Fetch, {name: row[name] for name in Fetch.__slots__}) for row in rows]


def test_the_rows_noted_while_fetching_are_the_table_and_what_an_index_finds(corpus):
    with RoundArchive(Round(corpus.storage, 1), {}) as archive:
        for fetch in reversed(record(archive, "http://a.test/", "http://a.test/2")):
            archive.note(fetch)
    assert table_of(corpus) == fetches_in(corpus) and len(table_of(corpus)) == 2


def test_an_archive_with_a_record_that_nobody_noted_is_read(corpus):
    with RoundArchive(Round(corpus.storage, 1), {}) as archive:
        first, _ = record(archive, "http://a.test/", "http://a.test/2")
        archive.note(first)
    assert [fetch.url for fetch in table_of(corpus)] == ["http://a.test/", "http://a.test/2"]
    assert table_of(corpus) == fetches_in(corpus)


def test_a_round_that_broke_off_gets_its_rows_when_it_is_taken_up(corpus):
    now = Round(corpus.storage, 1)
    with suppress(KeyError), RoundArchive(now, {}) as archive:
        archive.note(*record(archive, "http://a.test/"))
        raise KeyError
    assert not table_of(corpus)
    take_up(now, lambda *_: None)
    assert table_of(corpus) == recorded(now) == fetches_in(corpus) != []


@pytest.mark.parametrize("cut", [1, 400], ids=["half a request", "half a response"])
def test_what_a_kill_left_open_is_cut_back_closed_and_read(corpus, cut):
    now, told = Round(corpus.storage, 1), []
    with ArchiveWriter(corpus.storage.path(now.archives), now.prefix) as archive:
        rows = record(archive, "http://a.test/", "http://a.test/2")
    closed = Path(crawled(corpus.storage)[0].path)
    content = closed.read_bytes()
    closed.with_name(f"{closed.name}.open").write_bytes(content[:-cut])
    closed.unlink()
    take_up(now, lambda place, why: told.append((place, why)))
    assert not left_open(corpus.storage) and content.startswith(closed.read_bytes())
    assert table_of(corpus) == fetches_in(corpus) == rows[: 2 if cut == 1 else 1]
    assert len(told) == 1 and " at " in told[0][0], "what was cut off is named"


def test_an_archive_left_open_without_a_record_goes(corpus):
    now = Round(corpus.storage, 1)
    folder = Path(corpus.storage.path(now.archives))
    writer = ArchiveWriter(folder, now.prefix)
    with pytest.raises(UserError, match="Another process is writing"):
        take_up(now, lambda *_: None)
    names = [path.name for path in folder.iterdir()]
    content = (folder / names[0]).read_bytes()
    writer.close()
    (folder / names[0]).write_bytes(content)
    take_up(now, lambda *_: None)
    assert names and not list(folder.iterdir()) and not archives(corpus.storage)


def test_damage_is_looked_for_as_long_as_the_round_is_not_fetched(corpus):
    now, told = Round(corpus.storage, 1), []
    with RoundArchive(now, {}) as archive:
        rows = record(archive, "http://a.test/", "http://a.test/2")
        for row in rows:
            archive.note(row)
    path = Path(crawled(corpus.storage)[0].path)
    content = bytearray(path.read_bytes())
    content[rows[0].offset + 30 : rows[0].offset + 60] = bytes(30)
    path.write_bytes(content)
    take_up(now, lambda place, _why: told.append(place))
    assert recorded(now) == rows[1:] and told == [f"{path} at {rows[0].offset}"]
    assert [fetch.outcome for fetch in table_of(corpus)] == ["damaged", "ok"]
    now.write("fetched", {})
    path.unlink()
    take_up(now, lambda place, _why: told.append(place))
    assert recorded(now) == rows[1:] and len(told) == 1, "what is fetched is in the table"


def test_a_crawl_that_nobody_killed_reads_no_archive_for_its_rows(web, crawl, monkeypatch):
    def read(*_):
        raise AssertionError("an archive is read for rows that are known")

    monkeypatch.setattr("corpulyzer.jobs.crawl.round_archive.index", read)
    monkeypatch.setattr("corpulyzer.corpus.indexing.index_file", read)
    web.page("http://a.test/", "http://a.test/1")
    web.page("http://a.test/1")
    corpus, ended, fetches = crawl("http://a.test/")
    assert ended.pages == 2 and len(corpus.documents) == 2
    assert table_of(corpus) == fetches and len(crawled(corpus.storage)) == 2
