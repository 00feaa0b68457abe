"""What measures make of documents part by part is made again only for parts with other rows."""

from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq
from benches import bench, page

from corpulyzer.language import Language
from corpulyzer.measure.pages.rows import described
from corpulyzer.records import Document, drop
from corpulyzer.records.columns import batch_of, schema_of

PAGES = [page(f"http://a.example/{number}", target_bytes=10 * number) for number in range(6)]


class Counting:
    """An engine that counts the rows that maps are given."""

    def __init__(self, engine):
        self.engine, self.rows = engine, 0

    def __getattr__(self, name):
        return getattr(self.engine, name)

    def map_here(self, step, units):
        self.rows += sum(pq.read_metadata(unit.source.path).num_rows for unit in units)
        self.engine.map_here(step, units)


def rows(tables):
    """All rows of tables, in their order."""
    return {name: [row for file in each.files for row in pq.read_table(file).to_pylist()] for name, each in tables.items()}  # fmt: skip


def replaced(corpus, number, documents):
    """Write other documents in the place of a part."""
    table = pa.Table.from_batches([batch_of(documents, Document)]).cast(schema_of(Document))
    pq.write_table(table, corpus.documents.files[number])


def test_only_the_part_with_news_is_described_again(engine, tmp_path):
    counting = Counting(engine)
    corpus = bench(counting, tmp_path, PAGES, parts=3, lasting=str(tmp_path / "lasting"))
    before = rows(described(corpus))
    assert counting.rows == 6
    assert rows(described(corpus)) == before and counting.rows == 6
    changed = [replace(PAGES[2], verdict=drop("length")), PAGES[3], page("http://b.example/new")]
    replaced(corpus, 1, changed)
    # Another run has another folder for what does not last.
    after = rows(described(replace(corpus, folder=str(tmp_path / "next"))))
    assert counting.rows == 6 + 3
    fresh = bench(engine, tmp_path / "fresh", [*PAGES[:2], *changed, *PAGES[4:]])
    assert after == rows(described(fresh))


def test_a_part_that_is_gone_is_counted_no_longer(engine, tmp_path):
    corpus = bench(engine, tmp_path, PAGES, parts=3, lasting=str(tmp_path / "lasting"))
    described(corpus)
    fewer = replace(corpus, documents=replace(corpus.documents, files=corpus.documents.files[1:]))
    assert [row["url"] for row in rows(described(fewer))["pages"]] == [each.url for each in PAGES[2:]]


def test_another_language_is_described_anew(engine, tmp_path):
    corpus = bench(engine, tmp_path, [page("http://a.example/", languages={"urd": 100})])
    assert [row["token_share"] for row in rows(described(corpus))["pages"]] == [1_000_000]
    other = replace(corpus, language=Language.find("eng"))
    assert [row["token_share"] for row in rows(described(other))["pages"]] == [0]
