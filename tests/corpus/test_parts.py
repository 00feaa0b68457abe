"""Parts follow archives; parts of another size stay as they are, and all sizes give the same rows."""

import pytest
from lasting import engine_of

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.corpus import parts
from corpulyzer.corpus.archives import archives as found_archives
from corpulyzer.corpus.tables import Tables
from corpulyzer.engine.derived.table import Table
from corpulyzer.jobs.stale import stale
from corpulyzer.lab.demo.archive import write_archive


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A corpus of one archive in parts of 20 pages, which say nothing of their size."""
    folder = tmp_path_factory.mktemp("parts")
    write_archive(folder / "web.warc.gz", target="hrv")
    create("hrv", folder / "c")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parts, "FIRST_ROWS", 20)
        corpus = with_pages(folder / "c", 20)
        corpus.import_(str(folder / "web.warc.gz"), engine=engine_of(corpus))
        yield folder / "c"


def with_pages(folder, pages):
    return open_corpus(folder, {"engine.workers": 2, "engine.part_pages": pages})


def names_of(corpus, table="documents"):
    return [part.name for part in Table(corpus.storage, table).parts()]


def rows_of(corpus):
    return sorted(corpus.documents, key=lambda each: each.id)


def test_parts_of_another_size_stay_until_pages_are_read_again(small):
    before = with_pages(small, 20)
    rows, names = rows_of(before), names_of(before)
    assert len(names) > 3
    now = with_pages(small, 50_000)
    assert now.process(engine=engine_of(now)) == 0
    assert names_of(now) == names and not stale(now)
    now.process("extract", engine=engine_of(now))
    assert len(names_of(now)) == 1 and names_of(now) == names_of(now, "links") == names_of(now, "fetches")
    assert rows_of(now) == rows
    again = with_pages(small, 20)
    assert again.process(engine=engine_of(again)) == 0 and not stale(again)
    again.process("extract", engine=engine_of(again))
    assert names_of(again) == names and rows_of(again) == rows


def test_an_archive_with_more_pages_has_several_parts(small):
    corpus = with_pages(small, 37)
    rows = rows_of(corpus)
    corpus.process("extract", engine=engine_of(corpus))
    fetches = sum(part.rows for part in Table(corpus.storage, "fetches").parts())
    assert len(names_of(corpus)) == -(-fetches // 37)
    assert rows_of(corpus) == rows


@pytest.mark.parametrize("number", [0, 2])
def test_a_part_that_is_lost_is_made_again_in_the_size_of_the_others(small, number):
    corpus = with_pages(small, 20)
    corpus.process("extract", engine=engine_of(corpus))
    rows, names = rows_of(corpus), names_of(corpus)
    Table(corpus.storage, "documents").forget([names[number]])
    larger = with_pages(small, 50_000)
    assert larger.process(engine=engine_of(larger)) == 1
    assert names_of(larger) == names and rows_of(larger) == rows


def test_parts_of_two_sizes_are_told_and_a_round_keeps_one(small):
    corpus = with_pages(small, 20)
    corpus.process("extract", engine=engine_of(corpus))
    rows, names = rows_of(corpus), names_of(corpus)
    for table in (Table(corpus.storage, name) for name in ("documents", "links")):
        table.write("x.00000.parquet", table.file(names[0]), lambda batch: batch, "old")
        table.write(
            f"{parts.archive_of(names[0])}.00099.parquet", table.file(names[0]), lambda batch: batch, "old"
        )
    assert "2 parts" in stale(corpus, "documents")[0].why
    archives = found_archives(corpus.storage)
    places = {each.name: each.path for each in archives}
    assert Tables(corpus.storage, corpus.config, engine_of(corpus)).make_round(archives, places) == 0
    assert names_of(corpus) == names_of(corpus, "links") == [*names, "x.00000.parquet"], (
        "others are not its own"
    )
    corpus.process(engine=engine_of(corpus))
    assert names_of(corpus) == names and rows_of(corpus) == rows and not stale(corpus)
